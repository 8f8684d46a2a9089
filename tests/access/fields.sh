# fields: accesses to members of structures are those that the program's text makes, by region and thread; their bytes are
# those of the addresses that valgrind traces, modulo the size of the structure; and they add up to those of the object.
# Programs with structures made by chance, and some of C++ and Fortran with formulas, by all compilers.
. "$srcdir/tests/lib.sh"
need python3
make="python3 $srcdir/tests/access/fields.py"
export OMP_WAIT_POLICY=passive OMPP_QUIET=1 OMPP_OBJECT_MIN=1 OMPP_OVERWRITE=1 OMPP_APPNAME=run OMPP_SAMPLE=off OMPP_HOT=0
[ -x "$builddir/ompp-symbols" ] || skip "no helper ompp-symbols: built without elfutils"

# run WHAT PROGRAM: json gets its profile, out what it prints
run() {
	rm -f run.*
	OMPP_FIELDS=1 OMPP_OBJECTS=all OMP_NUM_THREADS=2 "./$2" >out 2>err || fail "$1: $(cat err)"
	ompp report --format=json run.*.ompp >json || fail "$1: no profile"
	adds_up "$1"
}

# adds_up WHAT: the bytes of an object's members are those of the object; beside them is what new[] keeps
adds_up() {
	$make sums json >sums || fail "$1: $(cat sums)"
}

# is WHAT OBJECT MEMBER LOADS STORES: sums over all regions and threads
is() {
	got=$($make counted json | awk -v o="$2" -v m="$3" '$3 == o && $4 == m { l += $5; s += $6 } END { print l + 0, s + 0 }')
	[ "$got" = "$4 $5" ] || fail "$1: $2: $3: loads and stores $got, and not $4 $5"
}

# by arithmetic: whole loops and single accesses, forwards and backwards, copies, unions, arrays in structures
seed=${SEED:-$(date +%s)}
for compiler in ${CC:-gcc} ${CLANG:-}; do
	for level in -O0 -O2 -O3; do
		for how in --access --access=hooks; do
			seed=$((seed + 1))
			$make make $seed made.c want
			kinst $how "$compiler" -w -g $level -fopenmp made.c -o made || fail "$compiler $level: seed $seed"
			run "$compiler $level $how, seed $seed" made
			$make counted json >have
			same "$compiler $level $how, seed $seed: by arithmetic and as counted" want have
		done
	done
done

# by the addresses of the plain program
if command -v "${VALGRIND:=valgrind}" >/dev/null; then
	compiler=${CC:-gcc}
	$make make $seed made.c want walks
	kinst --access "$compiler" -w -g -O2 -fopenmp made.c -o made || fail "$compiler"
	run "seed $seed" made
	$make bytes json >have
	"$compiler" -w -O0 -fopenmp made.c -o plain
	"$VALGRIND" --tool=lackey --trace-mem=yes --fair-sched=yes --log-fd=9 ./plain 1 9>trace >layout 2>err || fail "$(cat err)"
	$make traced layout trace >want
	[ -s want ] || fail "nothing was traced"
	same "seed $seed: bytes by addresses and as counted" want have
	if [ "$(uname -m)" = x86_64 ] && command -v qemu-x86_64 >/dev/null; then
		"$compiler" -w -g -O0 -fopenmp made.c -o plain
		rm -f run.*
		OMPP_FIELDS=1 OMP_NUM_THREADS=2 ompp run --emulate ./plain >out 2>err || fail "emulated: $(cat err)"
		ompp report --format=json run.*.ompp >json || fail "emulated: no profile"
		$make bytes json >have
		same "seed $seed: bytes by addresses and as emulated" want have
	fi
fi

# what there is no room for is noted, and the members lack no other access
cat >large.c <<'END'
struct large { char bytes[100000]; } all[2];
int main(void)
{
	volatile struct large *l = all;

	for (int i = 0; i < 200000; i++)
		l[i % 2].bytes[i / 2] = 1;
	return 0;
}
END
kinst --access=hooks "${CC:-gcc}" -w -g -O0 large.c -o large || fail large
rm -f run.*
OMPP_FIELDS=1 OMPP_OBJECTS=all ./large 2>err || fail "large: $(cat err)"
ompp report --format=json run.*.ompp >json || fail 'large: no profile'
$make counted json | awk '$3 == "all" { s += $6 } END { print s + 0 }' >stores
lost=$(ompp report --view=general run.*.ompp | tr -s ' \n' ' ' |
	sed -n 's/.*Note : \([0-9]*\) accesses to structures are not counted by members.*/\1/p')
[ "${lost:-0}" -gt 0 ] && [ $((lost + $(cat stores))) = 200000 ] || fail "large: $lost lost, $(cat stores) counted"

# blocks of several types from one call, and data behind a header: those that are whole structures have their members,
# of the others it is noted how many accesses they had
cat >unlike.c <<'END'
#include <stdlib.h>
struct shape { long kind, n; };
struct circle { struct shape s; double r[3]; };
struct header { long n, cap; double sum; };
struct cell { long a; double b, c; };
__attribute__((noinline)) volatile struct shape *shape_new(size_t n_bytes)
{
	volatile struct shape *s = malloc(n_bytes);

	return s;
}
int main(void)
{
	volatile struct header *h = malloc(sizeof *h + 1000 * sizeof(float)); /* not aligned */
	volatile float *data = (volatile float *)(h + 1);

	for (int i = 0; i < 1000; i++)
		data[i] = (float)i;
	h->n = 1000;
	for (int i = 0; i < 100; i++) {
		volatile struct shape *s = shape_new(i % 4 ? sizeof(struct shape) : sizeof(struct circle));

		s->n = i;
		s->kind = i;
	}

	/* rounded up to whole lines, as it has to be */
	volatile struct cell *cells = aligned_alloc(64, (100 * sizeof *cells + 63) / 64 * 64);

	for (int i = 0; i < 100; i++)
		cells[i].b = i;
	return 0;
}
END
for level in -O0 -O2; do
	kinst --access "${CC:-gcc}" -w -g $level -fopenmp unlike.c -o unlike || fail "unlike $level"
	rm -f run.*
	OMPP_FIELDS=1 OMPP_OBJECTS=all ./unlike 2>err || fail "unlike $level: $(cat err)"
	ompp report --format=json run.*.ompp >json || fail "unlike $level: no profile"
	$make counted json |
		awk '{ n[$4] += $6 } END { print n["kind"] + 0, n["n"] + 0, n["cap"] + n["sum"] + 0, n["b"] + 0 }' >stores
	[ "$(cat stores)" = '75 75 0 100' ] || fail "unlike $level: stores $(cat stores), and not 75 75 0 100"
	ompp report --view=general run.*.ompp | tr -s ' \n' ' ' |
		grep -q ': 1051 accesses to structures are not counted by members: their blocks are not a whole number' ||
		fail "unlike $level: $(ompp report --view=general run.*.ompp)"
done

# a pool, whose bytes are a whole number of the structure that it is assigned to: pieces of other types show that it is one, and
# neither it nor what one call allocates of two types of the same size has members; what stands beside it has its own
cat >pool.c <<'END'
#include <stdlib.h>
struct node { double x, y; int kind, next; };
struct pair { char tag; int n; char name[3]; };
struct other { int a, b; double c, d; };
static char *at;
__attribute__((noinline)) static void *get(size_t n_bytes)
{
	char *piece = at;

	at += n_bytes;
	return piece;
}
__attribute__((noinline)) static volatile struct node *made(void)
{
	volatile struct node *n = malloc(sizeof *n);

	return n;
}
int main(void)
{
	volatile struct node *pool = malloc(2400 * sizeof *pool), *good = malloc(100 * sizeof *good);

	at = (char *)pool;
	for (int i = 0; i < 500; i++) {
		volatile struct node *n = get(sizeof *n), *one = made();
		volatile struct pair *p = get(sizeof *p);
		volatile struct other *o = (volatile struct other *)made();

		n->x = i;
		n->kind = i;
		p->n = i;
		p->name[1] = 3;
		good[i % 100].y = i;
		good[i % 100].next = 3;
		one->x = i;
		o->b = i;
		o->c = i + o->a;
	}
	return 0;
}
END
for level in -O0 -O2; do
	kinst --access "${CC:-gcc}" -w -g $level -fopenmp pool.c -o pool || fail "pool $level"
	rm -f run.*
	OMPP_FIELDS=1 OMPP_OBJECTS=all ./pool 2>err || fail "pool $level: $(cat err)"
	ompp report --format=json run.*.ompp >json || fail "pool $level: no profile"
	$make counted json | awk '$3 == "good" && $5 + $6 { print $4, $5, $6 }' | sort >have
	printf 'next 0 500\ny 0 500\n' >want
	same "pool $level: what stands beside it" want have
	! $make counted json | awk '$3 != "good"' | grep ' kind \| y ' >have || fail "pool $level: $(cat have)"
	ompp report --view=general run.*.ompp | tr -s ' \n' ' ' |
		grep -Eq ': [0-9]+ accesses to structures are not counted by members: [0-9]+ of them, of 2 to 8 bytes, begin or end within' ||
		fail "pool $level: $(ompp report --view=general run.*.ompp)"
done

for compiler in ${GXX:-} ${CLANG:+$CLANG++}; do
	command -v "$compiler" >/dev/null || continue
	for level in -O0 -O2; do
		what="$compiler $level"
		seed=$((seed + 1))
		$make classes $seed classes.cpp
		kinst --access=hooks "$compiler" -w -g $level classes.cpp -o classes || fail "$what: classes of seed $seed"
		run "$what: classes of seed $seed" classes
		$make placed json out >said || fail "$what: virtual bases, seed $seed: $(cat said)"
		kinst --access "$compiler" -w -g $level "$srcdir/tests/access/fields.cpp" -o cpp || fail "$what"
		run "$what" cpp
		is "$what" cells 'p[].x' 0 1000
		is "$what" cells n 0 1000
		is "$what" c shape::id 0 1000
		is "$what" c shape::tag 0 0
		is "$what" one v 1000 1000
		is "$what" o n 0 1
		is "$what" o data 0 1000
		$make counted json | awk '$3 == "c" && $4 ~ /^shape::_vptr/ && $5 >= 1000 { ok = 1 } END { exit !ok }' ||
			fail "$what: pointers to tables of virtual functions were not loaded"
		# the rows of a vector of vectors are no vectors, and an empty base class has no bytes
		$make counted json | awk '/_M_start / && !seen[$3]++ { n++ } END { exit n != 1 }' || fail "$what: rows are vectors"
		ompp report --view=fields run.*.ompp >text
		! grep -q 'llocator.*(padding)' text || fail "$what: allocators have bytes: $(cat text)"
		for heading in 'cell, 56 bytes, 10 of them padding' 'circle, 24 bytes, 3 of them padding' \
			'vector<double, std::allocator<double> >, 24 bytes'; do
			grep -qF ": $heading; (%)" text || fail "$what: no heading $heading: $(grep -F '; (%)' text)"
		done
		grep -q ' 8 shape::_vptr.*vtable' text || fail "$what: no vtable: $(cat text)"
		grep -q ' 2 a:4 b:12 *bits' text || fail "$what: no bit fields: $(cat text)"
		grep -q '^ *16 *4 w *float' text || fail "$what: no vector of points: $(cat text)"
		ompp objects --layout run.*.ompp >layout || fail "$what: objects --layout"
		grep -q 'struct cell {.*cells' layout || fail "$what: $(cat layout)"
	done
done

if [ -n "${GFORTRAN:-}" ]; then
	kinst --access "$GFORTRAN" -g -O2 -fopenmp "$srcdir/tests/access/fields.f90" -o fortran || fail "$GFORTRAN"
	run "$GFORTRAN" fortran
	is "$GFORTRAN" 'allocate(p(n))' id 0 2000
	is "$GFORTRAN" 'allocate(p(n))' pos.x 2000 2000
	is "$GFORTRAN" 'allocate(p(n))' 'past[].z' 0 2000
	is "$GFORTRAN" 'allocate(p(n))' alive 0 0
	is "$GFORTRAN" 'allocate(w(n))' y 2000 2000
	is "$GFORTRAN" shapes::fixed x 0 1000
fi

# without debug information nothing is said
kinst --access "${CC:-gcc}" -w -O2 -fopenmp made.c -o made || fail "without -g"
rm -f run.*
OMPP_FIELDS=1 OMPP_OBJECTS=all ./made 2>err || fail "$(cat err)"
ompp report --view=fields run.*.ompp | grep -q 'No accesses to members of structures were counted' || fail "said something"
