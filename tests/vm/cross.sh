# cross: kinst for machines of other architectures: built by Debian's cross compilers, run by QEMU's user mode.
# To source after tests/lib.sh.
#
#	cross_need aarch64              skip when a tool for it is missing; sets what stands below
#	cross_build ompp libompp.la …   makes these; they are kept in the build folder.  Tests share them by a lock
#	cross_run PROGRAM WORD…         runs a program of that machine, for cross_seconds at most
cross_seconds=300

cross_need() {
	cross_machine=$1
	cross=$1-linux-gnu cross_qemu=qemu-$1
	[ "$1" != powerpc64le ] || cross_qemu=qemu-ppc64le
	cross_folder=$builddir/tests/vm/cross/$1
	# On 64-bit ARM functions begin with marks for branch targets, as distributions build them.
	cross_cc=$cross-gcc
	[ "$1" != aarch64 ] || cross_cc="$cross-gcc -mbranch-protection=standard"
	need $cross-gcc
	need $cross_qemu
	need flock
	[ -f /usr/$cross/include/stdio.h ] || skip "the C library's headers for $1 are not installed"
	[ -f "$($cross-gcc -print-file-name=libgomp.spec)" ] || skip "libgomp for $1 is not installed"
}

# MORE: words for configure.  Unit programs are linked with cmocka where a test says where it is (units.sh).
cross_make() {
	mkdir -p "$cross_folder"
	cd "$cross_folder" || return 1
	exec 8>lock
	flock 8
	# what was built by other words
	grep -q "CC=$cross_cc.*CMOCKA_LIBS" config.log 2>/dev/null || find . -mindepth 1 ! -name lock -delete
	# libtool takes a third less time by a shell that starts quickly, as in env/build.
	# shellcheck disable=SC2086
	[ -f Makefile ] || CONFIG_SHELL=/bin/sh /bin/sh "$srcdir/configure" -q --disable-static --host=$cross \
		--build="$(gcc -dumpmachine)" CC="$cross_cc" CFLAGS='-g0 -O1' PKG_CONFIG=false CMOCKA_CFLAGS=-pthread \
		CMOCKA_LIBS=-lcmocka $MORE || return 1
	env -u MAKEFLAGS -u MFLAGS make -s -j2 LIBTOOLFLAGS=--silent "$@"
}

cross_build() {
	(MORE=${MORE-} cross_make "$@") >build.log 2>&1 || { tail -20 build.log; fail "$* do not build for $cross_machine"; }
	! grep 'warning:' build.log || fail "there are warnings for $cross_machine"
	export KINST_LIBDIR="$cross_folder/.libs" KINST_INCLUDEDIR="$cross_folder/include"
}

cross_run() {
	cross_libraries=$cross_folder/.libs:/usr/$cross/lib
	timeout $cross_seconds $cross_qemu -L /usr/$cross -E LD_LIBRARY_PATH="$cross_libraries" "$@"
}
