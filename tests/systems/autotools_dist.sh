# autotools_dist: make distcheck with kinst as the compiler
. "$srcdir/tests/systems/systems.sh"
need autoreconf
need libtoolize
mkdir src
cp "$project"/* "$srcdir"/tests/systems/project_autotools/* src/
chmod -R u+w src
cd src
autoreconf -i >autoreconf.log 2>&1 || { tail -20 autoreconf.log; fail "autoreconf"; }
./configure CC=kinst-gcc CXX=kinst-g++ FC=kinst-gfortran >configure.log 2>&1 || { tail -20 configure.log; fail "configure"; }
"$MAKE" -j2 distcheck DISTCHECK_CONFIGURE_FLAGS="CC=kinst-gcc CXX=kinst-g++ FC=kinst-gfortran" >dist.log 2>&1 ||
	{ tail -40 dist.log; fail "make distcheck"; }
[ -s small-1.0.tar.gz ] || fail "no archive"
clean
