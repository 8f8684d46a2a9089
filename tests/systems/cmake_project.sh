# cmake_project.sh: what the tests of CMake share.  To source: . "$srcdir/tests/systems/cmake_project.sh"
. "$srcdir/tests/systems/systems.sh"
need cmake
need ninja
cp -r "$project" src
chmod -R u+w src

# configure SIDE ARGUMENT…: configures in build-SIDE; its messages go to configure-SIDE.
configure() {
	side=$1
	shift
	cmake -S src -B build-$side "$@" >configure-$side 2>&1 || { tail -20 configure-$side; fail "cmake $*, $side"; }
}
