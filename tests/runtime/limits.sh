# limits: many threads, entries, call paths, levels, hosts: nothing is lost without a note, memory stays bounded
. "$srcdir/tests/lib.sh"

kinst $CC -fopenmp -O1 "$srcdir/tests/runtime/limits.c" -o prog
export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE="$PWD/report" OMPP_PROFILE=0

# run WHAT N OUTPUT
run() {
	./prog "$1" "$2" >out 2>err || fail "$*: status $?"
	[ "$(cat out)" = "$3" ] || fail "$*: wrong result $(cat out)"
	! grep -v '^ompp: report' err || fail "$*: complaints"
}
count() {
	csv_field report "$1" "$2" execC
}
visits() {
	awk -F, '/^##BEG flat/ { flat = 1 } /^##END flat/ { flat = 0 } flat && $1 == "SUM" { n += $3 } END { print n }' report
}

run threads 64 128
[ "$(count PARALLEL SUM)" = 64 ] || fail "64 threads"
[ "$(count CRITICAL SUM)" = 64 ] && [ "$(count CRITICAL 63)" = 1 ] || fail "64 threads' criticals"
! grep -q -i 'could not be identified\|not measured' report || fail "64 threads: losses"

run entries 10000000 10000000
[ "$(count CRITICAL SUM)" = 10000000 ] || fail "10^7 entries"

run nodes 100000 100000
total=$(visits)
[ "$total" = 100000 ] || fail "10^5 call paths: $total visits in the flat profile"
! grep -q 'lost' report || fail "10^5 call paths: losses in 64 MiB"

# in little memory the rest is lost, and counted: no visit without a trace
OMPP_MEM=1M run nodes 100000 100000
grep -q 'were charged to (lost)' report || fail "no note of what was lost"
total=$(visits)
[ "$total" = 100000 ] || fail "small memory: $total visits in the flat profile"

run recursion 10000 10000
[ "$(count 'USER REGION' SUM)" = 10000 ] || fail "10^4 levels: $(count 'USER REGION' SUM)"
grep -q 'OMPP_MAX_DEPTH' report || fail "folding without a note"

run hosts 5 50
[ "$(count PARALLEL SUM)" = 50 ] || fail "5 hosts: $(count PARALLEL SUM)"
for host in 2 3 4 5 6; do
	[ "$(count PARALLEL h$host:0)" = 5 ] && [ "$(count PARALLEL h$host:1)" = 5 ] || fail "host $host"
done
