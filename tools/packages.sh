# shellcheck shell=sh disable=SC2034
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
# Sourced by ./start and ./check: which Debian packages they need, and how to get them.

# gcc needs libc6-dev named: without recommended packages it comes without headers.
packages_build="gcc libaio-dev libblkid-dev libc6-dev libisal-dev libssl-dev liburing-dev \
	libxxhash-dev libzstd-dev meson ninja-build pkg-config python3 zlib1g-dev"
# bc: fio does the arithmetic of job files with it.
packages_test="bc blktrace btrfs-progs e2fsprogs fdisk fio fuse3 libcmocka-dev libjansson-dev \
	libnbd-bin mount nbdkit procps xfsprogs zstd"
# make arm64; the libraries come by tools/arm64.sh.
packages_arm64="dpkg gcc-aarch64-linux-gnu libc6-dev-arm64-cross meson ninja-build pkg-config \
	python3 qemu-user"

# Those of "$@" that are not installed, on one line.
packages_missing() {
	for package; do
		dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' ||
			printf '%s ' "$package"
	done
}

# Install those of "$@" that are missing. Returns 1, having said what to do, when it can't.
packages_install() {
	missing=$(packages_missing "$@")
	[ -n "$missing" ] || return 0
	as_root=
	if [ "$(id -u)" != 0 ]; then
		as_root="sudo -n"
		if ! sudo -n true 2>/dev/null; then
			echo "These packages are missing, and installing them takes root:"
			echo "    sudo apt-get install $missing"
			return 1
		fi
	fi
	if ! command -v apt-get >/dev/null; then
		echo "This is not Debian. What it calls $missing is missing: please install it."
		return 1
	fi
	echo "installing: $missing"
	# shellcheck disable=SC2086 # both are lists of words
	{
		$as_root apt-get update -qq &&
			$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
				--no-install-recommends $missing
	} >"${TMPDIR:-/tmp}/weir-apt.$$" 2>&1 || {
		cat "${TMPDIR:-/tmp}/weir-apt.$$"
		rm -f "${TMPDIR:-/tmp}/weir-apt.$$"
		echo "apt-get could not install: $missing"
		return 1
	}
	rm -f "${TMPDIR:-/tmp}/weir-apt.$$"
}
