# unmeasured: the report says how many constructs of how many files are not measured, and which; the program knows it itself
. "$srcdir/tests/lib.sh"
need gfortran
need clang
need g++

# An atomic in a simd loop cannot have calls.
cat >once.h <<'H'
static inline int once(int n)
{
	int sum = 0;
#pragma omp simd
	for (int i = 0; i < n; i++) {
#pragma omp atomic
		sum += i;
	}
	return sum;
}
H
printf '%s\n' '#include "once.h"' 'int other(void) { return once(5); }' >other.c
cat >main.c <<'C'
#include <stdio.h>
#include "once.h"
int other(void);
int main(void)
{
	int sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
	for (int i = 0; i < 10; i++) {
#pragma omp atomic
		sum += i;
	}
#pragma omp parallel
	;
	printf("%d\n", sum + once(5) + other());
	return 0;
}
C
cat >part.f90 <<'F'
subroutine part(n, k)
  integer :: n, k, i
  !$omp simd
  do i = 1, n
    !$omp atomic
    k = k + i
  end do
end subroutine
F
cat >main.f90 <<'F'
program main
  integer :: k
  k = 0
  call part(3, k)
  !$omp parallel
  !$omp end parallel
  print *, k
end program
F

# unmeasured PROGRAM: what its report says.
unmeasured() {
	OMPP_REPORTFILE=$PWD/report.txt OMPP_QUIET=1 "$@" >/dev/null
	sed -n 's/^Not Measured *: //p' report.txt
}

for compiler in gcc clang g++ 'gcc -pipe' 'gcc -flto -O2' 'gcc -static -s' 'clang -Wl,--gc-sections -ffunction-sections -s'; do
	kinst $compiler -fopenmp main.c -c -o main.o 2>err || fail "$compiler: $(cat err)"
	grep -q '^kinst: main.c:9: atomic: not measured: ' err || fail "$compiler says: $(cat err)"
	kinst $compiler -fopenmp main.c other.c -o program 2>err || fail "$compiler: $(cat err)"
	[ "$(unmeasured ./program)" = "2 constructs of 2 files" ] || fail "$compiler: $(cat report.txt)"
	tr -s '\n ' '  ' <report.txt | grep -q "not measured: $PWD/once.h:6: atomic: nothing can be called" || fail "$compiler: $(cat report.txt)"
	ompp regions program >list
	[ "$(grep -c "^not measured: $PWD/" list)" = 2 ] || fail "$compiler: $(cat list)"
done

for words in '' -pipe; do
	kinst gfortran $words -fopenmp -c part.f90 -o part.o 2>err || fail "gfortran $words: $(cat err)"
	kinst gfortran $words -fopenmp main.f90 part.o -o program || fail "gfortran $words"
	[ "$(unmeasured ./program)" = "1 construct of 1 file" ] || fail "gfortran $words: $(cat report.txt)"
done
# with -flto it is named at the compile alone, and nothing else is said
kinst gfortran -flto -fopenmp -c part.f90 -o part.o 2>err || fail "-flto: $(cat err)"
kinst gfortran -flto -fopenmp main.f90 part.o -o program 2>>err
[ "$(grep -vc 'lto-wrapper: note' err)" = 1 ] || fail "-flto: $(cat err)"
OMPP_REPORTFILE=none ./program >/dev/null || fail "-flto: status"

kinst gfortran -fopenmp -S part.f90 -o part.s 2>/dev/null
kinst gfortran -fopenmp main.f90 part.s -o program
[ "$(unmeasured ./program)" = "1 construct of 1 file" ] || fail "gfortran -S: $(cat report.txt)"

# archives and shared libraries; what is measured whole, or left out on purpose, says nothing
kinst gcc -fopenmp -fPIC -c other.c -o other.o 2>/dev/null
ar rcs libother.a other.o
kinst gcc -fopenmp -shared other.o -o libother.so
printf '%s\n' 'int other(void);' 'int main(void) {' '#pragma omp parallel' ';' 'return other() != 10; }' >user.c
kinst gcc -fopenmp user.c libother.a -o program 2>err
[ ! -s err ] || fail "a program with an archive: $(cat err)"
[ "$(unmeasured ./program)" = "1 construct of 1 file" ] || fail "archive: $(cat report.txt)"
ompp regions libother.a >list 2>&1 || :
grep -q "^not measured: $PWD/once.h:6: atomic: " list || fail "ompp regions of an archive: $(cat list)"
kinst gcc -fopenmp user.c -L. -lother -Wl,-rpath,"$PWD" -o program
[ "$(unmeasured ./program)" = "1 construct of 1 file" ] || fail "library: $(cat report.txt)"
printf '%s\n' 'int main(void) {' '#pragma omp parallel' ';' '#pragma omp parallel' '#pragma omp critical' ';' 'return 0; }' >whole.c
kinst gcc -fopenmp whole.c -o program
[ -z "$(unmeasured ./program)" ] || fail "whole: $(cat report.txt)"
kinst --disable=omp:critical gcc -fopenmp whole.c -o program
[ -z "$(unmeasured ./program)" ] || fail "--disable: $(cat report.txt)"

# a file that is left as a whole: the compiler takes none of our texts
for compiler in gcc clang; do
	cat >my-$compiler <<SH
#!/bin/sh
for word; do
	if [ -f "\$word" ] && grep -aq POMP2_Parallel "\$word"; then
		case \$word in *.o | *.a | *.so) ;; *) echo "nobody knows where: error: no" >&2; exit 1 ;; esac
	fi
done
exec $compiler "\$@"
SH
	chmod +x my-$compiler
	kinst ./my-$compiler -fopenmp main.c -c -o main.o 2>err || fail "left: $(cat err)"
	grep -q '^kinst: main.c: not instrumented: error: no; ' err || fail "left: $(cat err)"
	kinst gcc -fopenmp -c other.c -o other.o 2>/dev/null
	printf '%s\n' 'void last(void) {' '#pragma omp parallel' ';' '}' >last.c
	kinst $compiler -fopenmp main.o other.o last.c -o program
	# parallel for, its atomic, the parallel, and once.h's
	[ "$(unmeasured ./program)" = "4 constructs of 2 files" ] || fail "left, $compiler: $(cat report.txt)"
done

# a pragma that the compiler does not know is no construct
printf '%s\n' 'int main(void) {' '#pragma omp parallel' '#pragma omp metadirective when(device={kind(host)}: single) default(single)' \
	';' 'return 0; }' >variants.c
kinst clang -fopenmp variants.c -o program 2>/dev/null
[ "$(unmeasured ./program)" = "1 construct of 1 file" ] || fail "metadirective, clang: $(cat report.txt)"
[ "$(gcc -dumpversion)" -ge 15 ] || {
	kinst gcc -fopenmp variants.c -o program 2>err
	[ ! -s err ] && [ -z "$(unmeasured ./program)" ] || fail "metadirective, gcc: $(cat err report.txt)"
}

# clang allows nothing between target and the teams in it, whose calls stand around both
printf '%s\n' 'int main(void) {' 'int n = 0;' '#pragma omp target map(n)' '#pragma omp teams num_teams(1)' '#pragma omp parallel num_threads(2)' \
	'#pragma omp atomic' 'n++;' 'return n != 2; }' >teams.c
kinst clang -fopenmp teams.c -o program 2>err
[ ! -s err ] && [ -z "$(unmeasured ./program)" ] || fail "teams: $(cat err report.txt)"
ompp regions program >list
[ "$(grep -c 'TARGET$\|TEAMS$\|PARALLEL$\|ATOMIC$' list)" = 4 ] || fail "teams: $(cat list)"
kinst --disable=omp:teams clang -fopenmp teams.c -o program
ompp regions program >list
[ "$(grep -c 'TARGET$\|PARALLEL$\|ATOMIC$' list)" = 3 ] || fail "teams: $(cat list)"
