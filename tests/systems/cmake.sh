# cmake: kinst as CMake's compiler, with make or with Ninja in turn, for all kinds of libraries
. "$srcdir/tests/systems/cmake_project.sh"

for generator in "Unix Makefiles" Ninja; do
	in_part 2 || continue
	rm -rf build-*
	for side in plain kinst; do
		prefix=
		[ $side = plain ] || prefix=$builddir/kinst-
		configure $side -G "$generator" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=${prefix}gcc \
			-DCMAKE_CXX_COMPILER=${prefix}g++ -DCMAKE_Fortran_COMPILER=${prefix}gfortran
		cmake --build build-$side -j2 >build-$side.log 2>&1 || { tail -20 build-$side.log; fail "$generator, $side"; }
		# what CMake finds out about the compiler is the same
		sed -n 's/^-- \(The\|Found\|Performing Test\)/&/p' configure-$side >found-$side
	done
	[ -s found-plain ] || fail "$generator: nothing was found"
	same "$generator: what configure finds" found-plain found-kinst
	compare_builds c_static c_shared c_object cxx fortran
	cmake --build build-kinst -j2 >again.log 2>&1 || fail "$generator: built again"
	! grep -q 'Building' again.log || fail "$generator: built again: $(cat again.log)"
	# a changed header: what includes it is compiled, and nothing else
	for side in plain kinst; do
		sleep 0.01
		touch src/work.h
		cmake --build build-$side -j1 2>&1 | sed -n 's/.*\(Building .*\)/\1/p' | sort >rebuilt-$side
	done
	[ -s rebuilt-plain ] || fail "nothing is built again"
	same "$generator: what is built again" rebuilt-plain rebuilt-kinst
done
