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
