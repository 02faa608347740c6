# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
# A front for meson and ninja; everything is done there.
#
#   make              a release in build/
#   make check        the quick tests: a minute, no root, no device
#   make asan ubsan tsan   the quick tests with a sanitizer (CC=clang for the other compiler)
#   make valgrind     unit tests and laws under valgrind
#   make arm64        cross-build for arm64, quick tests under qemu-user (fetches 25 MB once)
#   make tidy         clang-tidy and cppcheck
#   make format       clang-format, in place
#   make fuzz T=job   fuzz one parser (answers, import, job, machine, resume, spec, state, study,
#                     trace, words) for S=60 s (clang)
#   make cov          coverage of the quick tests (needs gcovr)
#   make bench        against the fio on PATH; A=PATH compares with another weir too
#   make install      PREFIX=/usr/local DESTDIR=; FIO=1 adds a link `fio`
#   make clean
# ./check runs everything.

PREFIX  ?= /usr/local
T       ?= job
S       ?= 60
SOURCES  = $(shell find src tests -name '*.c')
HEADERS  = $(shell find src tests -name '*.h')
TESTED   = meson test --print-errorlogs --suite quick -C

all: build/build.ninja
	@ninja -C build

build/build.ninja:
	meson setup build --buildtype=release --prefix=$(PREFIX)

check: build-check/build.ninja
	@ninja -C build-check
	@$(TESTED) build-check --no-rebuild

build-check/build.ninja:
	meson setup build-check --werror --buildtype=debugoptimized -Db_ndebug=false

# One folder per sanitizer and compiler.
SAN = $@-$(notdir $(CC))
asan ubsan tsan:
	@test -f build-$(SAN)/build.ninja || meson setup build-$(SAN) --buildtype=debug \
		-Db_ndebug=false -Db_lundef=false \
		-Db_sanitize=$(if $(filter asan,$@),address,$(if $(filter ubsan,$@),undefined,thread))
	@ninja -C build-$(SAN)
	@UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 $(TESTED) build-$(SAN) --no-rebuild

valgrind: build-check/build.ninja
	@ninja -C build-check
	@set -e; for t in $$(find build-check/tests/unit build-check/tests/prop -maxdepth 1 \
		-type f -perm -u+x); do \
		echo "$$t"; valgrind -q --error-exitcode=1 --leak-check=full "$$t"; done

arm64:
	@sh tools/arm64.sh

# cppcheck 2.10 can't read statement expressions, hexadecimal floats and cleanup attributes.
tidy: build/build.ninja
	@printf '%s\n' $(filter src/%,$(SOURCES)) | xargs -P $$(nproc) -n 8 clang-tidy -p build --quiet
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
		--suppress=missingIncludeSystem --suppress=internalAstError \
		--suppress=incorrectLogicOperator --suppress=memleak --suppress=uninitvar \
		--error-exitcode=1 -Isrc -Ibuild src

format:
	@clang-format -i $(SOURCES) $(HEADERS)

# The libraries are instrumented too; only the fuzz program has libFuzzer's main.
DATA_answers = tests/data/smartctl
DATA_import  = tests/data/import tests/data/dd
DATA_machine = tests/data/sys
fuzz:
	@test -f build-fuzz/build.ninja || CC=clang meson setup build-fuzz --buildtype=debugoptimized \
		-Db_ndebug=false -Db_lundef=false -Db_sanitize=address,undefined -Dfuzz=true \
		-Dc_args=-fsanitize=fuzzer-no-link
	@ninja -C build-fuzz tests/fuzz/fuzz-$(T)
	@mkdir -p build-fuzz/corpus-$(T)
	build-fuzz/tests/fuzz/fuzz-$(T) -max_total_time=$(S) build-fuzz/corpus-$(T) \
		tests/fuzz/corpus/$(T) $(DATA_$(T))

cov:
	@test -f build-cov/build.ninja || meson setup build-cov --buildtype=debug -Db_coverage=true
	@ninja -C build-cov
	@$(TESTED) build-cov --no-rebuild
	@gcovr --root . --filter src/ --print-summary build-cov

bench: all
	@python3 tests/bench/bench.py --weir build/weir $(if $(A),--against $(A)) --json build/bench.json

install: all
	@meson configure build -Dprefix=$(PREFIX)
	@DESTDIR='$(DESTDIR)' meson install -C build
	@$(if $(FIO),ln -sf weir '$(DESTDIR)$(PREFIX)/bin/fio',:)

clean:
	rm -rf build build-*

.PHONY: all check asan ubsan tsan valgrind arm64 tidy format fuzz cov bench install clean
