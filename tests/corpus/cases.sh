# cases: programs of all classes that are hard to put calls into behave as the plain build does, and are measured whole
. "$srcdir/tests/lib.sh"
need gfortran
need g++

"$srcdir/tests/corpus/compare.sh" --csv="$work/all.csv" "$srcdir/tests/corpus/cases" "$srcdir/tests/runtime/constructs.c" \
	"$srcdir/tests/runtime/constructs.f90" >out || fail "$(cat out)"
sed 's#,[^,]*/#,#' all.csv | sort >got
# of a raw string compare.sh sees a line that looks like a pragma; a loop of fixed.f ends with the one around it
cat >want <<'WANT'
C++,unmeasured: 7 parallel ,cxx.cpp
C,same,blocks.c
C,same,clauses.c
C,same,constructs.c
C,same,tasks.c
Fortran,partly,fixed.f
Fortran,same,constructs.f90
Fortran,same,free.f90
WANT
same "what is measured" want got
# and with access hooks
"$srcdir/tests/corpus/compare.sh" --kinst='kinst --access' "$srcdir/tests/corpus/cases" >out || fail "--access: $(cat out)"
# the compiler's word against ours: a program that changes is found
cat >kinst-bad <<'BAD'
#!/bin/sh
kinst "$@" -DBAD
BAD
chmod +x kinst-bad
mkdir bad
printf '%s\n' '#include <stdio.h>' 'int main(void) {' '#ifdef BAD' 'puts("bad");' '#endif' 'return 0; }' >bad/a.c
! "$srcdir/tests/corpus/compare.sh" --kinst="$work/kinst-bad" bad >out || fail "a change is not found"
grep -q 'a.c: differs' out || fail "a change is not named: $(cat out)"
