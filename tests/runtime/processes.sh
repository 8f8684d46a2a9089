# processes: forked children report their own, exec is preceded by a report, vfork and system leave none
. "$srcdir/tests/lib.sh"

$CC -fopenmp "$srcdir/tests/runtime/processes.c" -o plain
kinst $CC -fopenmp "$srcdir/tests/runtime/processes.c" -o ours
export OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMP_NUM_THREADS=2

# both HOW N: fails unless the program ends as plainly, and leaves N reports.
both() {
	rm -f ./*.csv
	status=0 want=0
	./plain "$1" >want.out 2>want.err || want=$?
	./ours "$1" >got.out 2>got.err || status=$?
	[ $status = $want ] || fail "$1: status $status, plain $want"
	same "$1: stdout" want.out got.out
	grep -v '^ompp:' got.err >rest.err || :
	same "$1: stderr without our lines" want.err rest.err
	n=$(ls | grep -c '\.ompp\.csv$' || :)
	[ "$n" = "$2" ] || fail "$1: $n reports instead of $2: $(ls)"
}

loop() {
	[ "$(csv_field "$1" 'PARALLEL LOOP' SUM execC)" = "$2" ] || fail "$how: not $2 executions of the loop in $1"
}

how=fork-plain
both $how 1
loop ours.2-0.ompp.csv 4

for how in fork-regions fork-_exit; do
	both $how 2
	loop ours.2-0.ompp.csv 4
	! grep -q ',CRITICAL,' ours.2-0.ompp.csv ||
		fail "$how: the child's region is in the parent's report"
	child=$(ls | grep 'ours\.2\.[0-9]*-0\.ompp\.csv') || fail "$how: no report with the child's pid"
	[ "$(csv_field "$child" CRITICAL SUM execC)" = 1 ] || fail "$how: the child's region is not in its report"
	! grep -q ',PARALLEL LOOP,' "$child" || fail "$how: the parent's loop is in the child's report"
done

# forked within regions: what the child spends in them is its own, and no part of that is longer than its whole (lib.sh)
how=fork-inside
both $how 2
loop ours.2-0.ompp.csv 6
child=$(ls | grep 'ours\.2\.[0-9]*-0\.ompp\.csv')
[ "$(csv_field "$child" SINGLE SUM execC)" = 3 ] || fail "$how: not the child's singles"
[ "$(csv_field "$child" LOOP SUM execC)" = 1 ] || fail "$how: not the child's loop"
awk -v part="$(csv_field "$child" LOOP SUM execT)" -v all="$(csv_field "$child" PARALLEL SUM execT)" \
	'BEGIN { exit !(part > 0 && all >= part) }' || fail "$how: the loop, and the region around it"
check_reports . || fail "$how: a report contradicts itself"
how=fork-open
both $how 2
check_reports . || fail "$how: a report contradicts itself"

for how in exec exec-env vfork system; do
	both $how 1
done
how=vfork
both $how 1
loop ours.2-0.ompp.csv 4
how=exec
both $how 1
loop ours.2-0.ompp.csv 2
how=exec-fails
both $how 1
loop ours.2-0.ompp.csv 4
# daemon() forks, and the process that called it ends: there is a report of each
how=daemon
mkdir daemon
(cd daemon && ../ours daemon >out 2>err)
for i in $(seq 200); do
	child=$(ls daemon | grep 'ours\.2\.[0-9]*-0\.ompp\.csv' || :)
	[ -z "$child" ] || [ ! -s "daemon/$child" ] || break
	sleep 0.05
done
loop daemon/ours.2-0.ompp.csv 2
[ "$(csv_field "daemon/$child" CRITICAL SUM execC)" = 1 ] || fail "daemon: the region of the daemon is not in its report"
how=exec-self
both $how 2
loop ours.2-0.ompp.csv 2
loop ours.2-1.ompp.csv 2

# a child that does nothing looks at no files and maps nothing, and ends, in each way, with few system calls more than plainly
command -v strace >/dev/null || exit 0
cat >idle.c <<'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int sum = 0, status;

#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 100; i++)
		sum += i;
	for (int i = 0; i < 20; i++) {
		pid_t child = fork();

		if (!child && argv[1][0] == 'e')
			exit(i & 7);
		if (!child && argv[1][0] == '_')
			_exit(i & 7);
		if (!child && argv[1][0] == 'x') {
			execl("/nowhere", "nowhere", (char *)NULL);
			_exit(i & 7);
		}
		waitpid(child, &status, 0);
		sum += WEXITSTATUS(status);
	}
	return argc < 2 || sum < 4950;
}
C
$CC -O1 -fopenmp idle.c -o idle.plain
kinst $CC -O1 -fopenmp idle.c -o idle.ours
for how in exit _exit x; do
	for one in plain ours; do
		rm -rf trace
		mkdir trace
		strace -ff -o trace/of ./idle.$one $how >/dev/null 2>&1 || skip 'strace may not trace'
		for of in trace/of.*; do
			head -1 "$of" | grep -q ^set_robust_list || rm "$of" # no child of fork()
		done
		[ "$(ls trace | wc -l)" = 20 ] || fail "idle, $how: $(ls trace | wc -l) children"
		wc -l trace/* | sort -n | awk '$2 != "total" { n = $1 } END { print n }' >n.$one
		[ $one = plain ] || ! grep -E 'open|mmap|clone' trace/* || fail "idle, $how: a child does what it need not"
	done
	[ "$(cat n.ours)" -le $(($(cat n.plain) + 16)) ] || fail "idle, $how: $(cat n.ours) system calls, plainly $(cat n.plain)"
	echo "idle, $how: $(cat n.ours) system calls, plainly $(cat n.plain)"
done
