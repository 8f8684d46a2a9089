# fragments: a construct whose directive, begin or end stands in an included file belongs to the file that has its
# statement, or that includes all of it, in C, C++ and Fortran, by both engines
. "$srcdir/tests/lib.sh"
export OMPP_QUIET=1 OMP_NUM_THREADS=2
mkdir c f

# In these texts the comment "N first" stands on the line where region N begins, "N last" where it ends, and GAP is for
# so many empty lines.
cat >c/par.h <<'H'
#if defined(_OPENMP)
#pragma omp parallel for schedule(static)
#endif
H
printf '%s\n' '/* a comment' '   of two lines */' '#include "par.h"' 'GAP' >c/deep.h
printf '%s\n' 'GAP' '#include "deep.h"' >c/deeper.h
printf '%s\n' '#pragma omp parallel for' 'for (int i = 0; i < N; i++) {' 'GAP' >c/open.h
printf '%s\n' 'GAP' '}' >c/close.h
printf '%s\n' 'for (int i = 0; i < N; i++)' '	y[i] += x[i];' >c/loop.h
printf '%s\n' 'static void whole(void)' '{' '#pragma omp parallel for /* 7 first */' 'for (int i = 0; i < N; i++)' \
	'	y[i] += 3; /* 7 last */' '}' 'GAP' >c/whole.h
printf '%s\n' '#include "par.h"' 'for (int i = 0; i < N; i++) /* 8 first */' 'GAP' 'y[i] += 4; /* 8 last */' >c/outer.h
cat >c/fill.h <<'H'
enum { N = 1000 };
void fill(double *x);
H
cat >c/fill.c <<'C'
#include "fill.h"
void fill(double *x)
{
	#include "par.h"
	for (int i = 0; i < N; i++) /* 9 first */
		x[i] += i; /* 9 last */
}
C
cat >c/main.c <<'C'
#include "fill.h"
#include <stdio.h>
static double x[N], y[N];
#include "whole.h"

int main(void)
{
	double s = 0;
	int n = 0;
	#include "par.h"
GAP
	for (int i = 0; i < N; i++) /* 1 first */
		x[i] = i; /* 1 last */
	#include "deeper.h"
	for (int i = 0; i < N; i++) { /* 2 first */
GAP
		y[i] = 2 * x[i];
	} /* 2 last */
	for (int k = 0; k < 3; k++)
	#include "par.h"
	for (int i = 0; i < N; i++) /* 3 first */
		y[i] += i; /* 3 last */
GAP
	#include "open.h" /* 4 first */
		y[i]++;
GAP
	} /* 4 last */
	#include "open.h" /* 5 first */
		y[i]--;
	#include "close.h" /* 5 last */
#pragma omp parallel for /* 6 first */
GAP
#include "loop.h" /* 6 last */
	whole();
	#include "outer.h"
	fill(x);
#line 500 "named.c"
	#include "par.h"
	for (int i = 0; i < N; i++)
		n++;
	for (int i = 0; i < N; i++)
		s += x[i] + y[i];
	printf("%g %d\n", s, n > 0);
	return 0;
}
C

cat >f/par.inc <<'I'
!$omp parallel do
I
printf '%s\n' '! a comment' "      include 'par.inc'" 'GAP' >f/deep.inc
printf '%s\n' '!$omp parallel do' '      do i = 1, n' 'GAP' >f/open.inc
printf '%s\n' 'GAP' '      end do' '!$omp end parallel do' >f/close.inc
printf '%s\n' '      do i = 1, n' '        y(i) = y(i) + x(i)' '      end do' >f/loop.inc
cat >f/main.f90 <<'F'
      program p
      integer, parameter :: n = 1000
      integer :: i
      real :: x(n), y(n)
      include 'par.inc'
GAP
      do i = 1, n ! 1 first
        x(i) = i
      end do ! 1 last
      include 'deep.inc'
      do i = 1, n ! 2 first
GAP
        y(i) = 2 * x(i)
      end do ! 2 last
      include 'open.inc' ! 3 first
        y(i) = y(i) + 1
      end do ! 3 last
      include 'open.inc' ! 4 first
GAP
        y(i) = y(i) - 1
      include 'close.inc' ! 4 last
!$omp parallel do ! 5 first
      include 'loop.inc' ! 5 last
      print *, sum(y)
      end program
F

# fill_gaps FOLDER GAP: makes ./FOLDER.GAP, and ./expected from its marks.
fill_gaps() {
	rm -rf "$1.$2"
	cp -r "$1" "$1.$2"
	awk -v n="$2" 'BEGIN { for (i = 0; i < n; i++) print "" }' >gap
	sed -i -e '/^GAP$/{' -e 'r gap' -e 'd' -e '}' "$1.$2"/*
	awk 'FNR == 1 { name = FILENAME; sub(".*/", "", name) }
		match($0, /[0-9]+ first/) { first[substr($0, RSTART, RLENGTH - 6)] = name " " FNR }
		match($0, /[0-9]+ last/) { last[substr($0, RSTART, RLENGTH - 5)] = FNR }
		END { for (i in first) print first[i] "-" last[i] }' "$1.$2"/* | sort >expected
}

# check NAME PROGRAM…: builds it by both engines; its regions must stand where the marks are, and its output be the
# plain build's.
check() {
	name=$1
	shift
	"$@" -w -o plain && ./plain >plain.out || fail "$name: the plain build"
	for engine in kinst opari2; do
		command -v opari2 >/dev/null || [ $engine = kinst ] || continue
		"$builddir/kinst" --strict --engine=$engine "$@" -w -o program || fail "$name, $engine: does not build"
		./program >out || fail "$name, $engine: ends with $?"
		same "$name, $engine: what it prints" plain.out out
		"$builddir/ompp" report --view=overview program.2-*.ompp >overview
		sed -n 's/^ \* R[0-9]* \(.*\) (\([0-9-]*\)).*/\1 \2/p' overview | sort >regions
		same "$name, $engine: where its regions are" expected regions
		rm program.2-*
	done
}

check_c() {
	command -v "$1" >/dev/null || return 0
	fill_gaps c "$2"
	echo 'named.c 501-502' >>expected
	sort -o expected expected
	case $1 in
	*++) set -- "$@" -x c++ ;;
	esac
	compiler=$1 gap=$2
	shift 2
	check "$compiler, $gap" "$compiler" "$@" -fopenmp "c.$gap/main.c" "c.$gap/fill.c"
}

[ -z "$CC" ] || check_c "$CC" 0
check_c g++ 1
check_c clang 12
check_c clang++ 0

command -v gfortran >/dev/null || finish 0
for gap in 0 11; do
	fill_gaps f $gap
	check "free form, $gap" gfortran -fopenmp f.$gap/main.f90
	cp f.$gap/main.f90 f.$gap/main.f
	sed 's/main.f90/main.f/' expected | sort >fixed && mv fixed expected
	check "fixed form, $gap" gfortran -fopenmp f.$gap/main.f
	sed -i "s/^ *include '\\([^']*\\)'.*/#include \"\\1\"/" f.$gap/*
	check "-cpp, $gap" gfortran -cpp -fopenmp f.$gap/main.f
done
