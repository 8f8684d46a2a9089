# names: blanks and quotes in paths and macros, response files, standard input, split debug information, a debugger
. "$srcdir/tests/kinst/kinst.sh"
mkdir "with blank"
cd "with blank"
cat >'a "b".c' <<'C'
#include <stdio.h>
#ifndef NAME
#define NAME "none"
#endif
int main(void)
{
	int n = 0;
#pragma omp parallel reduction(+:n)
	n += 1;
	printf("%s %d %s\n", NAME, n, __FILE__);
	return 0;
}
C

"$kinst" --strict gcc -fopenmp -g -DNAME='"x y"' 'a "b".c' -o 'o ut' || fail "quotes and blanks"
instrumented 'o ut'
[ "$(./'o ut')" = 'x y 2 a "b".c' ] || fail "quotes and blanks: $(./'o ut')"

if command -v gfortran >/dev/null; then
	printf '!$omp parallel\n!$omp end parallel\nend\n' >'c "d".f90'
	"$kinst" --strict gfortran -fopenmp 'c "d".f90' -o named || fail "quotes in a name of Fortran"
	strings named | grep -q '/c "d".f90:1:1' || fail "quotes in a name of Fortran: $(strings named | grep -F d.f90)"
fi

echo '-fopenmp "-DNAME=\"r s\"" -o response' >arguments
"$kinst" --strict gcc @arguments 'a "b".c' || fail "response file"
instrumented response
[ "$(./response)" = 'r s 2 a "b".c' ] || fail "response file: $(./response)"

"$kinst" --strict gcc -fopenmp -x c - -o input <'a "b".c' || fail "standard input"
instrumented input
[ "$(./input)" = 'none 2 <stdin>' ] || fail "standard input: $(./input)"
echo 'int main(void) {' | "$kinst" gcc -fopenmp -x c - 2>ours && fail "a broken standard input is accepted"
echo 'int main(void) {' | gcc -fopenmp -x c - 2>theirs || :
same "messages of standard input" theirs ours

"$kinst" --strict gcc -fopenmp -g -gsplit-dwarf -c 'a "b".c' -o split.o || fail "-gsplit-dwarf"
instrumented split.o
[ -s split.dwo ] || fail "-gsplit-dwarf: no split.dwo"
! strings split.o split.dwo | grep -q "$TMPDIR" || fail "-gsplit-dwarf: a temporary name"

if command -v gdb >/dev/null; then
	gdb -q -batch -ex 'break 9' -ex run -ex 'print n' './o ut' >gdb.out 2>&1 || :
	grep -q 'a "b".c:9' gdb.out || { cat gdb.out; fail "gdb does not stop at the original line"; }
	grep -q '^\$1 = 0' gdb.out || fail "gdb does not see the program's variable"
fi
clean
