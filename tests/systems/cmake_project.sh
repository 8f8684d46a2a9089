# cmake_project.sh: what the tests of CMake share.  To source: . "$srcdir/tests/systems/cmake_project.sh"
. "$srcdir/tests/systems/systems.sh"
need cmake
need ninja
cp -r "$project" src
chmod -R u+w src

# configure SIDE ARGUMENT…: into build-SIDE; what is said is in configure-SIDE.
configure() {
	side=$1
	shift
	cmake -S src -B build-$side "$@" >configure-$side 2>&1 || { tail -20 configure-$side; fail "cmake $*, $side"; }
}

# compare: the programs of both sides print the same, and those of kinst have all constructs.
compare() {
	for program in c_static c_shared c_object cxx fortran; do
		build-plain/$program >plain.out || fail "$program, plain"
		case $program in
		c_*) set -- src/main.c src/work.c src/work.h ;;
		cxx) set -- src/main.cpp src/halves.cpp src/sum.hpp ;;
		*) set -- src/main.F90 src/area_whole.f90 ;;
		esac
		measured "$@" -- build-kinst/$program
		same "output of $program" plain.out out
	done
	build-plain/load build-plain/libplug.so >plain.out
	measured src/plug.c -- build-kinst/load build-kinst/libplug.so
	same "output of load" plain.out out
	clean
}
