# operations: kinst --work counts the operations that code executes: as programs of chance count their own without
# optimisation, as callgrind sees them executed with it; in each region, by kind and precision, by gcc, clang and gfortran;
# alone and with accesses; what it cannot count, it says.  Each time a half of the programs, and a third of the builds of
# kernels.
. "$srcdir/tests/lib.sh"
need python3
operations="python3 $srcdir/tests/work/operations.py"
kinst=$builddir/kinst
ompp=$builddir/ompp
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_WAIT_POLICY=passive
parts=flops,flops_single,flops_double,flops_other,flops_add,flops_mul,flops_div,flops_sqrt,flops_vector,float_compares
parts=$parts,float_conversions,math_calls,intops,intops_mul,intops_div
skipped=

# measure PROGRAM COUNTERS: leaves its profile in profile.json.
measure() {
	rm -rf out
	OMPP_OUTDIR=out OMPP_CTR=$2 "./$1" >said 2>&1 || { cat said; fail "$1: status $?"; }
	"$ompp" report --format=json out/*.ompp >profile.json
}

# counted PROGRAM FUNCTIONS: prints the floating-point operations that a processor executes in these functions.
counted() {
	valgrind --tool=callgrind --dump-instr=yes --callgrind-out-file=callgrind "./$1" >/dev/null 2>&1 || fail "$1: callgrind"
	$operations executed "$1" callgrind "$2"
}

executes=
[ "$(uname -m)" = x86_64 ] && command -v valgrind >/dev/null && executes=1
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	"$kinst" --work --verbose $compiler -c -o none.o -x c /dev/null 2>said || { cat said; fail "$compiler: --work"; }
	grep -q 'operations are counted by .*loops_' said || { skipped="$skipped $compiler"; continue; }
	for seed in 1 2 $$; do
		in_part 2 || continue
		$operations make "$seed" >g.c
		$compiler -w -O0 -fopenmp -DTELL g.c -o g -lm
		./g >lines
		for option in '' --access; do
			"$kinst" --work $option $compiler -w -O0 -fopenmp g.c -o w -lm || fail "$compiler $option: seed $seed"
			measure w $parts
			$operations told lines profile.json || fail "$compiler -O0 $option: seed $seed: counts differ"
		done
		[ "$executes" ] && [ $seed != $$ ] || continue
		# as GCC and LLVM have them before loops become vectors; LLVM then saves some: its code generator moves them
		# to the branch that needs them, unless it may not, and a few are simplified
		scalar=-fno-tree-vectorize
		[ $compiler = gcc ] || scalar='-fno-vectorize -fno-slp-vectorize -mllvm -disable-machine-sink'
		$compiler -w -O2 $scalar -no-pie -fopenmp g.c -o g -lm
		want=$(counted g '^(work|part|other)')
		"$kinst" --work $compiler -w -O2 $scalar -fopenmp g.c -o w -lm || fail "$compiler: seed $seed"
		measure w flops
		got=$($operations total profile.json flops PARALLEL)
		most=$want
		[ $compiler = gcc ] || most=$((want + want / 50))
		[ "$got" -ge "$want" ] && [ "$got" -le $most ] && [ "$got" -gt 0 ] ||
			fail "$compiler -O2: seed $seed: $got, executed $want"
	done
done

# kernels: by formulas, the same with vectors, alone and with accesses
cat >kernels.c <<'END'
#include <stdio.h>
#include <stdlib.h>
enum { N = 120 };
static double a[N][N], b[N][N], c[N][N];
static float f[N * N];
int main(void)
{
	double sum = 0;
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = i;
			b[i][j] = j;
			f[i * N + j] = 1;
		}
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double s = 0;
			for (int k = 0; k < N; k++)
				s += a[i][k] * b[k][j];
			c[i][j] = s;
		}
#pragma omp parallel for num_threads(2) schedule(dynamic, 7)
	for (int i = 0; i < N * N; i++)
		f[i] = f[i] * 3 + 1;
#pragma omp parallel for simd num_threads(2)
	for (int i = 0; i < N * N; i++)
		f[i] = f[i] / 3;
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < N; i++)
#pragma omp task
		for (int j = 0; j <= i; j++)
			c[i][j] -= 1;
	for (int i = 0; i < N; i++)
		sum += c[i][i] + f[i];
	printf("%g\n", sum);
	return 0;
}
END
cat >kernels.f90 <<'END'
program kernels
  implicit none
  integer, parameter :: n = 120
  double precision, allocatable :: a(:, :), b(:, :), c(:, :)
  real :: f(n * n)
  integer :: i, j, k
  allocate (a(n, n), b(n, n), c(n, n))
  !$omp parallel do num_threads(2)
  do j = 1, n
    a(:, j) = 1
    b(:, j) = 2
    c(:, j) = 0
  end do
  !$omp parallel do num_threads(2)
  do j = 1, n
    do k = 1, n
      do i = 1, n
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
  f = 1
  !$omp parallel do num_threads(2) schedule(dynamic, 7)
  do i = 1, n * n
    f(i) = f(i) * 3 + 1
  end do
  !$omp parallel do simd num_threads(2)
  do i = 1, n * n
    f(i) = f(i) / 3
  end do
  !$omp parallel num_threads(2)
  !$omp single
  do j = 1, n
    !$omp task private(i) firstprivate(j)
    do i = 1, j
      c(i, j) = c(i, j) - 1
    end do
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  print *, sum(c), f(1)
end program
END
cube=$((2 * 120 * 120 * 120))
square=$((120 * 120))
for compiler in gcc clang gfortran; do
	command -v $compiler >/dev/null || continue
	source=kernels.c
	[ $compiler != gfortran ] || source=kernels.f90
	case $skipped in *$compiler*) continue ;; esac
	for level in -O0 -O2 -O3; do
		$compiler $level -fopenmp $source -o plain
		./plain >want
		for option in '' --access; do
			in_part 3 || continue
			"$kinst" --work $option $compiler $level -fopenmp $source -o w || fail "$compiler $level $option"
			measure w flops,flops_single,intops
			same "$compiler $level $option: output" want said
			$operations kernels profile.json 0 $cube $((2 * square)) $square 0 $((120 * 121 / 2)) ||
				fail "$compiler $level $option: kernels"
		done
	done
done

# what is not counted is said
cat >other.c <<'END'
double other(double x) { return x * 2; }
END
"$kinst" gcc -c other.c
"$kinst" --work gcc -O2 -fopenmp kernels.c other.o -o w
OMPP_QUIET=0 OMPP_OUTDIR=said2 OMPP_WORK=1 ./w >/dev/null 2>said
grep -q '1 of 2 files do not count their operations (other.o); build them with kinst --work' said || { cat said; fail "other.o is not named"; }
"$ompp" report said2/*.ompp >report
grep -q 'of code built with kinst --work, not of libraries' report || fail "the report does not say what is counted"
"$kinst" gcc -O2 -fopenmp kernels.c -o n
OMPP_QUIET=0 OMPP_WORK=1 ./n >/dev/null 2>said
grep -q 'OMPP_WORK=flops: not counted: the program does not count its operations; build it with kinst --work' said ||
	{ cat said; fail "a program without --work"; }
"$kinst" --work gcc -O2 --coverage -c other.c -o covered.o 2>said
grep -q 'other.c: operations are not counted: coverage is asked for' said || { cat said; fail "coverage"; }
"$ompp" counters >said || fail "ompp counters"
grep -q '^  flops_double  ' said || fail "ompp counters does not list the parts"
[ ! "$skipped" ] || echo "no plug-in:$skipped"
