# ways: --verbose says by which compiler and engine each source is measured, and what counts its accesses; compilers that
# this machine cannot have are known by their names and answers, and get their words as they are
. "$srcdir/tests/kinst/kinst.sh"
need gfortran
printf '%s\n' 'int f(int *a, int n) {' 'int s = 0;' '#pragma omp parallel for reduction(+:s)' \
	'for (int i = 0; i < n; i++) s += a[i];' 'return s; }' >a.c
printf '%s\n' 'int g(int n) { return n; }' >none.c
printf '%s\n' 'subroutine s(n)' 'integer n' '!$omp parallel' '!$omp atomic' 'n = n + 1' '!$omp end parallel' 'end' >a.f90
cp a.c a.cpp

# way SOURCE WHAT COMMAND…: kinst says so of the source, once.
way() {
	source=$1
	what=$2
	shift 2
	"$kinst" --verbose "$@" 2>steps || fail "$*: $(cat steps)"
	[ "$(grep -cxF "kinst: $source: $what" steps)" = 1 ] || fail "$*: not '$what': $(grep '^kinst: ' steps)"
}

# Each gcc and clang that is here: its own name and version, and its plug-in or why there is none.
for compiler in gcc gcc-11 gcc-12 g++ g++-11 gfortran clang clang++ clang-13 clang-14 clang-15 clang-16 clang-19 clang-22; do
	command -v $compiler >/dev/null || continue
	version=$($compiler -dumpfullversion 2>/dev/null) || version=$($compiler -dumpversion)
	case $compiler in
	clang*) name=clang ;;
	*) name=gcc ;;
	esac
	case $compiler in
	gfortran) source=a.f90 language=Fortran ;;
	*++*) source=a.cpp language=C++ ;;
	*) source=a.c language=C ;;
	esac
	way $source "$language by $name $version: calls by the engine kinst" $compiler -fopenmp -c $source
	plugin=$(ls "$builddir"/.libs/kinst/loops_*"$(echo "$version" | tr . _)"_*.so 2>/dev/null | head -n 1) || :
	if [ "$plugin" ]; then
		grep -qF "kinst: $source: accesses are not counted; whole loops could be by $builddir" steps || fail "$compiler: $(cat steps)"
	fi
	KINST_LIBDIR=$work/none HOME=$work way $source 'accesses are not counted; there is no plug-in for whole loops' $compiler -fopenmp -c $source
	way $source "$language by $name $version: it has nothing to measure, and is compiled as it is" \
		$compiler -Wno-unknown-pragmas -c $source
done
way a.c "C by gcc $(gcc -dumpfullversion): calls by the engine opari2" --engine=opari2 gcc -fopenmp -c a.c
way none.c "C by gcc $(gcc -dumpfullversion): it gets no calls" --access gcc -O2 -fopenmp -c none.c
way none.c 'accesses are counted by hooks: --access=source is given' --access=source gcc -O2 -fopenmp -c none.c
way a.c 'accesses are counted by hooks: nothing is optimised' --access gcc -fopenmp -c a.c none.c

# stand_in NAME COMPILER ANSWER: a compiler of this name, which answers so to -v and --version, and takes its own options.
mkdir bin
stand_in() {
	printf '%s\n' "$3" >"bin/$1.answer"
	cat >"bin/$1" <<S
#!/bin/sh
case \$1 in -v | --version) cat "$work/bin/$1.answer" >&2; exit 0 ;; esac
for word; do
	shift
	case \$word in -qopenmp | -mp | -mp=* | -fiopenmp) word=-fopenmp ;; esac
	set -- "\$@" "\$word"
done
exec $2 "\$@"
S
	chmod +x "bin/$1"
}
oneapi='Intel(R) oneAPI DPC++/C++ Compiler 2024.0.0 (2024.0.0.20231017)
Target: x86_64-unknown-linux-gnu
Thread model: posix'
nvidia='nvc 24.5-1 64-bit target on x86-64 Linux -tp zen2 
NVIDIA Compilers and Tools
Copyright (c) 2024, NVIDIA CORPORATION & AFFILIATES.  All rights reserved.'
stand_in icx gcc "$oneapi"
stand_in icpx g++ "$oneapi"
stand_in ifx gfortran 'ifx (IFX) 2024.0.0 20231017
Copyright (C) 1985-2023 Intel Corporation. All rights reserved.'
stand_in nvc gcc "$nvidia"
stand_in nvc++ g++ "$nvidia"
stand_in nvfortran gfortran "$nvidia"
stand_in nvc-24 gcc ''
stand_in wrapped-intel gcc "$oneapi"
stand_in wrapped-nvidia gcc "$nvidia"
stand_in armclang gcc 'Arm C/C++/Fortran Compiler version 23.10 (build number 16) (based on LLVM 17.0.0)'
PATH=$work/bin:$PATH

# passed SOURCE WHOSE COMMAND…: it gets its words, the object is the plain one, and kinst says so in one sentence; where
# nothing asks for OpenMP, with --verbose alone.
passed() {
	source=$1
	whose=$2
	shift 2
	for front in '' env; do
		rm -f plain.o ours.o
		"$@" -c $source -o plain.o
		"$kinst" $front "$@" -c $source -o ours.o 2>said || fail "$*: $(cat said)"
		same "$*: object" plain.o ours.o
		echo "kinst: ${front:-$1}: passed on as it is: ${whose}not a compiler that kinst knows, so nothing is measured; use" \
			"gcc, gfortran or clang" >want
		same "$*: sentence" want said
	done
	"$kinst" $1 -mprefer-vector-width=256 -c $source -o ours.o 2>said
	[ ! -s said ] || fail "$1 without OpenMP: $(cat said)"
	"$kinst" --verbose $1 -c $source -o ours.o 2>said
	same "$1 --verbose" want.verbose said
}
for row in "a.c:it is Intel's, :icx -qopenmp" "a.c:it is Intel's, :icx -fiopenmp" "a.c:it is Intel's, :icx -fopenmp" \
	"a.cpp:it is Intel's, :icpx -qopenmp" "a.f90:it is Intel's, :ifx -qopenmp" "a.c:it is NVIDIA's, :nvc -mp" \
	"a.c:it is NVIDIA's, :nvc -mp=multicore" "a.cpp:it is NVIDIA's, :nvc++ -mp" "a.f90:it is NVIDIA's, :nvfortran -mp" \
	"a.c:it is NVIDIA's, :nvc-24 -mp" "a.c:it is Intel's, :wrapped-intel -qopenmp" \
	"a.c:it is NVIDIA's, :wrapped-nvidia -mp" "a.c::armclang -fopenmp"; do
	command=${row##*:}
	rest=${row%:*}
	whose=${rest#*:}
	echo "kinst: ${command% *}: passed on as it is: ${whose}not a compiler that kinst knows, so nothing is measured; use" \
		"gcc, gfortran or clang" >want.verbose
	passed "${rest%%:*}" "$whose" $command
done

# AMD's clang is clang, and measured; its flang of before LLVM's answers as its clang does, and hands Fortran on, as clang
# does.
if command -v clang >/dev/null; then
	stand_in amdclang clang 'AMD clang version 17.0.6 (CLANG: AOCC_5.0.0-Build#1377 2024_09_24)
Target: x86_64-unknown-linux-gnu
Thread model: posix
InstalledDir: /opt/AMD/aocc/bin'
	cp bin/amdclang.answer bin/flang.answer
	sed 's/amdclang/flang/; s/exec clang/exec gfortran/' bin/amdclang >bin/flang
	chmod +x bin/flang
	way a.c 'C by clang 17.0.6: calls by the engine kinst' amdclang -fopenmp -c a.c
	instrumented a.o
	KINST_FLAGS=--access way a.c 'accesses are counted by hooks: there is no plug-in for this clang; kinst --build-plugin builds it' \
		amdclang -O2 -fopenmp -c a.c
	for compiler in flang clang; do
		$compiler -fopenmp -c a.f90 -o plain.o
		way a.f90 "Fortran by clang $([ $compiler = flang ] && echo 17.0.6 || clang -dumpversion): it is compiled as it is" \
			$compiler -fopenmp -c a.f90 -o ours.o
		same "$compiler" plain.o ours.o
		"$kinst" $compiler -fopenmp -c a.f90 2>said
		echo "kinst: a.f90: not instrumented: this compiler hands Fortran to another one; use that, gfortran or LLVM's flang;" \
			"the plain code is used" >want
		same "$compiler: sentence" want said
		"$kinst" $compiler -c a.f90 2>said
		[ ! -s said ] || fail "$compiler without OpenMP: $(cat said)"
	done
	"$kinst" clang -fopenmp -c a.f90 a.c 2>said
	same 'Fortran beside C' want said
	instrumented a.o
fi
clean
