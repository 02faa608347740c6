#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
# Cross-build weir for arm64 and run its quick tests under qemu-user (make arm64).
#
# Compiler and emulator are installed as packages of this Debian. The libraries of arm64 are
# not: no foreign architecture is added to its dpkg. They are fetched by apt with an empty
# state of its own, from the mirrors that /etc/apt names, and unpacked into build-arm64/sysroot,
# once, and again when the list below or the release changes (rm -r build-arm64/sysroot: fresh
# ones).
#
# qemu-user has no io_uring, no AIO and no preadv2(): those tests are skipped and say so.
set -eu
cd "$(dirname "$0")/.."
. tools/packages.sh

top=$PWD/build-arm64
root=$top/sysroot
build=$top/build
triple=aarch64-linux-gnu

# What weir can do without: said when it isn't to be had.
needed="libc6-dev libcmocka-dev"
wanted="liburing-dev libaio-dev libblkid-dev libisal-dev libxxhash-dev libssl-dev libzstd-dev zlib1g-dev libjansson-dev"

# ---- the sysroot ----

# apt for arm64 with nothing installed; its lists and packages lie below build-arm64/apt.
apt_arm64() {
	apt-get -qq -o Dir::State="$top/apt/state" -o Dir::State::status="$top/apt/status" \
		-o Dir::Cache="$top/apt/cache" -o APT::Architecture=arm64 \
		-o APT::Architectures=arm64 -o APT::Sandbox::User=root \
		-o Acquire::Languages=none -o APT::Install-Recommends=false "$@"
}

which_are_there() {
	have=$needed
	for package in $wanted; do
		if apt_arm64 -s install "$package" >/dev/null 2>&1; then
			have="$have $package"
		else
			missing="$missing $package"
		fi
	done
}

# A mirror of amd64 alone, or one of another maker, may say no: what is missing then is said below.
fetch() {
	rm -rf "$top/apt" "$root.new"
	mkdir -p "$top/apt/state/lists/partial" "$top/apt/cache/archives/partial" "$root.new"
	: >"$top/apt/status"
	apt_arm64 update >"$top/apt/log" 2>&1 || true
	have="$needed $wanted" missing=
	# shellcheck disable=SC2086 # a list of words
	apt_arm64 -s install $have >/dev/null 2>&1 || which_are_there
	# shellcheck disable=SC2086
	if ! apt_arm64 -y --download-only install $have >>"$top/apt/log" 2>&1; then
		cat "$top/apt/log"
		echo "The libraries of arm64 can't be had from the mirrors of /etc/apt ($needed)."
		return 1
	fi
	for package in "$top"/apt/cache/archives/*.deb; do
		dpkg-deb -x "$package" "$root.new" || return 1
	done
	rm -rf "$root" "$top/apt"
	mv "$root.new" "$root"
	echo "$missing" >"$root/missing"
	echo "$key" >"$root/key"
}

# ---- the build ----

cross_file() {
	ccache=$(! command -v ccache >/dev/null || echo "'ccache', ")
	cat <<END
[binaries]
c = [$ccache'$triple-gcc']
ar = '$triple-gcc-ar'
nm = '$triple-nm'
strip = '$triple-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-aarch64', '-L', '$root', '-E', 'WEIR_EMULATED=qemu-user']
[built-in options]
c_args = ['--sysroot=$root']
c_link_args = ['--sysroot=$root']
[properties]
sys_root = '$root'
pkg_config_libdir = '$root/usr/lib/$triple/pkgconfig:$root/usr/share/pkgconfig'
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
}

# weir as a command, for tests that call it by name.
wrapper() {
	mkdir -p "$top/bin"
	cat >"$top/bin/weir" <<END
#!/bin/sh
exec qemu-aarch64 -L '$root' -E WEIR_EMULATED=qemu-user -0 "\$0" '$build/weir' "\$@"
END
	chmod +x "$top/bin/weir"
}

# ---- the tests ----

# Programs, which meson runs in the emulator; not scripts that run weir.
programs='^(unit|prop|fuzz|bad-input|conformance|waits|engine-pages|engines forbidden)'
# With 64 KiB pages what lays memory out.
paged="run-memory run-shared run-logs prepare-memory layout plan-values plan-scale engine-target engine-shim"
# A weir that starts itself (execve of /proc/self/exe) needs a kernel that runs arm64.
golden_not="cli-repeat cli-study"

failed=0

tests_programs() {
	echo "== programs"
	meson test -C "$build" --no-rebuild --list 2>/dev/null | sed 's/.* \/ //' |
		grep -E "$programs" | grep -vx 'waits frozen' >"$top/tests"
	xargs -d '\n' meson test -C "$build" --no-rebuild --print-errorlogs -t 4 <"$top/tests" ||
		failed=1
}

tests_paged() {
	echo "== with pages of 64 KiB"
	for name in $paged; do
		WEIR_DATA=$PWD/tests/data qemu-aarch64 -p 65536 -L "$root" \
			-E WEIR_EMULATED=qemu-user "$build/tests/unit/unit-$name" \
			>"$top/paged.log" 2>&1 && continue
		cat "$top/paged.log"
		echo "failed   unit-$name with pages of 64 KiB"
		failed=1
	done
}

# They run a script, which finds weir on PATH.  seed-run is the one that compares: offsets,
# sizes and data are those of x86-64.
tests_golden() {
	echo "== command lines"
	wrapper
	names=$(meson test -C "$build" --no-rebuild --list 2>/dev/null | sed -n 's/.* golden-//p')
	for name in $names; do
		case " $golden_not " in *" $name "*)
			echo "skipped  golden-$name: starts weir from weir, which qemu-user can't"
			continue
			;;
		esac
		sh tests/golden/run.sh "$name" "$top/bin" >"$top/golden.log" 2>&1 && continue
		cat "$top/golden.log"
		echo "failed   golden-$name"
		failed=1
	done
}

main() {
	# shellcheck disable=SC2086,SC2154 # a list of words, from packages.sh
	packages_install $packages_arm64
	key="$needed $wanted $(cat /etc/debian_version)"
	mkdir -p "$top"
	[ "$(cat "$root/key" 2>/dev/null)" = "$key" ] || {
		echo "fetching the libraries of arm64"
		fetch
	}
	missing=$(cat "$root/missing")
	[ -z "$missing" ] || echo "Left out, as the mirrors don't have it for arm64:$missing"
	cross_file >"$top/cross.new"
	cmp -s "$top/cross.new" "$top/cross" || rm -rf "$build"
	mv "$top/cross.new" "$top/cross"
	[ -f "$build/build.ninja" ] || meson setup "$build" --cross-file "$top/cross" --werror \
		--buildtype=debugoptimized -Db_ndebug=false >"$top/setup.log" 2>&1 || {
		cat "$top/setup.log"
		exit 1
	}
	ninja -C "$build"
	tests_programs
	tests_paged
	tests_golden
	[ $failed = 0 ] || exit 1
	echo "arm64: built, and its tests passed"
}
main
