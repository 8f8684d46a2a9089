# autotools: CC=kinst-gcc ./configure with automake and libtool; what configure finds, what is rebuilt, make check
. "$srcdir/tests/systems/systems.sh"
need autoreconf
need libtoolize
mkdir src
cp "$project"/* "$srcdir"/tests/systems/project_autotools/* src/
chmod -R u+w src
(cd src && autoreconf -i >../autoreconf.log 2>&1) || { tail -20 autoreconf.log; fail "autoreconf"; }

for side in plain kinst; do
	prefix=
	[ $side = plain ] || prefix=kinst-
	mkdir build-$side
	(
		cd build-$side
		../src/configure CC=${prefix}gcc CXX=${prefix}g++ FC=${prefix}gfortran --prefix="$work/installed-$side" >configure.log 2>&1 ||
			{ tail -20 configure.log; fail "configure, $side"; }
		"$MAKE" -j2 check install >make.log 2>&1 || { tail -40 make.log; fail "make check, $side"; }
		sed 's/kinst-//' configure.log | grep '^checking' >../found-$side
		find . ! -name '*.log' | sort >../files-$side
		sleep 0.01
		touch ../src/work.h
		"$MAKE" 2>&1 | grep -o '[.][.]/src/[a-z]*[.][a-z0-9]*' | sort -u >../rebuilt-$side
	)
done
same "config.h" build-plain/config.h build-kinst/config.h
same "what configure finds" found-plain found-kinst
same "files of the build" files-plain files-kinst
[ "$(tr '\n' ' ' <rebuilt-plain)" = "../src/main.c ../src/work.c " ] || fail "built again: $(cat rebuilt-plain)"
same "what is built again" rebuilt-plain rebuilt-kinst
! grep '^kinst: ' build-kinst/make.log || fail "kinst has something to say"

# With access hooks a link has objects of kinst's own, which are gone after it: libtool does not keep them.
mkdir build-access
(
	cd build-access
	export KINST_FLAGS=--access
	../src/configure CC=kinst-gcc CXX=kinst-g++ FC=kinst-gfortran >configure.log 2>&1 ||
		{ tail -20 configure.log; fail "configure, with access hooks"; }
	"$MAKE" -j2 check >make.log 2>&1 || { tail -40 make.log; fail "make check, with access hooks"; }
	nm -D .libs/libhalves.so | grep -q ompp_ || fail "libhalves.so is not hooked"
)

cd src
# compare PROGRAM ARGUMENT…: prints the same from both builds; measured by the constructs of $sources
compare() {
	"$work/installed-plain/bin/$@" >"$work/plain.out" || fail "$*, plain"
	measured $sources -- "$work/installed-kinst/bin/$@"
	same "output of $1" "$work/plain.out" out
}
for program in c_shared c_static; do
	ldd "$work/installed-kinst/bin/$program" | grep -q libompp || fail "$program is not linked with libompp"
	sources="main.c work.c work.h" compare $program
done
sources="main.cpp halves.cpp sum.hpp" compare cxx
sources=whole.f90 compare fortran
# a plug-in of the one build does in the program of the other, by itself and both of them in turn
"$work/installed-plain/bin/load" "$work/installed-plain/lib/small/plug.so" >"$work/plain.out" || fail "load, plain"
for side in plain kinst; do
	measured plug.c -- "$work/installed-$side/bin/load" "$work/installed-kinst/lib/small/plug.so"
	same "output of load" "$work/plain.out" out
done
clean
