# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""A disk with a volatile cache, for tests: an NBD server in this process, nbdfuse makes a file of
it, losetup a block device.

What is written lies in the cache, each granule with all its versions, until a flush (or a write
with FUA) makes it durable.  cut() is a power cut: of each granule stays what was durable, or
any version since.  It can lie, too: ignore flushes, answer with errors, change what it is
given."""
import errno
import os
import random
import shutil
import socket
import struct
import subprocess
import threading

from harness import Skip, need_command, need_root, wait_for

MAGIC, OPTION_MAGIC, REPLY_MAGIC = b"NBDMAGIC", b"IHAVEOPT", 0x3E889045565A9
GO, REP_ACK, REP_INFO, REP_UNSUP = 7, 1, 3, 0x80000001
READ, WRITE, DISCONNECT, FLUSH, TRIM, WRITE_ZEROES = 0, 1, 2, 3, 4, 6
HAS_FLAGS, SEND_FLUSH, SEND_FUA, SEND_TRIM, SEND_ZEROES = 1, 4, 8, 32, 64


class Disk:
    """Over SCRATCH; .dev is its block device."""

    def __init__(self, scratch, size, granule=4096, seed=1):
        need_root()
        for name in ("nbdfuse", "losetup", "fusermount3"):
            need_command(name)
        if not os.path.exists("/dev/fuse"):
            raise Skip("needs /dev/fuse")
        self.size, self.granule = size, granule
        self.durable = bytearray(size)
        self.now = bytearray(size)
        self.versions = {}  # granule: those that are not durable
        self.lock = threading.Lock()
        self.random = random.Random(seed)
        self.ignore_flushes = False
        self.fail = lambda kind, offset, n: 0   # errno
        self.change = lambda offset, data: data  # what really is written
        self.flushes = 0
        self.serve(scratch)
        self.attach(scratch)

    # ---- the device ----

    def serve(self, scratch):
        path = scratch.path("disk.sock")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(4)
        self.socket_path = path
        threading.Thread(target=self.accept, daemon=True).start()
        scratch.undo.append(self.listener.close)

    def attach(self, scratch):
        where = scratch.path("disk")
        os.mkdir(where)
        p = subprocess.Popen(["nbdfuse", where + "/image", "--unix",
                              self.socket_path],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        image = where + "/image"

        def unmount():
            subprocess.run(["fusermount3", "-u", where], check=False, stderr=subprocess.DEVNULL)
            try:
                p.wait(timeout=5)
            except subprocess.TimeoutExpired:
                p.kill()
                subprocess.run(["umount", "-l", where], check=False)
        scratch.undo.append(unmount)
        if not wait_for("nbdfuse", lambda: os.path.exists(image) or p.poll() is not None) \
                or p.poll() is not None:
            raise Skip("nbdfuse: " + p.stderr.read().decode())
        out = subprocess.run(["losetup", "--direct-io=on", "-f", "--show", image],
                             capture_output=True, text=True)
        if out.returncode:
            raise Skip("no loop device: " + out.stderr.strip())
        self.dev = out.stdout.strip()
        scratch.undo.append(lambda: subprocess.run(["losetup", "-d", self.dev], check=False))

    # ---- NBD ----

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=(client,), daemon=True).start()

    @staticmethod
    def take(client, n):
        out = bytearray()
        while len(out) < n:
            got = client.recv(n - len(out))
            if not got:
                raise ConnectionError
            out += got
        return bytes(out)

    def greet(self, client):
        client.sendall(MAGIC + OPTION_MAGIC + struct.pack(">H", 3))
        self.take(client, 4)
        while True:
            _, option, n = struct.unpack(">8sII", self.take(client, 16))
            self.take(client, n)

            def reply(kind, data=b"", option=option):
                client.sendall(struct.pack(">QIII", REPLY_MAGIC, option, kind, len(data)) + data)
            if option != GO:
                reply(REP_UNSUP)
                continue
            flags = HAS_FLAGS | SEND_FLUSH | SEND_FUA | SEND_TRIM | SEND_ZEROES
            reply(REP_INFO, struct.pack(">HQH", 0, self.size, flags))
            reply(REP_ACK)
            return

    def talk(self, client):
        try:
            self.greet(client)
            while True:
                _, flags, kind, handle, offset, n = struct.unpack(">IHHQQI", self.take(client, 28))
                if kind == DISCONNECT:
                    return
                data = self.take(client, n) if kind == WRITE else b""
                with self.lock:
                    code, answer = self.do(kind, flags, offset, n, data)
                client.sendall(struct.pack(">IIQ", 0x67446698, code, handle) + answer)
        except (ConnectionError, OSError):
            pass
        finally:
            client.close()

    def do(self, kind, flags, offset, n, data):
        code = self.fail(kind, offset, n)
        if code:
            return code, b""
        if kind == READ:
            return 0, bytes(self.now[offset:offset + n])
        if kind in (TRIM, WRITE_ZEROES):
            data = bytes(n)
        if kind == FLUSH:
            self.flushes += 1
            if not self.ignore_flushes:
                self.harden(list(self.versions))
        elif n:
            self.write(offset, self.change(offset, data))
            if flags & 1:
                self.harden(range(offset // self.granule, -(-(offset + n) // self.granule)))
        return 0, b""

    # ---- the cache ----

    def write(self, offset, data):
        g = self.granule
        self.now[offset:offset + len(data)] = data
        for i in range(offset // g, -(-(offset + len(data)) // g)):
            self.versions.setdefault(i, []).append(bytes(self.now[i * g:(i + 1) * g]))

    def harden(self, granules):
        for i in granules:
            versions = self.versions.pop(i, None)
            if versions:
                self.durable[i * self.granule:(i + 1) * self.granule] = versions[-1]

    def cut(self, image, *copies):
        """What a power cut now would leave goes to IMAGE; (FROM, TO) are copied at that moment."""
        with self.lock:
            for a, b in copies:
                shutil.copyfile(a, b)
            left = bytearray(self.durable)
            for i, versions in self.versions.items():
                k = self.random.randrange(len(versions) + 1)
                if k:
                    left[i * self.granule:(i + 1) * self.granule] = versions[k - 1]
        with open(image, "wb") as f:
            f.write(left)


EIO = errno.EIO
