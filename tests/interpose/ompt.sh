# ompt: a program by Clang that kinst did not build is measured by ompp run, by what its OpenMP library tells tools: the
# constructs are counted as in the same program built by kinst, with the program's own output and status
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/measure.sh"

need_clang() {
	[ -n "$CLANG" ] && echo 'int main(void) { return 0; }' >it.c && $CLANG -fopenmp it.c -o it 2>/dev/null && ./it
}
need_clang || skip 'there is no clang with an OpenMP library'

# is_whole FILE: all that began has ended.
is_whole() {
	! grep -E 'left without their end|came without a begin' "$1" || fail "$1: $(grep '^Note' "$1")"
}

# What the library tells of the same constructs: combined ones as their parts, master as masked.
of_parts() {
	awk -F'|' '
		{ n[$1] = $2 }
		END {
			n["PARALLEL"] += n["PARALLEL LOOP"] + n["PARALLEL SECTIONS"]
			n["LOOP"] += n["PARALLEL LOOP"]
			n["SECTIONS"] += n["PARALLEL SECTIONS"]
			n["MASKED"] += n["MASTER"]
			split("PARALLEL LOOP|PARALLEL SECTIONS|MASTER|ATOMIC|USER REGION", no, "|")
			for (i in no) delete n[no[i]]
			for (type in n) print type "|" n[type]
		}' | LC_ALL=C sort
}

for level in -O0 -O2; do
	$CLANG $level -w -g -fopenmp "$srcdir/tests/runtime/constructs.c" -o plain
	kinst $CLANG $level -w -g -fopenmp "$srcdir/tests/runtime/constructs.c" -o ours
	./plain >want
	measure ours.csv ./ours >/dev/null
	measure plain.csv ompp run ./plain >got || fail "constructs $level: $?"
	same "constructs $level: output" want got
	counts ours.csv | of_parts >expected
	counts plain.csv >found
	same "constructs $level: counts" expected found
	is_whole plain.csv
	grep -q 'by what LLVM.s OpenMP library tells' plain.csv || fail 'the report does not say how it was measured'
done

# Places, at -O2 too: the lines of the directives.
for construct in parallel:PARALLEL critical:CRITICAL barrier:BARRIER task:TASK taskwait:TASKWAIT single:SINGLE; do
	line=$(grep -n "pragma omp ${construct%:*}" "$srcdir/tests/runtime/constructs.c" | grep -v 'for\|sections' | head -n 1 | cut -d: -f1)
	awk -F, -v type="${construct#*:}" -v line="$line" '/^R[0-9]+,/ && $2 == type && $3 ~ /constructs.c$/ && $4 == line { ok = 1 } END { exit !ok }' \
		plain.csv || fail "$construct: no region at line $line: $(grep "^R[0-9]*,${construct#*:}," plain.csv)"
done

# All kinds of loops, tasks and waits, each so often as arithmetic says, by three threads.
if $CLANG -w -g -O1 -fopenmp "$srcdir/tests/interpose/many.c" -o many 2>/dev/null; then
	rc=0
	./many >want || rc=$?
	[ $rc = 3 ] || fail "many: $rc"
	rc=0
	measure many.csv ompp run ./many >got || rc=$?
	[ $rc = 3 ] || fail "many by ompp run: $rc"
	same 'many: output' want got
	counts many.csv >found
	# a taskgroup around each taskloop; each of 29 iterations posts and waits
	cat >expected <<'END'
LOOP|33
MASKED|1
ORDERED|58
PARALLEL|18
SINGLE|6
TASKEXEC|44
TASKGROUP|3
TASKLOOP|2
TASKWAIT|2
TASK|33
TEAMS|1
END
	same 'many: counts' expected found
	is_whole many.csv
	OMPP_INTERPOSE=0 measure off.csv ompp run ./many >/dev/null || :
	[ ! "$(counts off.csv)" ] || fail "OMPP_INTERPOSE=0: $(counts off.csv)"
fi

# Taskloops whose tasks make tasks, untied tasks in parts, regions in regions, a cancelled loop.
$CLANG -w -g -O1 -fopenmp "$srcdir/tests/interpose/more.c" -o more
for levels in 1 4; do
	rc=0
	OMP_MAX_ACTIVE_LEVELS=$levels OMP_CANCELLATION=true ./more >want || rc=$?
	OMP_MAX_ACTIVE_LEVELS=$levels OMP_CANCELLATION=true measure more.csv ompp run ./more >got || fail "more: $?"
	same "more, $levels levels: output" want got
	counts more.csv >found
	# threads of the seven regions: 2, 2 × 2 and 4 × 2; where only the outermost has two, 2, 2 and 4
	[ $levels = 4 ] && n=14 || n=8
	cat >expected <<END
CANCEL|1
CRITICAL|$((n + 3))
LOOP|$((n + 2))
PARALLEL|$((n + 5))
SINGLE|2
TASKEXEC|113
TASKGROUP|1
TASKLOOP|2
TASKWAIT|2
TASK|3
END
	same "more, $levels levels: counts" expected found
	is_whole more.csv
done

# The library begins the loop of `distribute parallel for` as a loop, and may end it as a distribute: all ends, and the
# parts of each team are no longer than it (the reports are checked at the end).
cat >league.c <<'C'
#include <stdio.h>
int main(void)
{
	int n = 0;
#pragma omp teams distribute parallel for num_teams(2) thread_limit(2) reduction(+ : n)
	for (int i = 0; i < 100; i++)
		n += i;
	printf("%d\n", n);
	return 0;
}
C
$CLANG -w -O1 -fopenmp league.c -o league
OMP_NUM_THREADS=2 measure league.csv ompp run ./league >got || fail "league: $?"
[ "$(cat got)" = 4950 ] || fail "league: $(cat got)"
is_whole league.csv
[ "$(sum league.csv LOOP execC)" -ge 2 ] && [ "$(sum league.csv LOOP execC)" = "$(sum league.csv PARALLEL execC)" ] ||
	fail "league: $(counts league.csv)"

# A worker learns late that its team has ended: what the program does meanwhile is none of its waiting.  The wait for a
# slow thread at the end of a loop is the loop's.
cat >waits.c <<'C'
#include <omp.h>
#include <time.h>
static void rest(double seconds)
{
	double until = omp_get_wtime() + seconds;
	while (omp_get_wtime() < until)
		;
}
int main(void)
{
	for (int i = 0; i < 2; i++) {
#pragma omp parallel num_threads(2)
		{
#pragma omp for schedule(static)
			for (int k = 0; k < 2; k++)
				rest(k ? 0.2 : 0);
		}
		if (!i)
			nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
	}
	return 0;
}
C
$CLANG -w -g -O1 -fopenmp waits.c -o waits
# waits TYPE: the sum of the threads' waiting in a construct, in milliseconds
waits() {
	sum waits.csv "$1" exitBarT | awk '{ printf "%d\n", 1000 * $1 }'
}
for try in 1 2 3; do
	measure waits.csv ompp run ./waits || fail "waits: $?"
	[ "$(waits LOOP)" -ge 300 ] && [ "$(waits PARALLEL)" -lt 700 ] && break
	[ $try -lt 3 ] || fail "waits of the loop $(waits LOOP) ms, of the region $(waits PARALLEL) ms"
done

# Of a program of which kinst built a part, each construct is counted once, whichever part that is; and so where a part
# is GCC's, with a library of its own.
printf '%s\n' 'CRITICAL|4' 'LOOP|4' 'PARALLEL|4' >expected
for ours in main library none both gcc clang; do
	own=$CLANG other=$CLANG run=
	case $ours in
	main) own="kinst $CLANG" ;;
	library) other="kinst $CLANG" ;;
	both) own="kinst $CLANG" other="kinst $CLANG" ;;
	none) run='ompp run' ;;
	gcc) other=$CC run='ompp run' ;;
	clang) own=$CC run='ompp run' ;;
	esac
	$other -w -g -O1 -fopenmp -fPIC -shared -DOWN=second -DOTHER=first "$srcdir/tests/interpose/part.c" -o libpart.so
	$own -w -g -O1 -fopenmp -DOWN=first -DOTHER=second -DMAIN "$srcdir/tests/interpose/part.c" -o parts -L. -lpart -Wl,-rpath,"$PWD"
	measure parts.csv $run ./parts || fail "parts, $ours: $?"
	counts parts.csv >found
	same "parts, $ours: counts" expected found
	for row in 0 1; do
		[ "$(sum parts.csv PARALLEL execC $row)" = 2 ] || fail "parts, $ours: teams of thread $row"
	done
	is_whole parts.csv
done

# A library by Clang in a program by GCC has its locks in its own OpenMP library, whose functions have versions of their
# own, and that it calls them is said where it is not measured.
cat >locks.c <<'C'
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
int OWN(void)
{
	omp_lock_t lock;
	long word[2] = { 0, 0 };
	omp_init_lock(&lock);
	omp_set_lock(&lock);
	word[0] = *(int *)&lock; /* what a library writes there tells which one it is */
	omp_unset_lock(&lock);
	return word[0];
}
#ifdef MAIN
int OTHER(void);
int main(void)
{
	printf("%d %d\n", OWN(), OTHER());
	return 0;
}
#endif
C
$CLANG -w -g -O1 -fopenmp -fPIC -shared -DOWN=second locks.c -o liblocks.so
$CC -w -g -O1 -fopenmp -DOWN=first -DOTHER=second -DMAIN locks.c -o locks -L. -llocks -Wl,-rpath,"$PWD"
./locks >want
measure locks.csv ompp run ./locks >got || fail "locks: $?"
same 'locks of two libraries' want got
[ "$(counts locks.csv)" ] || grep -q 'functions that several libraries here have' locks.csv || fail 'locks of two libraries: no word'

# A tool that the user asks for is the tool, as without us.
cat >tool.c <<'C'
#include <stdio.h>
static int initialize(void *lookup, int device, void *data)
{
	(void)lookup, (void)device, (void)data;
	puts("the tool");
	return 0;
}
static void finalize(void *data)
{
	(void)data;
}
void *ompt_start_tool(unsigned version, const char *words)
{
	static struct { void *initialize, *finalize; long data; } tool = { initialize, finalize, 0 };
	(void)version, (void)words;
	return &tool;
}
C
$CC -w -fPIC -shared tool.c -o libtool.so
for asked in OMP_TOOL_LIBRARIES LD_PRELOAD; do
	env $asked="$PWD/libtool.so" ./plain >want
	grep -q 'the tool' want || continue
	measure tool.csv env $asked="$PWD/libtool.so" ompp run ./plain >got || fail "$asked: $?"
	same "$asked: output" want got
	[ "$asked" = LD_PRELOAD ] || [ ! "$(counts tool.csv | grep -v LOCK)" ] || fail "$asked: $(counts tool.csv)"
done
