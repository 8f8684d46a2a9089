# recorded: where ompp record, stat or live watch an ompp run, what they tell of the process and its threads is that of
# the program that it runs: as many page faults and threads as it makes, also of one that runs already
. "$srcdir/tests/lib.sh"

cat >faults.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
enum { PAGES = 20000, SLEEPERS = 5 };
static void *sleeper(void *none)
{
	sleep(100);
	return none;
}
int main(void)
{
	char *p = mmap(NULL, PAGES * 4096L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t t;
	madvise(p, PAGES * 4096L, MADV_NOHUGEPAGE);
	for (int i = 0; i < SLEEPERS; i++)
		pthread_create(&t, NULL, sleeper, NULL);
	puts("here");
	fflush(stdout);
	usleep(500000);
	for (long i = 0; i < PAGES; i++)
		p[i * 4096] = 1;
	usleep(500000);
	return 5;
}
C
$CC -w -O1 faults.c -o faults -pthread

# told FILE: the lines of ompp stat -e process:minor,process:threads,task:run@* have the program's faults and threads
told() {
	awk '$1 ~ /^[0-9.]+$/ && $2 ~ /^[0-9.]+$/ { sum += $2 * ($1 - last) }
		$1 ~ /^[0-9.]+$/ { last = $1; if ($3 > most && $3 != "-") most = $3 }
		END { print sum + 0, most + 0; exit sum < 19600 || sum > 21500 || most != 6 }' "$1" >sums ||
		{ cat "$1"; fail "$1: not 20000 faults and 6 threads, but $(cat sums)"; }
}
export OMPP_REPORTFILE=none
events=process:minor,process:threads
for way in './faults' 'ompp run ./faults' 'env A=b ompp run ./faults'; do
	status=0
	ompp stat -e $events --interval=50ms -- $way 2>seen >out || status=$?
	[ $status = 5 ] && [ "$(cat out)" = here ] || fail "$way: status $status: $(cat seen)"
	told seen
done
status=0
ompp record -o r.jsonl -e "$events,task:run@*" --interval=50ms -- ompp run ./faults 2>err >out || status=$?
[ $status = 5 ] || fail "record: status $status: $(cat err)"
ompp stat -e $events r.jsonl >shown || fail "record: nothing to show"
told shown
# a source for each thread of the program, and one of ompp run before it
ompp export r.jsonl >r.csv || fail "record: no table"
n=$(head -n 1 r.csv | tr , '\n' | sed -n 's/^task:run@\([^ ]*\) .*/\1/p' | sort -u | wc -l)
[ "$n" = 6 ] || [ "$n" = 7 ] || fail "record: $n threads: $(head -n 1 r.csv)"

# one that runs already
ompp run ./faults >out 2>err &
pid=$!
until grep -q here out; do sleep 0.02; done
ompp stat -e $events --interval=50ms --pid=$pid >attached 2>&1 || fail "attached: $(cat attached)"
wait $pid || [ $? = 5 ] || fail "attached: the run's status"
told attached
# programs one after another
unset OMPP_REPORTFILE
export OMP_NUM_THREADS=1
cat >two.c <<'C'
#include <unistd.h>
int main(void)
{
	_Pragma("omp parallel") usleep(400000);
	return 0;
}
C
kinst $CC -fopenmp two.c -o two
ompp record -o two.jsonl --interval=50ms -- ompp run --threads=1,2 ./two >out 2>err || fail "two: $(cat err)"
ompp stat -e process:threads two.jsonl >seen || fail "two: nothing to show"
awk '$2 == "1" || $2 == "2" { n[$2]++ } END { exit !(n[1] && n[2]) }' seen || { cat seen; fail "two: not both programs"; }
