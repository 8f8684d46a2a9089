# options: kinst's own, the compiler's, and KINST_FLAGS
. "$srcdir/tests/kinst/kinst.sh"
small_c a.c

"$kinst" --version | grep -q '^kinst [0-9]' || fail "--version"
"$kinst" --help >h.txt
grep -q -- --strict h.txt || fail "--help"
"$kinst" -h >k.txt || fail "-h"
same "-h" h.txt k.txt
"$kinst" gcc --version >k.txt
gcc --version >p.txt
same "the compiler's --version" p.txt k.txt
"$kinst" gcc --help >k.txt
gcc --help >p.txt
same "the compiler's --help" p.txt k.txt
"$kinst" gcc -fopenmp -c a.c --kinst-verbose --kinst-engine=opari2 2>err
instrumented a.o
grep -q '^opari2 ' err || fail "--kinst-verbose behind the compiler"
KINST_FLAGS='--verbose --engine=opari2 --disable="omp:parallel"' "$kinst" gcc -fopenmp -c a.c 2>err
grep -q '^gcc ' err && ! grep -q '^opari2 ' err || fail "KINST_FLAGS: $(cat err)"

# a value that is not known is named, with the nearest one that is
for word in --access=hoks --engine=opar2; do
	status=0
	"$kinst" $word gcc -fopenmp -c a.c 2>err || status=$?
	[ $status != 0 ] && grep -q "^kinst: $word: unknown value; did you mean .*[hi]" err || fail "$word: $(cat err)"
done
! "$kinst" --access=xyzzy gcc -fopenmp -c a.c 2>err || fail "--access=xyzzy"
grep -q '^kinst: --access=xyzzy: unknown value; write --access, ' err || fail "--access=xyzzy: $(cat err)"

# an option of kinst's behind the compiler, which rejects it; what it knows itself is its own
for word in --access --access=hooks --disable=omp:atomic --work --stamp=1; do
	status=0
	"$kinst" gcc -fopenmp $word -c a.c 2>err || status=$?
	[ $status != 0 ] && grep -qx "kinst: $word: .*; write kinst $word gcc, or --kinst-${word#--}" err || fail "gcc $word: $(cat err)"
	"$kinst" $word gcc -fopenmp -c a.c 2>err && "$kinst" gcc -c a.c "--kinst-${word#--}" || fail "$word gcc: $(cat err)"
done
! "$kinst" gcc -fopenmp --disable -c a.c 2>err || fail "gcc --disable"
grep -qx 'kinst: --disable: .*; write kinst --disable=LIST gcc, or --kinst-disable=LIST' err || fail "gcc --disable: $(cat err)"

# the value of another option is the compiler's, whatever it is called
while read -r words; do
	gcc -fopenmp a.c $words 2>want || fail "gcc $words: $(cat want)"
	"$kinst" gcc -fopenmp a.c $words 2>err || fail "kinst gcc $words: $(cat err)"
	same "kinst gcc $words" want err
done <<'W'
-o --keep
-c -Xlinker --strict
-c --for-linker --strict
--output --access
-D KEEP -o --work=1
W
rm -f -- --keep --access --work=1
"$kinst" gcc -fopenmp --verbose -c a.c 2>err
! grep '^kinst: .*behind' err || fail "gcc --verbose: $(cat err)"

ln -s "$kinst" kinst-gcc
./kinst-gcc --version >k.txt
gcc --version >p.txt
sed -i 1d k.txt p.txt
same "kinst-gcc --version" p.txt k.txt
./kinst-gcc --kinst-version | grep -q '^kinst ' || fail "kinst-gcc --kinst-version"
rm -f a.o
./kinst-gcc -fopenmp -c a.c
instrumented a.o

# wrong words are named, with the nearest right one
for try in "--kep gcc" "gcc --kinst-kep -c a.c" "--kinst-kep gcc"; do
	! "$kinst" $try 2>err || fail "$try"
	grep -q 'keep?' err || fail "$try does not name the nearest option"
done
! KINST_FLAGS=--strct "$kinst" gcc -c a.c 2>err || fail "KINST_FLAGS=--strct"
grep -q -- '--strict?' err || fail "KINST_FLAGS=--strct"
! "$kinst" --engine=opari gcc -c a.c 2>err || fail "--engine=opari"
grep -q 'opari2?' err || fail "--engine=opari: $(cat err)"
! "$kinst" --engine=other gcc -c a.c 2>err || fail "--engine=other"
! "$kinst" --keep=yes gcc -c a.c 2>err || fail "--keep=yes"
! "$kinst" --disable gcc -c a.c 2>err || fail "--disable without a value"
! "$kinst" 2>err || fail "no compiler"
grep -q '^kinst: ' err || fail "no compiler: message"
status=0
"$kinst" no-such-compiler -c a.c 2>err || status=$?
[ $status = 127 ] || fail "no such compiler: status $status"

# KINST=off is the plain compiler, whatever else is said
KINST=off "$kinst" --keep gcc -fopenmp -g -c a.c --kinst-verbose 2>err
[ ! -s err ] || fail "KINST=off prints"
mv a.o off.o
gcc -fopenmp -g -c a.c
same "KINST=off" a.o off.o

# --keep, --dry-run
rm a.o
"$kinst" --dry-run --engine=opari2 gcc -fopenmp -c a.c >steps
grep -q '^opari2 ' steps && grep -q '^gcc .*-c .*cpp-output' steps || fail "--dry-run: $(cat steps)"
[ ! -e a.o ] || fail "--dry-run has compiled"
clean
"$kinst" --keep gcc -fopenmp -c a.c 2>err
kept=$(sed -n 's/.*kept in //p' err)
[ -d "$kept" ] || fail "--keep"
rm -rf "$kept"

# --disable
cat >b.c <<'EOF'
#include <omp.h>
void f(omp_lock_t *l, int *x)
{
	omp_set_lock(l);
#pragma omp atomic
	++*x;
#pragma omp critical
	++*x;
	omp_unset_lock(l);
}
EOF
"$kinst" gcc -fopenmp -c b.c
nm b.o | grep -q ompp_set_lock && nm b.o | grep -q POMP2_Atomic_enter || fail "locks and atomic"
"$kinst" --disable=omp:atomic,locks gcc -fopenmp -c b.c
! nm b.o | grep -q 'ompp_set_lock\|POMP2_Unset_lock\|POMP2_Atomic' || fail "--disable=omp:atomic,locks"
nm b.o | grep -q POMP2_Critical_enter || fail "--disable takes critical too"
"$kinst" --disable=OMP:Atomic,SYNC gcc -fopenmp -c b.c
plain b.o
"$kinst" --disable=omp gcc -fopenmp -c b.c
plain b.o

# --strict, and the message without it
cat >c.c <<'EOF'
int n;
void g(void)
{
#pragma omp parallel for firstprivate(n) lastprivate(n)
	for (int i = 0; i < 3; i++)
		n = i;
}
EOF
"$kinst" --strict gcc -fopenmp -c c.c
instrumented c.o
# an opari2 that finds something wrong leaves the file as it is
mkdir broken
printf '#!/bin/sh\necho "text.c:3: ERROR: wrong" >&2\n' >broken/opari2
chmod +x broken/opari2
PATH="$PWD/broken:$PATH" "$kinst" --engine=opari2 gcc -fopenmp -c c.c 2>err
grep -q '^kinst: c.c: not instrumented: opari2: ERROR: wrong' err || fail "the file that is not instrumented: $(cat err)"
plain c.o
! PATH="$PWD/broken:$PATH" "$kinst" --strict --engine=opari2 gcc -fopenmp -c c.c 2>err || fail "--strict"
grep -q '^kinst: c.c: not instrumented' err || fail "--strict: message"
clean
