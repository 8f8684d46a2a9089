# trace: OMPP_TRACE=1 writes events to a trace beside the report, whatever happens to the program
. "$srcdir/tests/lib.sh"

export OMPP_OVERWRITE=1 OMPP_QUIET=1 OMPP_TRACE=1
src=$srcdir/tests/runtime

cat >small.c <<'C'
#include <sys/prctl.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	return argc < 2 || execv(argv[1], argv + 1);
}
C
"$CC" -o small small.c
kinst "$CC" -O1 -g -fopenmp -o trace "$src/trace.c"

# events FILE: writes the events of a trace to the file `events`, and what ompp says of it to `said`.
events() {
	ompp flow --view=events --format=csv "$1" >events 2>said || fail "$1: $(cat said)"
}

# whole FILE: a trace has nothing that is damaged or cut off; its events are in the file `events`.
whole() {
	events "$1"
	! grep -q 'damaged' said || fail "$1: $(cat said)"
}

# n PATTERN FILE: how many lines match.
n() {
	grep -c "$1" "$2" || :
}

touches() {
	OMPP_SAMPLE=touch ./small ./trace "$@"
}

touches 2>messages
! grep -rq 'source touch is off' trace.*.txt || skip 'page faults cannot be sampled here'
file=$(echo trace.*.ompp.flow)
whole "$file"
[ ! -s said ] || fail "said of a whole trace: $(cat said)"
[ "$(n ',touch,.*,a,PARALLEL LOOP trace.c:28,' events)" = 1000 ] || fail "touches of a: $(n ',a,' events)"
[ "$(n ',touch,.*,"odd, ""b""\\n",PARALLEL LOOP trace.c:28,' events)" = 1000 ] || fail "touches of b: $(tail -1 events)"
[ "$(n ',touch,.*,trace.c:30,touch,.*,a,' events)" = 1000 ] || fail "source lines: $(grep ',a,' events | head -1)"
# Each of the two threads enters the region twice.
[ "$(n ',change,.*,PARALLEL LOOP trace.c:28,' events)" = 4 ] || fail "changes of regions: $(grep ',change,' events)"
[ "$(grep ',a,' events | cut -d, -f3 | sort | uniq -c | awk '{ printf "%d ", $1 }')" = '500 500 ' ] || fail 'touches by thread'
rm -f trace.*

# The samples of hooks are those that the report counts.
OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=50 ./small ./trace
if [ -e "$(echo trace.*.ompp.flow)" ]; then
	whole trace.*.flow
	ompp report --format=csv --view=memory trace.*.ompp >memory.csv
	for kind in load store; do
		found=$(n ",$kind,.*,a,PARALLEL" events)
		told=$(awk -F, -v kind="${kind}s" '/^##BEG/ { i++ } i == 2 && $1 == "a" && $2 == kind { print $3; exit }' memory.csv)
		[ "$found" = "${told:-0}" ] || fail "hook: $found samples of ${kind}s, and the report has $told"
	done
	# The views add the same samples up, and compressed they are the same.
	ompp flow --format=csv trace.*.flow >objects
	for kind in loads stores; do
		found=$(awk -F, -v kind=$kind 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } $1 == "a" { print $column[kind] }' objects)
		[ "${found:-0}" = "$(n ",${kind%s},.*,a,PARALLEL" events)" ] || fail "objects: $found $kind: $(cat objects)"
	done
fi
rm -f trace.*

# A process that is killed leaves what it has written.
touches kill && fail 'not killed'
whole trace.*.ompp.flow
grep -q 'was cut off' said || fail "killed: $(cat said)"
[ "$(n ',a,' events)" -ge 900 ] || fail "killed: $(n ',a,' events) events are left"
rm -f trace.*

# The program closes all descriptors; forks.
touches close || fail "close: ends with $?"
whole trace.*.flow
[ "$(n ',a,' events)" = 1000 ] || fail 'close: samples are missing'
rm -f trace.*
touches fork || fail "fork: ends with $?"
ls trace.*.flow >files
[ "$(wc -l <files)" = 2 ] || fail "fork: $(cat files)"
for file in trace.*.flow; do whole "$file"; cat events >>both; done
[ "$(n ',"odd' both)" = 1100 ] || fail 'fork: events are missing'
rm -f trace.*

# The limit, and what is left out.
OMPP_TRACE_LIMIT=10K touches
whole trace.*.flow
[ "$(wc -c <"$(echo trace.*.flow)")" -le 10240 ] || fail 'beyond the limit'
left=$(grep -oh '[0-9][0-9 ]* events are not in the trace' trace.*.txt | sed 's/[^0-9]//g; q')
[ -n "$left" ] || fail "nothing is told to be left out: $(grep 'not in the trace' trace.*.txt)"
[ $((left + $(wc -l <events) - 1)) -ge 2000 ] || fail "$left are left out"
grep -q "$left events are left out" said || fail "left out: $left in the report, and $(cat said)"
grep -q ',trace.c:30,' events || fail 'no room is left for names'
rm -f trace.*

# No room: the file ends with a whole block, what is said of it does not look as if it were complete, and the program ends
# as it would.
(ulimit -f 8 && OMPP_QUIET=0 OMPP_PROFILE=0 touches 2>messages) || fail "ulimit: ends with $?"
grep -q 'trace: .*[.]flow: cut off: larger than the limit of file sizes' messages || fail "ulimit: $(cat messages)"
whole trace.*.flow
rm -f trace.*

# Names never lead through links.
mkdir links
echo mine >victim
ln -s ../victim links/report.txt.ompp.flow
OMPP_REPORTFILE=links/report.txt touches
[ "$(cat victim)" = mine ] || fail 'written through a link'
whole links/report.txt.ompp.flow

# Without a source there are the regions alone: each of two threads is in the parallel region twice, and then no more.
OMPP_QUIET=0 ./trace 2>messages
grep -q 'OMPP_TRACE: nothing is sampled, so the trace has regions and messages alone; choose a source with OMPP_SAMPLE' messages ||
	fail "no source: $(cat messages)"
ompp flow --view=events --format=csv trace.*.flow >changes
[ "$(grep -c ',change,' changes)" = 8 ] && [ "$(grep -c ',PARALLEL LOOP ' changes)" = 4 ] || fail "regions alone: $(cat changes)"
rm -f trace.*

# A trace whose end or middle is damaged: all else is read, and what is lost is told.
touches
file=$(echo trace.*.flow)
events "$file"
all=$(wc -l <events)
bytes=$(wc -c <"$file")
head -c $((bytes / 2)) "$file" >cut.ompp.flow
events cut.ompp.flow
grep -q 'was cut off' said || fail "cut: $(cat said)"
[ "$(wc -l <events)" -gt $((all / 3)) ] || fail "cut: $(wc -l <events) events of $all"
cp "$file" damaged.ompp.flow
printf 'XXXX' | dd of=damaged.ompp.flow bs=1 seek=$((bytes / 2)) conv=notrunc 2>dd.log
events damaged.ompp.flow
grep -q 'bytes are damaged or cut off' said || fail "damaged: $(cat said)"
[ "$(wc -l <events)" -gt $((all * 3 / 4)) ] || fail "damaged: $(wc -l <events) events of $all"

# Blocks of memory, with the threads that allocated what is accessed.
cat >blocks.c <<'C'
#include <stdlib.h>
int main(void)
{
	double sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum) schedule(static)
	for (int i = 0; i < 20; i++) {
		volatile double *mine = malloc(8192 * sizeof *mine);
		for (int k = 0; k < 8192; k++)
			mine[k] = k;
		sum += mine[i];
		free((void *)mine);
	}
	return sum < 0;
}
C
kinst --access "$CC" -O1 -g -fopenmp -o blocks blocks.c
OMPP_OBJECTS=all OMPP_SAMPLE=touch ./blocks
whole blocks.*.flow
for kind in allocation free; do
	[ "$(n ",$kind,.*,65536,blocks.c:7 mine = malloc(…),PARALLEL LOOP blocks.c:5," events)" = 20 ] ||
		fail "$kind: $(grep ",$kind," events | head -3)"
done
ompp flow --format=csv --view=events --kind=touches blocks.*.flow >touches
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } /blocks.c:7 mine/ { n++; bad += $c["allocator"] != $c["thread"] } END { exit !n || bad }' \
	touches || fail "allocators: $(head -3 touches)"

# Threads that allocate at the same time, in a user region: nothing is lost, and each block begins and ends once.
cat >many.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static void *work(void *arg)
{
	for (int r = 0; r < 20; r++) {
#pragma pomp inst begin(part)
		for (int i = 0; i < 100; i++)
			free(memset(malloc(100 + i), 1, 100));
#pragma pomp inst end(part)
	}
	return arg;
}
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
C
kinst "$CC" -O1 -g -fopenmp -o many many.c -lpthread
OMPP_OBJECTS=all OMPP_SAMPLE=touch ./many
whole many.*.flow
for kind in allocation free; do
	[ "$(n ",$kind,.*,many.c:9 [^,]*,USER REGION part:7," events)" = 8000 ] || fail "many: $(n ",$kind," events) of $kind"
done
[ "$(n ',change,.*,USER REGION part:7,' events)" = 80 ] || fail "many: $(n ,change, events) changes"
