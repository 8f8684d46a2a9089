# measure: coverage, sanitizers and profiles of the compiler's own say of the original's lines what they do plainly
. "$srcdir/tests/systems/systems.sh"
OMP_NUM_THREADS=1
export OMP_NUM_THREADS
cat >sum.c <<'C'
#include <stdio.h>
static int part(int n)
{
	if (n > 5)
		return 1;
	return 0;
}
int main(void)
{
	int s = 0;
#pragma omp parallel reduction(+ : s)
	{
		int k = 0;
#pragma omp for
		for (int i = 0; i < 10; i++) {
			s += part(i);
			k++;
		}
		if (k > 100)
			s = -1;
#pragma omp critical
		{
			s++;
		}
	}
	printf("%d\n", s);
	return 0;
}
C
cp sum.c sum.cpp
cat >sum.f90 <<'F'
program sums
  implicit none
  integer :: i, s
  s = 0
!$omp parallel reduction(+ : s)
!$omp do
  do i = 1, 10
    if (i > 5) then
      s = s + 1
    end if
  end do
  if (s > 100) then
    s = -1
  end if
!$omp critical
  s = s + 1
!$omp end critical
!$omp end parallel
  print *, s
end program
F

# Counts of the lines with statements of the user alone: directives and braces have calls beside them.
counts() {
	gcov -t $1 2>/dev/null | sed -n 's/^ *\([^:]*\): *\([0-9]*\):\(.*\)/\2 \1 \3/p' |
		grep -v '^0 \|omp\|^[0-9]* [^ ]*[[:space:]]*[{}]*$' | awk '{ print $1, $2 }'
}
for compiler in gcc g++ gfortran; do
	case $compiler in
	gcc) source=sum.c ;;
	g++) source=sum.cpp ;;
	*) source=sum.f90 ;;
	esac
	for side in plain kinst; do
		mkdir $side
		(
			cd $side
			cp ../$source .
			run=
			[ $side = plain ] || run="$builddir/kinst"
			$run $compiler -fopenmp --coverage $source -o program
			./program >../$side.out || fail "$compiler --coverage, $side"
			counts program-*.gcda >../$side.counts
		)
	done
	same "$compiler --coverage: output" plain.out kinst.out
	[ "$(wc -l <plain.counts)" -gt 4 ] || fail "$compiler: gcov counts too little: $(cat plain.counts)"
	same "$compiler --coverage: counts of lines" plain.counts kinst.counts
	rm -r plain kinst
done
gcc -fopenmp sum.c -o plain && ./plain >plain.out

# clang's
"$builddir/kinst" clang -fopenmp --coverage sum.c -o program && ./program >out || fail "clang --coverage"
same "clang --coverage: output" plain.out out
[ -s sum.gcda ] || [ -s program-sum.gcda ] || fail "clang --coverage: $(ls)"

# sanitizers: of a wrong program the same finding at the same line, of a right one none
cat >wrong.c <<'C'
#include <stdlib.h>
int main(int argc, char **argv)
{
	int *p = malloc(4 * sizeof *p), s = 0;
	(void)argv;
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < 4; i++)
		s += i;
#pragma omp critical
	p[argc + 3] = s;
	s = 1 << (31 + argc);
	free(p);
	return 0;
}
C
finding() {
	sed -n 's/.*\(AddressSanitizer: [a-z-]*\).*/\1/p; s/.*\(runtime error: .*\)/\1/p; s/.*#[0-9]* .* in main.*\(wrong.c:[0-9]*\).*/\1/p; s/.*\(wrong.c:[0-9]*\):[0-9]*: runtime.*/\1/p' "$1"
}
for compiler in gcc clang; do
	$compiler -g -fopenmp -fsanitize=address,undefined wrong.c -o plain
	"$builddir/kinst" --strict $compiler -g -fopenmp -fsanitize=address,undefined wrong.c -o program || fail "$compiler -fsanitize"
	p=0 k=0
	./plain 2>plain.said || p=$?
	./program 2>program.said || k=$?
	[ $p = $k ] && [ $p != 0 ] || fail "$compiler -fsanitize=address,undefined: status $p and $k"
	finding plain.said >plain.finding
	finding program.said >program.finding
	grep -q wrong.c:10 plain.finding || fail "$compiler: no finding: $(cat plain.said)"
	same "$compiler -fsanitize=address,undefined" plain.finding program.finding
	"$builddir/kinst" --strict $compiler -g -fopenmp -fsanitize=address,undefined sum.c -o program || fail "$compiler -fsanitize"
	ASAN_OPTIONS=detect_leaks=0 measured sum.c -- ./program
	same "$compiler -fsanitize: output" plain.out out
done
"$builddir/kinst" --strict gcc -g -fopenmp -fsanitize=thread sum.c -o program || fail "-fsanitize=thread"
TSAN_OPTIONS=exitcode=0 measured sum.c -- ./program
same "-fsanitize=thread: output" plain.out out

# gprof's
"$builddir/kinst" --strict gcc -pg -fopenmp sum.c -o program || fail "-pg"
measured sum.c -- ./program
same "-pg: output" plain.out out
[ -s gmon.out ] || fail "-pg: no gmon.out"
# profile-guided optimisation by kinst in both steps
"$builddir/kinst" --strict gcc -O2 -fprofile-generate -fopenmp sum.c -o program && ./program >out || fail "-fprofile-generate"
"$builddir/kinst" --strict gcc -O2 -fprofile-use -Wmissing-profile -Werror -fopenmp sum.c -o program || fail "-fprofile-use"
measured sum.c -- ./program
same "-fprofile-use: output" plain.out out
clean
