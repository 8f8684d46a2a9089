# plain: documented directives break no build: compilers print under kinst, and with KINST=off, what they print of a source
# without them; the macros of ompp.h are nothing for a plain compiler and directives for kinst
. "$srcdir/tests/kinst/kinst.sh"
need gfortran

# Sources with what compilers warn of, by lines and columns, and with directives that the plain side does not have
sources() {
	cat >src/h.h <<'END'
#define SQUARE(x) ((x) * (x))
static int once(int x)
{
#pragma omp inst begin(once)
	int unused;
#pragma omp inst end(once)
	return SQUARE(x);
}
END
	cat >src/a.c <<'END'
#include "h.h"
#pragma omp inst begin(all)
#pragma strange thing
int main(void)
{
	int x = 1, other; double a[3];
#pragma pomp inst data(a, \
	sizeof a, "a")
	if (x)
		x = 2;
		x = once(x);
#pragma omp inst data(x, sizeof x)
#pragma omp parallel
	a[0] = 1;
#pragma pomp inst end(all)
	return SQUARE(a[0]) != x == 2;
}
END
	cat >src/fine.c <<'END'
int main(void)
{
	int x = 1;
	double a[3];
#pragma omp inst begin(all)
#pragma pomp inst data(a, \
	sizeof a, "a")
#pragma omp inst data(x, sizeof x)
#pragma omp parallel
	a[0] = 1;
#pragma pomp inst end(all)
	return a[0] != x;
}
END
	cat >src/macro.c <<'END'
#define NAME(x) _Pragma("omp inst data(x)")
#define OTHER(x) _Pragma("pomp inst data(x)")
int main(void)
{
	int x = 1, unused;
	NAME(x)
	OTHER(x)
	return x == 0;
}
END
	cat >src/a.f90 <<'END'
program p
  integer :: i, unused
  real :: a(10)
  !$omp inst begin(all)
  a = 1
  !$omp parallel do
  do i = 1, 10
    a(i) = a(i) + 1
  end do
  !$omp inst end(all)
  if (a(1) /= 2) stop 1
end program
END
	[ $side != plain ] || sed -i -e ':a' -e '/#pragma p*omp inst.*\\$/{N;s/.*\n.*/\n/}' -e 's/^#pragma p*omp inst.*//' \
		-e 's/ *_Pragma.*//' -e 's/! *\$omp inst.*//' src/*
}

# said COMMAND…: warnings and errors with their places, and the status.  What kinst says itself is left out here; and the
# order, as gcc's word about other unknown pragmas comes last.
said() {
	status=0
	"$@" 2>raw || status=$?
	sed -n '/^kinst: /d; /warning: \|error: \|Warning: \|Error: \|^[^ ]*:[0-9]*:[0-9]*:$/p' raw | sort -u
	echo "status $status"
}

# as_if_none COMPILER WORD…: the plain compiler with sources that have no directives, kinst with those that do
as_if_none() {
	for side in plain on off; do
		rm -rf src
		mkdir src
		sources
		case $side in
		plain) said "$@" >want ;;
		*) KINST=$side said "$kinst" --no-access "$@" >got && same "KINST=$side $*" want got ;;
		esac
	done
	clean
}

for compiler in gcc g++ clang clang++; do
	command -v $compiler >/dev/null || continue
	x=
	case $compiler in *++) x='-x c++' ;; esac
	for flags in '' '-Wall -Wextra' '-Wall -Wextra -Werror' '-Werror=unknown-pragmas'; do
		for file in a fine macro; do
			as_if_none $compiler -fopenmp -g $flags -c $x src/$file.c -o x.o
		done
		as_if_none $compiler $flags -c $x src/macro.c -o x.o
	done
	as_if_none $compiler -fopenmp -Wall -Werror $x src/fine.c -o prog
	as_if_none $compiler -fopenmp -Wall -c $x src/fine.c src/a.c
done
for flags in '' '-Wall -Wextra' '-Wall -Wextra -Werror'; do
	as_if_none gfortran -fopenmp $flags -c src/a.f90 -o x.o
done

# with hooks, which every source that names data gets, a compile of the original always speaks
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	for side in off on; do
		KINST=$side "$kinst" $compiler -fopenmp -Wall -Wextra -Werror src/fine.c -o prog 2>said || fail "$compiler: $(cat said)"
		[ ! -s said ] || fail "$compiler: $(cat said)"
		./prog || fail "$compiler, KINST=$side: status $?"
		case $side in
		on) nm prog | grep -q POMP2 || fail "$compiler: nothing is measured" ;;
		off) ! nm prog | grep -q POMP2 || fail "$compiler: KINST=off measures" ;;
		esac
	done
done

# ompp.h
cat >m.c <<'END'
#include <ompp.h>
#include <stdio.h>
#include <stdlib.h>
static int f(int n)
{
	OMPP_REGION("f");
	if (n > 2)
		return 1;
	if (n > 1)
		OMPP_REGION_BEGIN("inner");
	else
		OMPP_REGION_BEGIN("other");
	printf("%d\n", n);
	if (n > 1)
		OMPP_REGION_END("inner");
	else
		OMPP_REGION_END("other");
	return 2;
}
int main(void)
{
	double *a = (double *)malloc(10 * sizeof *a), b[4] = { 0 };
	int i, s = 0;
	OMPP_DATA(a, 10 * sizeof *a, "a");
	OMPP_DATA_PRIVATE(b);
	for (i = 0; i < 10; i++)
		a[i] = i;
	for (i = 0; i < 4; i++)
		s += f(i) + (int)b[i];
	OMPP_DATA_END("a");
	OMPP_OFF();
	f(0);
	OMPP_ON();
	free(a);
	return s != 7;
}
END
for compiler in 'gcc -std=c90 -pedantic' gcc clang 'g++ -x c++ -pedantic -std=c++98' 'clang++ -x c++ -Wno-deprecated'; do
	command -v ${compiler%% *} >/dev/null || continue
	$compiler -Wall -Wextra -Werror -I "$srcdir/runtime" m.c -o m || fail "$compiler, plainly"
	! nm -u m | grep -q ompp_ || fail "$compiler: the macros are something for a plain compiler"
	./m >want || fail "$compiler: status $?"
	KINST=off "$kinst" $compiler -Wall -Wextra -Werror m.c -o m || fail "$compiler, KINST=off"
	! nm -u m | grep -q ompp_ || fail "$compiler: the macros are something for KINST=off"
	"$kinst" $compiler -Wall -Wextra -Werror m.c -o m || fail "kinst $compiler"
	OMPP_REPORTFILE=report OMPP_OUTFORMAT=CSV ./m >got || fail "kinst $compiler: status $?"
	same "$compiler: the output" want got
	for region in f:4 inner:1 other:2; do
		[ "$(csv_field report "USER REGION:${region%:*}" SUM execC)" = ${region#*:} ] || fail "$compiler: $region: $(cat report)"
	done
	grep -q '^a,.*10' report && grep -q '^b,' report || fail "$compiler: the data: $(cat report)"
done
# alone in a source that has nothing else of ours
printf '%s\n' '#include <ompp.h>' 'int main(void) { OMPP_REGION("alone"); return 0; }' >alone.c
"$kinst" gcc alone.c -o alone
OMPP_REPORTFILE=report ./alone
grep -q '(alone)' report || fail "alone: $(cat report)"
clean
