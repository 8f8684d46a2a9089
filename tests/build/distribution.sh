#!/bin/sh
# distribution: the distribution has each file that the repository has, builds from a read-only source, installs and passes
# some tests.  It is compiled without optimisation, which is much quicker: the other builds test the code.
# Usage: tests/build/distribution.sh BUILD-FOLDER
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1
CONFIG_SHELL=/bin/sh make -s -C "$build" "-j$(getconf _NPROCESSORS_ONLN)" distcheck \
	DISTCHECK_CONFIGURE_FLAGS='CFLAGS=-O0 CXXFLAGS=-O0' \
	TESTS="tests/kinst/kinst.sh tests/build/install.sh tests/examples/matvec.sh" || exit 1
[ -d .git ] || exit 0
tar tf "$build"/kinst-*.tar.xz | sed 's,^[^/]*/,,' | sort >"$build/distributed"
git ls-files | grep -v '^\.' | sort | comm -23 - "$build/distributed" >"$build/forgotten"
sed 's/$/: not in the distribution/' "$build/forgotten"
[ ! -s "$build/forgotten" ]
