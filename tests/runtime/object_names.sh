# object_names: what objects are called without debug information, where a block below OMPP_OBJECT_MIN or a small variable
# shares a cache line, and in tables where their names are long
. "$srcdir/tests/lib.sh"

# Without -g a block is called by the function that allocates it and where in it: behind its calls of malloc(), as the
# disassembler has them.
need objdump
cat >bare.c <<'C'
#include <stdio.h>
#include <stdlib.h>
static __attribute__((noinline)) double *make_strains(int n, double **b)
{
	double *a = malloc(n * 8);

	*b = malloc(n * 16);
	return a;
}
int main(void)
{
	double *b, *a = make_strains(1000, &b);
#pragma omp parallel
	{ }
	printf("%d\n", a[0] == b[0]);
	return 0;
}
C
"$builddir/kinst" $CC -O1 -fopenmp bare.c -o bare
names() {
	awk -F, '/^allocated at,/ { inside = 1; next } /^##/ { inside = 0 } inside { print $1 }' "$1"
}
run() {
	rm -f ./*.ompp*
	OMPP_QUIET=1 OMPP_OBJECTS=all "$@" >out
	ompp report --format=csv ./*.ompp >csv
	names csv >names
}
run ./bare
objdump -d bare | awk '
	/^[0-9a-f]+ <make_strains>:$/ { inside = 1; start = $1; next }
	inside && !NF { exit }
	inside && was_call { sub(/:$/, "", $1); print start, $1 }
	inside { was_call = /(call|bl).*malloc/ }' >expected
[ "$(wc -l <expected)" = 2 ] || skip 'the disassembler says otherwise'
while read -r start behind; do
	offset=$(printf '%x' $((0x$behind - 0x$start)))
	grep -qx "make_strains+0x$offset" names || { cat names; fail "no make_strains+0x$offset"; }
done <expected
grep -q 'make_strains+0x[0-9a-f]*, main+0x' csv || { cat csv; fail 'no call path of functions'; }
strip bare
run ./bare
[ "$(grep -cx 'bare+0x[0-9a-f]*' names)" -ge 2 ] || { cat names; fail 'a stripped program'; }

# C++ as the source has it, and never a function of the library's templates, however deep these are.
if [ -n "$GXX" ]; then
	cat >bare.cpp <<'C'
#include <vector>
namespace mesh {
template <class T> struct grid { std::vector<std::vector<T>> rows; void fill(int n) { rows.resize(n, std::vector<T>(n)); } };
}
static void refine(mesh::grid<double> &g) { g.fill(100); }
static void step(mesh::grid<double> &g) { refine(g); }
static void solve(mesh::grid<double> &g) { step(g); }
int main()
{
	mesh::grid<double> g;
	solve(g);
#pragma omp parallel
	{ }
	return g.rows[1][1] != 0;
}
C
	"$builddir/kinst" $GXX -O0 -fopenmp bare.cpp -o barecpp
	run ./barecpp
	grep -q '^mesh::grid<double>::fill+0x' names || { cat names; fail 'no function of C++'; }
	if grep '^std::' names; then fail 'a function of the library'; fi
	# A path that is that deep has the first call outside of templates and two more.
	sed -n 's/+0x[0-9a-f]*//g; s/^mesh::grid<double>::fill[^"]*"\([^"]*\)".*/\1/p' csv | awk -F', ' 'NF > 8' >deep
	grep -q . deep || { cat csv; fail 'no deep path'; }
	if grep -v 'std::.*, mesh::grid<double>::fill, refine, step$' deep; then fail 'where a deep path ends'; fi
fi

# Offsets of shared lines are those in the variable and in the block; of a block that is gone, bytes are those of the line.
cat >shared.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
static long before[1], cnt[6];
int main(void)
{
	char *p = calloc(7, 32), *q = calloc(3, 32), *gone;

	for (int i = 0; i < 1000; i++) {
#pragma omp parallel num_threads(2)
		{
			int t = omp_get_thread_num();

			((volatile long *)p)[9 + t]++;
			((volatile long *)cnt)[t]++;
			((volatile long *)q)[t]++;
		}
	}
	gone = q;
	free(q);
	printf("%d %d %d\n", (int)((uintptr_t)gone % 64), (int)((uintptr_t)(p + 72) % 64), (int)((uintptr_t)cnt % 64));
	return before[0] == 1;
}
C
"$builddir/kinst" --access $CC -g -O1 -fopenmp shared.c -o shared
rm -f ./*.ompp*
OMPP_QUIET=1 OMPP_OBJECTS=all OMPP_SHARING=1 ./shared >out
read -r gone block variable <out
ompp report --format=csv ./*.ompp >csv
# line OBJECT: offset and bytes of its shared line
line() {
	awk -v object="$1" '/^##BEG shared cache lines/ { inside = 1; next } /^##END/ { inside = 0 }
		inside && index($0, object ",") == 1 { print }' csv |
		sed 's/.*,\([^,]*\),[0-9]*,[0-9]*,"\(.*\)"$/\1 \2/'
}
# Both words are in one line, unless the second one begins another.
[ "$variable" = 56 ] || [ "$(line cnt)" = '0 0: 0-7, 1: 8-15' ] || { cat csv; fail "cnt: $(line cnt)"; }
first=$((72 - block))
[ "$block" = 56 ] || [ "$(line 'shared.c:8 p = calloc(…)')" = "$((first > 0 ? first : 0)) 0: 72-79, 1: 80-87" ] ||
	{ cat csv; fail "p: $(line 'shared.c:8 p = calloc(…)'), the line begins at $first"; }
[ "$gone" = 56 ] ||
	[ "$(line 'shared.c:8 q = calloc(…)')" = "- 0: $gone-$((gone + 7)), 1: $((gone + 8))-$((gone + 15))" ] ||
	{ cat csv; fail "q: $(line 'shared.c:8 q = calloc(…)'), $gone in the line"; }
ompp report --view=data ./*.ompp >text
if [ "$gone" != 56 ]; then
	tr -s '\n ' ' ' <text | grep -q "q = calloc(…) in R[^;]*; bytes of the line by thread 0: $gone-" || { cat text; fail 'the text of q'; }
fi

# Long names are whole columns of their own, and two that are cut stay apart.
long=a_source_file_that_has_a_long_name_of_more_than_forty_columns
cat >$long.c <<'C'
#include <stdlib.h>
int main(void)
{
	double *a_first_variable = malloc(80000), *a_second_variable = malloc(80000), s = 0;
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < 10000; i++) s += a_first_variable[i] = a_second_variable[i] = i;
	for (int i = 0; i < 10000; i++) s += a_first_variable[i] * a_second_variable[i];
	return s == 1;
}
C
"$builddir/kinst" --access $CC -g -O1 -fopenmp $long.c -o long
rm -f ./*.ompp*
OMPP_QUIET=1 OMPP_OBJECTS=all OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=50 ./long
for view in memory data; do
	[ $view = data ] || has_sample_clock || continue
	ompp report --view=$view ./*.ompp >text
	if grep -E '[^ ](loads|stores|R0000|\(serial\)) ' text; then fail "$view: a name is glued to the next column"; fi
	for name in first second; do
		grep -q "…[a-z_.:0-9 ]*${name#?}_variable = malloc(…) *\(loads\|R\)" text ||
			{ cat text; fail "$view: $name is not told"; }
	done
	# what stands behind the names stands below its title
	awk '/^object +(kind|region)/ { at = match($0, / (kind|region)/) + 1; next } !NF { at = 0 }
		at && /^a_so/ { line = $0; gsub(/…/, ".", line); if (substr(line, at - 1, 2) !~ /^ [(Rls]/) { print; bad = 1 } }
		END { exit bad }' text || { cat text; fail "$view: columns are not below their titles"; }
done
