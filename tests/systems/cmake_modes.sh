# cmake_modes: precompiled headers, unity builds, link-time optimisation, and kinst as a launcher
. "$srcdir/tests/systems/cmake_project.sh"

configure plain -G Ninja
cmake --build build-plain -j2 >build.log 2>&1 || { tail -20 build.log; fail "plain"; }

# mode NAME ARGUMENT…: a build by kinst with the arguments
mode() {
	name=$1
	shift
	rm -rf build-kinst
	configure kinst -G Ninja "$@"
	cmake --build build-kinst -j2 >build.log 2>&1 || { tail -20 build.log; fail "$name"; }
	! grep '^kinst: ' build.log || fail "$name: kinst has something to say"
	compare_builds c_static c_shared c_object cxx fortran
}

gcc="-DCMAKE_C_COMPILER=$builddir/kinst-gcc -DCMAKE_CXX_COMPILER=$builddir/kinst-g++"
clang="-DCMAKE_C_COMPILER=$builddir/kinst-clang -DCMAKE_CXX_COMPILER=$builddir/kinst-clang++"
fortran="-DCMAKE_Fortran_COMPILER=$builddir/kinst-gfortran"

mode "gcc, precompiled headers, unity" $gcc $fortran -DPCH=ON -DCMAKE_UNITY_BUILD=ON
mode "gcc, link-time optimisation" $gcc $fortran -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON
grep -rq "gcc-ar" build-kinst --include="*.ninja" || fail "no archiver for link-time optimisation"
mode "clang, precompiled headers" $clang $fortran -DPCH=ON
[ -s build-kinst/CMakeFiles/cxx.dir/cmake_pch.hxx.pch ] || fail "no precompiled header"

# a launcher compiles; what links is to be told to start the same
launcher="-DCMAKE_C_COMPILER_LAUNCHER=$builddir/kinst -DCMAKE_CXX_COMPILER_LAUNCHER=$builddir/kinst"
linker="-DCMAKE_C_LINKER_LAUNCHER=$builddir/kinst -DCMAKE_CXX_LINKER_LAUNCHER=$builddir/kinst"
mode "launcher" $launcher $linker $fortran
