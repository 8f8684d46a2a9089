# meson: kinst as Meson's compiler, with gcc and clang; what a changed header makes Ninja build again
. "$srcdir/tests/systems/systems.sh"
need meson
need ninja
mkdir src
cp "$project"/* "$srcdir"/tests/systems/project_meson/* src/
chmod -R u+w src

# setup SIDE FAMILY ARGUMENT…: configure and build in build-SIDE; FAMILY: the C and C++ compilers.
setup() {
	side=$1 family=$2 prefix=
	shift 2
	[ $side = plain ] || prefix=kinst-
	rm -rf build-$side
	CC=$prefix${family% *} CXX=$prefix${family#* } FC=${prefix}gfortran meson setup build-$side src "$@" >setup-$side 2>&1 ||
		{ tail -20 setup-$side; fail "meson setup, $family, $side"; }
	ninja -C build-$side -j2 >build-$side.log 2>&1 || { tail -40 build-$side.log; fail "ninja, $family, $side"; }
	! grep '^kinst: ' build-$side.log || fail "kinst has something to say"
}

for family in "gcc g++" "clang clang++"; do
	setup plain "$family"
	setup kinst "$family"
	for side in plain kinst; do
		sed 's/kinst-//g; /^Build dir/d' setup-$side >found-$side
		sleep 0.01
		touch src/work.h src/shared.inc
		ninja -C build-$side -d explain -j1 2>&1 | sed -n 's/^\[.*\] \(Compiling .*\)/\1/p' | sort >rebuilt-$side
	done
	same "$family: what Meson finds" found-plain found-kinst
	grep -q main.c rebuilt-plain || fail "nothing is built again"
	same "$family: what is built again" rebuilt-plain rebuilt-kinst
	compare_builds c_static c_shared cxx fortran
done
