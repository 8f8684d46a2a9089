# objects: with OMPP_OBJECTS=all each block of memory belongs to the place that allocated it: sums and accesses equal
# arithmetic, with any allocator, and the program behaves as plainly; each time by the C library's allocator and one of
# three others, and in one of two kinds of static programs
. "$srcdir/tests/lib.sh"
here=$srcdir/tests/runtime

# block CSV PLACE COLUMN: prints a number of the place whose name begins so.
block() {
	awk -F, -v place="$2" -v column="$3" '
		inside && match($0, /^"([^"]|"")*"/) { # a name with commas
			name = substr($0, 2, RLENGTH - 2)
			rest = substr($0, RLENGTH + 1)
			gsub(/,/, ";", name)
			$0 = name rest
		}
		/^allocated at,/ { for (i = 1; i <= NF; i++) col[$i] = i; inside = 1; next }
		/^##/ { inside = 0 }
		inside && index($1, place) == 1 { if (!(column in col)) exit 1; print $col[column]; found = 1; exit }
		END { if (!found) exit 1 }' "$1" || fail "$1: no $3 of $2"
}

# is CSV PLACE COLUMN NUMBER
is() {
	got=$(block "$1" "$2" "$3")
	[ "$got" = "$4" ] || fail "$1: $3 of $2 is $got, not $4"
}

# run NAME PROGRAM…: runs a program plainly and with all objects; both print and end alike.  The report is NAME.csv.
run() {
	name=$1
	shift
	rc=0 && OMPP_QUIET=1 "$@" >plain.out 2>plain.err || rc=$?
	rm -f ./*.ompp*
	now=0 && OMPP_OBJECTS=all OMPP_QUIET=1 OMPP_APPNAME=app "$@" >all.out 2>all.err || now=$?
	[ $now -eq $rc ] || fail "$name ended with $now, not $rc"
	same "the output of $name" plain.out all.out
	same "the messages of $name" plain.err all.err
	"$builddir/ompp" report --format=csv app.*.ompp >"$name.csv"
}

sum=$(awk 'BEGIN { for (i = 0; i < 20000; i++) s += 1 + i % 300; print s }')
"$builddir/kinst" --access $CC -g -O1 -fopenmp "$here/objects.c" -o objects
line() {
	grep -n "$1" "$here/objects.c" | cut -d: -f1
}
for allocator in '' libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4; do
	[ -z "$allocator" ] || in_part 3 || continue
	[ -z "$allocator" ] || ! LD_PRELOAD=$allocator true 2>&1 | grep -q . || { missing=$allocator; continue; }
	run "objects$allocator" env LD_PRELOAD="$allocator" ./objects
	csv=objects$allocator.csv
	small=objects.c:$(line 'small blocks')
	is "$csv" "$small" blocks 80000
	is "$csv" "$small" live 0
	is "$csv" "$small" bytes $((4 * sum))
	is "$csv" "$small" 'live bytes' 0
	for k in 'longer block' 'shorter block'; do
		is "$csv" "objects.c:$(line "$k")" blocks 40000
		is "$csv" "objects.c:$(line "$k")" live 0
	done
	is "$csv" "objects.c:$(line 'longer block')" bytes 40000000
	is "$csv" "objects.c:$(line 'shorter block')" bytes 400000
	is "$csv" "objects.c:$(line 'aligned block')" bytes 4000000
	is "$csv" "objects.c:$(line 'zeroed block')" bytes 4000000
	is "$csv" "objects.c:$(line 'kept block')" live 1
	is "$csv" "objects.c:$(line 'kept block')" 'peak bytes' 123456
	is "$csv" "objects.c:$(line 'kept block')" 'peak bytes +-' 0
	is "$csv" "objects.c:$(line 'kept block')" TID 0
	is "$csv" "objects.c:$(line 'mapped block')" bytes 65536
	is "$csv" "objects.c:$(line 'mapped block')" live 0
done

# Accesses of small and of large blocks go to their objects: 80,000 small ones are cleared, each by one block store, and
# of half of them one byte is read.
count() {
	awk -F, -v object="$2" -v column="$3" '
		/^##BEG data objects$/ { inside = 1; next }
		/^##/ { inside = 0 }
		inside && /^object,/ { for (i = 1; i <= NF; i++) col[$i] = i; next }
		inside && index($1, object) == 1 { print $col[column]; exit }' "$1"
}
[ "$(count objects.csv "$small" stores)" = 80000 ] || fail "small blocks: $(count objects.csv "$small" stores) stores"
[ "$(count objects.csv "objects.c:$(line 'longer block')" loads)" = 40000 ] || fail 'longer blocks are read otherwise'
[ "$(count objects.csv "objects.c:$(line 'zeroed block')" loads)" = 400 ] || fail 'zeroed blocks are read otherwise'
[ "$(count objects.csv "objects.c:$(line 'aligned block')" stores)" = 400 ] || fail 'aligned blocks are written otherwise'
[ "$(count objects.csv "objects.c:$(line 'kept block')" stores)" = 15432 ] || fail 'the kept block is written otherwise'

# Without hooks there are the sums all the same.
"$builddir/kinst" $CC -g -O2 -fopenmp "$here/objects.c" -o unhooked
run unhooked ./unhooked
is unhooked.csv "objects.c:$(line 'small blocks')" bytes $((4 * sum))
is unhooked.csv "objects.c:$(line 'kept block')" live 1
for method in none hooks; do
	rm -f report.*
	OMPP_DATA_METHOD=$method OMPP_SAMPLE=touch OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=report.csv OMPP_QUIET=1 OMPP_OBJECTS=all \
		./unhooked >out
	grep '^Note.*Not counted: ' report.csv >note || { cat report.csv; fail "$method: nobody says what is not counted"; }
	[ $method = hooks ] || grep -q 'OMPP_DATA_METHOD=none asks for no counts' note || { cat note; fail 'no counts were asked for'; }
	[ $method = none ] || grep -q ': the program has no access hooks' note || { cat note; fail 'it has no hooks'; }
	! grep -q 'breakpoint' note || { cat note; fail "$method: breakpoints were not asked for"; }
done

# Names say what the source line says, also of C++ and Fortran.
names() {
	awk -F, '/^allocated at,/ { inside = 1; next } /^##/ { inside = 0 } inside { print $1 }' "$1"
}
names objects.csv | grep -qx "objects.c:$(line 'kept block') kept = malloc(…)" || { names objects.csv; fail 'no name of kept'; }
names objects.csv | grep -qx "$small box\[me\]\[i\] = malloc(…)" || { names objects.csv; fail 'no name of box'; }

# A line with several assignments names the one that allocates.
cat >dense.c <<'C'
#include <stdlib.h>
static int twice(int n) { return 2 * n; }
int main(void)
{
	double s = 0, *a; int n = twice(500); double *b = malloc(n * sizeof *b); char *many[4];
	for (int i = 0; i < 4; i++) many[i] = calloc(5000, 1);
	if (n > 1 && (a = malloc(6000)) == NULL) return 1;
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < 4; i++) s += (b[i] = a[i] = many[i][0]);
	for (int i = 0; i < 4; i++) free(many[i]);
	free(a); free(b);
	return s != 0;
}
C
"$builddir/kinst" $CC -g -O1 -fopenmp dense.c -o dense
run dense ./dense
for name in 'dense.c:5 b = malloc(…)' 'dense.c:6 many\[i\] = calloc(…)' 'dense.c:7 a = malloc(…)'; do
	names dense.csv | grep -qx "$name" || { names dense.csv; fail "no $name"; }
done

if [ -n "$GXX" ]; then
	"$builddir/kinst" --access $GXX -g -O2 -fopenmp "$here/objects.cpp" -o cxx
	run cxx ./cxx
	made=$(grep -n '// made' "$here/objects.cpp" | cut -d: -f1)
	at=$(grep -n 'make(1000)' "$here/objects.cpp" | cut -d: -f1)
	# one line of the source, two call paths
	is cxx.csv "objects.cpp:$made new for second" bytes 24000
	is cxx.csv "objects.cpp:$made new for first" bytes 8000
	is cxx.csv "objects.cpp:$made new for first" live 0
	grep -q "objects.cpp:$made make, objects.cpp:$at main" cxx.csv || { names cxx.csv; fail 'no call path of make'; }
	is cxx.csv "objects.cpp:$(grep -n '// vector' "$here/objects.cpp" | cut -d: -f1)" bytes 8000
	is cxx.csv "objects.cpp:$(grep -n '// unique' "$here/objects.cpp" | cut -d: -f1)" bytes 4000
	is cxx.csv "objects.cpp:$(grep -n emplace "$here/objects.cpp" | cut -d: -f1)" blocks 10
fi
if [ -n "$GFORTRAN" ]; then
	"$builddir/kinst" --access $GFORTRAN -g -O2 -fopenmp "$here/objects.f90" -o fortran
	run fortran ./fortran
	is fortran.csv 'objects.f90:14 twice(n)' bytes 40000
	[ "$(count fortran.csv 'objects.f90:14 twice(n)' stores)" -gt 0 ] || fail 'twice is not written'
	is fortran.csv 'objects.f90:5' bytes 40000
	is fortran.csv 'objects.f90:5' live 0
fi

# A child has what its parent had, and counts anew.
cat >fork.c <<'EOF'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	char *kept = malloc(5000); /* line 7 */
	free(malloc(7000)); /* line 8 */
	memset(kept, 1, 5000);
#pragma omp parallel
	kept[0] = 2;
	if (!fork()) {
#pragma omp critical
		kept[1] = 3;
		free(kept);
		exit(0);
	}
	wait(NULL);
	return kept[1] - 1;
}
EOF
"$builddir/kinst" --access $CC -fno-builtin -g -O1 -fopenmp fork.c -o fork
rm -f ./*.ompp*
OMPP_OBJECTS=all OMPP_QUIET=1 OMPP_USEPID=1 OMPP_APPNAME=app ./fork || fail 'the program with a child ended otherwise'
for profile in app.*.ompp; do
	"$builddir/ompp" report --format=csv "$profile" >fork.csv
	is fork.csv fork.c:7 blocks 1
	if grep -q '^fork.c:8' fork.csv; then
		is fork.csv fork.c:7 live 1
		is fork.csv fork.c:8 bytes 7000
		parents=${parents:-}1
	else
		is fork.csv fork.c:7 live 0
		children=${children:-}1
	fi
done
[ "${parents:-}${children:-}" = 11 ] || fail "parents ${parents:-none}, children ${children:-none}"

# A library that is loaded later is seen, too; dlopen() finds it as plainly, beside the program ($ORIGIN).
mkdir -p beside
cat >late.c <<'EOF'
#include <stdlib.h>
#include <string.h>
void *late(void);
void *late(void)
{
	char *p = malloc(4321); /* line 6 */
	memset(p, 1, 4321);
	return p;
}
EOF
cat >loads.c <<'EOF'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	void *missing = dlopen("libnothing.so", RTLD_NOW), *lib = dlopen("liblate.so", RTLD_NOW);
	void *(*late)(void) = lib ? (void *(*)(void))dlsym(lib, "late") : NULL;
	char *own = malloc(100);
	int n = 0;
#pragma omp parallel reduction(+ : n)
	n += 1;
	if (!late || missing || !own)
		return 3;
	for (int i = 0; i < 10; i++)
		free(late());
	printf("%d\\n", n > 0);
	return 0;
}
EOF
$CC -w -g -O1 -fno-builtin -shared -fPIC late.c -o beside/liblate.so
"$builddir/kinst" $CC -w -fno-builtin -g -O1 -fopenmp loads.c -o loads -Wl,-rpath,'$ORIGIN/beside' -ldl
run loads ./loads
is loads.csv late.c:6 blocks 10
is loads.csv late.c:6 bytes 43210
is loads.csv loads.c:8 live 1

# What the compiler copies is one place: clang unrolls the loops that allocate.
if [ -n "$CLANG" ]; then
	"$builddir/kinst" --access $CLANG -g -O2 -fopenmp "$here/objects.c" -o clanged
	run clanged ./clanged
	is clanged.csv "$small" blocks 80000
	is clanged.csv "$small" bytes $((4 * sum))
	names clanged.csv | grep "^$small.*#2" && fail 'copies of a call are told apart'
	[ "$(count clanged.csv "$small" stores)" = 80000 ] || fail "by clang: $(count clanged.csv "$small" stores) stores"
fi

# What has no name of its own goes to the section of its file: 100 increments of what begins with zeros, 50 of what does
# not, although the dynamic linker makes a part of the same segment read-only, and one load of an argument.  That the
# constants of files are not counted is no loss that the program's author could mend.
cat >sections.c <<'END'
#include <stdio.h>
static int small[8], begun[8] = { 7 }, large[5000];
int main(int argc, char **argv)
{
	long sum = 0;
	int i;

#pragma omp parallel for reduction(+ : sum)
	for (i = 0; i < 1000; i++)
		sum += large[i];
	for (i = 0; i < 100; i++)
		small[(i * argc) % 8] += 1;
	for (i = 0; i < 50; i++)
		begun[(i * argc) % 8] += 1;
	printf("%ld %d\n", sum, small[3] + begun[3]);
	return 0;
}
END
"$builddir/kinst" --access $CC -g -O1 -fopenmp sections.c -o sections
run sections ./sections
[ "$(count sections.csv 'app: bss' loads) $(count sections.csv 'app: bss' stores)" = '101 100' ] ||
	fail "sections: $(count sections.csv 'app: bss' loads) loads, $(count sections.csv 'app: bss' stores) stores"
[ "$(count sections.csv 'app: data' loads) $(count sections.csv 'app: data' stores)" = '51 50' ] ||
	fail "sections: $(count sections.csv 'app: data' loads) loads, $(count sections.csv 'app: data' stores) stores of data"
! grep -i 'not counted: \|not measured: data' sections.csv || fail 'constants of files are a loss'
[ "$(count sections.csv large loads)" = 1000 ] || fail 'a variable is part of a section'
[ "$(count sections.csv '(other)' loads)" = 0 ] || fail 'something has no name'
! names sections.csv | grep -q ': code' || fail 'a section that is not used is shown'

# Static programs, where this system has what they need.  As helpers are looked for where kinst is installed alone, lines
# come from addr2line.
# lines CSV PROGRAM: puts the line of the source in the place of an address.
lines() {
	sed -n 's/^app+\(0x[0-9a-f]*\),.*/\1/p' "$1" | sort -u >addresses
	while read -r address; do # where the call returns to
		printf '%x\n' $((address - 1))
	done <addresses | addr2line -e "$2" -s | sed 's/ .*//' | paste -d' ' addresses - |
		awk '{ print "s#^app+" $1 ",#" $2 ",#" }' >names
	sed -i -f names "$1"
}
for way in -static -static-pie; do
	in_part 2 || continue
	for hooks in --access --no-access; do
		"$builddir/kinst" $hooks $CC -g -O1 $way -fopenmp "$here/objects.c" -o still 2>/dev/null || continue 2
		run still ./still
		lines still.csv still
		for sums in 'small blocks:80000' 'longer block:40000' 'shorter block:40000' 'aligned block:400' 'zeroed block:400'; do
			is still.csv "objects.c:$(line "${sums%:*}")" blocks "${sums#*:}"
			is still.csv "objects.c:$(line "${sums%:*}")" live 0
		done
		is still.csv "objects.c:$(line 'small blocks')" bytes $((4 * sum))
		is still.csv "objects.c:$(line 'kept block')" 'peak bytes' 123456
		is still.csv "objects.c:$(line 'mapped block')" bytes 65536
		[ $hooks = --access ] || continue # there are no objects, for which the calls are told
		# a path ends where the OpenMP library calls, in each thread
		OMPP_OBJECTS=all OMPP_APPNAME=app OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=now.csv OMPP_QUIET=1 ./still >/dev/null
		lines now.csv still
		block now.csv "objects.c:$(line 'aligned block')" calls | grep -qx 'exe+0x[0-9a-f]*' || fail "$way: path: $(cat now.csv)"
		block now.csv "objects.c:$(line 'kept block')" calls | grep -q / || fail "$way: no path: $(cat now.csv)"
	done
	"$builddir/kinst" --access $CC -g -O1 $way -s -fopenmp "$here/objects.c" -o still
	run stripped ./still
	[ "$(awk -F, '/^app\+/ && $2 == 80000' stripped.csv | wc -l)" = 1 ] || fail 'stripped: a place is several'
	[ -n "$GXX" ] && "$builddir/kinst" --access $GXX -g -O0 $way -fopenmp "$here/objects.cpp" -o still 2>/dev/null || continue
	run still ./still
	# new, whose malloc() is the C++ library's, and who called it
	grep -o 'exe+0x[0-9a-f]*' still.csv | sed 's/exe+//' | sort -u | while read -r address; do
		printf '%x\n' $((address - 1))
	done | addr2line -e still -s | sed 's/ .*//' >callers
	for what in '// made' 'make(1000)' 'make(3000)'; do
		grep -qx "objects.cpp:$(grep -n "$what" "$here/objects.cpp" | cut -d: -f1)" callers || fail "$way: C++, $what: $(cat callers)"
	done
done
# an allocator of the program's own
cat >own.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char room[1 << 20];
static size_t n_used;
void *malloc(size_t n) { void *p = room + n_used; n_used += (n + 15) / 16 * 16; return n_used > sizeof room ? 0 : p; }
void free(void *p) { (void)p; }
void *calloc(size_t n, size_t size) { return malloc(n * size); }
void *realloc(void *p, size_t n) { void *now = malloc(n); if (p && now) memcpy(now, p, n); return now; }
void *aligned_alloc(size_t to, size_t n) { n_used = (n_used + to - 1) / to * to; return malloc(n); }
void *memalign(size_t to, size_t n) { return aligned_alloc(to, n); }
int posix_memalign(void **p, size_t to, size_t n) { return (*p = aligned_alloc(to, n)) ? 0 : 12; }
EOF
cat >uses.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	char *kept = malloc(5000);
	for (int i = 0; i < 10; i++)
		free(malloc(7000));
	printf("%d\n", kept[3] == 0);
	return 7;
}
EOF
if $CC -static -fno-builtin -w -fopenmp own.c uses.c -o plain 2>/dev/null; then
	"$builddir/kinst" --functions $CC -static -g -fno-builtin -w -fopenmp own.c uses.c -o still
	run still ./still
	[ "$(awk -F, '/^app\+/ && ($2 == 1 && $4 == 5000 || $2 == 10 && $4 == 70000) { n++ } END { print n }' still.csv)" = 2 ] ||
		fail "an allocator of its own: $(cat still.csv)"
fi

# What is wrong is said.
OMPP_OBJECTS=evrything OMPP_REPORTFILE=none ./objects 2>err >/dev/null
grep -q "OMPP_OBJECTS: 'evrything': not understood: one of auto,named,all" err || { cat err; fail 'a wrong word is taken'; }
[ -z "${missing:-}" ] || skip "$missing is not installed"
