# compilers: gcc, clang, g++, launchers and wrappers in front of them
. "$srcdir/tests/kinst/kinst.sh"
small_c a.c

check() {
	rm -f a.o
	"$kinst" "$@" -fopenmp -c a.c -o a.o || fail "$*"
	instrumented a.o
	echo "ok: $*"
}
# try COMMAND ARGUMENTS, where the command exists
try() {
	! command -v "$1" >/dev/null || check "$@"
}

check gcc
check env gcc
check "$(command -v gcc)"
try g++ -xc++
try clang
try clang++ -xc++
try gcc-12
try x86_64-linux-gnu-gcc-12
try mpicc
try mpicc.openmpi
try mpicxx -xc++
CCACHE_DIR=$work/cache
export CCACHE_DIR
try ccache gcc
try ccache clang
if command -v ccache >/dev/null && [ -x /usr/lib/ccache/gcc ]; then
	check /usr/lib/ccache/gcc
fi

# what is no compiler is run as it is, once; what CMake takes for tools of the compiler is there
"$kinst" ar qc liba.a a.o || fail "ar"
[ "$(ar t liba.a)" = a.o ] && [ ! -e -v ] && [ ! -e qc ] || fail "ar: $(ls)"
"$builddir/kinst-gcc-ar" qc libb.a a.o && "$builddir/kinst-gcc-ranlib" libb.a || fail "kinst-gcc-ar"
same "kinst-gcc-ar" liba.a libb.a
mkdir no_llvm
ln -s "$(command -v ar)" "$(command -v ranlib)" no_llvm/
PATH=$work/no_llvm "$builddir/kinst-llvm-ar" qc libc.a a.o && PATH=$work/no_llvm "$builddir/kinst-llvm-ranlib" libc.a ||
	fail "kinst-llvm-ar without LLVM's"
same "kinst-llvm-ar without LLVM's" liba.a libc.a

# g++ takes .c for C++
if command -v g++ >/dev/null; then
	echo 'template <class T> T f(T x) { _Pragma("omp atomic") x++; return x; } int g() { return f(1); }' >t.c
	"$kinst" g++ -fopenmp -c t.c
	instrumented t.o
fi

# without -fopenmp, or with what is no OpenMP, only user pragmas
cat >u.c <<'EOF'
int f(int x)
{
	if (x)
#pragma pomp inst begin(one)
		x++;
	else
		x--;
#pragma pomp inst end(one)
#pragma omp atomic
	x++;
	return x;
}
EOF
# clang rejects the omp spelling: kinst takes it away, also from what it falls back to and judges by
if command -v clang >/dev/null; then
	printf '%s\n' 'int h(int n) {' '#pragma omp inst begin(two)' '#pragma omp parallel' 'n++;' '#pragma omp inst end(two)' \
		'int unused;' 'return n; }' >inst.c
	"$kinst" --strict clang -Wall -fopenmp -DX -c inst.c 2>err
	grep -q "inst.c:6:.*unused variable 'unused'" err && ! grep -q 'expected an OpenMP' err || fail "omp inst: $(cat err)"
	instrumented inst.o
	mkdir broken
	printf '#!/bin/sh\necho "text.c:3: ERROR: wrong" >&2\n' >broken/opari2
	chmod +x broken/opari2
	PATH="$PWD/broken:$PATH" "$kinst" --engine=opari2 clang -fopenmp -c inst.c 2>err || fail "omp inst, not instrumented: $(cat err)"
	grep -q 'not instrumented' err || fail "omp inst is instrumented"
fi

for c in gcc clang; do
	command -v $c >/dev/null || continue
	for flags in "" -fopenmp-simd "-fopenmp -fno-openmp"; do
		"$kinst" --strict $c $flags -c a.c
		plain a.o
		"$kinst" --strict $c $flags -c u.c
		nm u.o | grep -q POMP2_Begin || fail "$c $flags: the user region is missing"
		! nm u.o | grep -q POMP2_Atomic || fail "$c $flags: OpenMP is instrumented"
	done
	"$kinst" --strict $c -fopenmp -c u.c
	nm u.o | grep -q POMP2_Begin && nm u.o | grep -q POMP2_Atomic || fail "$c -fopenmp"
done
# What wrappers for MPI answer themselves is what they answer without kinst.
for wrapper in mpicc mpicc.openmpi mpicc.mpich; do
	command -v $wrapper >/dev/null || continue
	for words in '-show a.c -fopenmp' '-show' '--showme' '--showme:compile' '-showme:link' '-compile-info' '-link-info'; do
		status=0
		$wrapper $words >want 2>&1 || status=$?
		echo $status >>want
		status=0
		"$kinst" $wrapper $words >got 2>&1 || status=$?
		echo $status >>got
		same "$wrapper $words" want got
	done
done
clean
