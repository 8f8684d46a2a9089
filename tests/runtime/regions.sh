# regions: in which regions the threads of a running program are, who waits, and what has ended, as the program is written and as
# its report says at the end; the program does not notice.
. "$srcdir/tests/lib.sh"

mkdir shared
export XDG_RUNTIME_DIR="$work/shared" OMPP_QUIET=1 OMPP_OUTFORMAT=csv
kinst $CC -O1 -fopenmp "$srcdir/tests/runtime/regions.c" -o regions || fail 'regions.c'
line() { grep -n "$1" "$srcdir/tests/runtime/regions.c" | head -1 | cut -d: -f1; }
loop=regions.c:$(line 'omp for'):LOOP critical=regions.c:$(line 'omp critical'):CRITICAL:x
team=regions.c:$(line 'omp parallel'):PARALLEL alone=alone__and_slow atomic=regions.c:$(line 'omp atomic'):ATOMIC

# seconds CSV EVENT REGION VALUE: how long a gauge had that value, by samples of which each stands for its interval.
seconds() {
	awk -F, -v want="region:$2@$3" -v value="$4" '
		NR == 1 { for (i = 1; i <= NF; i++) { split($i, name, " "); if (name[1] == want) c = i } next }
		{ if (c && $c == value) sum += $1 - last; last = $1 }
		END { if (!c) exit 1; printf "%.3f\n", sum }' "$1" || fail "no column $2 of $3: $(head -1 "$1")"
}
# counted CSV EVENT REGION: what a counter has counted in all.
counted() {
	awk -F, -v want="region:$2@$3" '
		NR == 1 { for (i = 1; i <= NF; i++) { split($i, name, " "); if (name[1] == want) c = i } next }
		{ if (c && $c != "-") sum += $c * ($1 - last); last = $1 }
		END { if (!c) exit 1; printf "%.3f\n", sum }' "$1" || fail "no column $2 of $3: $(head -1 "$1")"
}
# bands FILE THREAD REGION WAITS: how long that thread was there, by the lines of threads, each up to the next one.
bands() {
	python3 - "$@" <<-'END' || fail "$1: lines of threads"
		import json, sys
		path, thread, region, waits = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
		total, since = 0.0, None
		for line in open(path):
		    d = json.loads(line)
		    if 'threads' in d:
		        assert len(d['threads']) == len(d['waits']) and d['t'] >= 0, d
		        if since is not None: total += d['t'] - since
		        at = d['threads'][thread] if thread < len(d['threads']) else -1
		        since = d['t'] if at >= 0 and d['regions'][at] == region and d['waits'][thread] == waits else None
		print('%.3f' % (total / 1e9))
	END
}
# Three rounds of 0.4 s in the loop, where one of two threads waits, 0.2 + 0.2 s of the critical region, where one waits and then
# is done, and 0.2 s alone.
whereabouts() {
	rm -f r.jsonl
	status=0
	OMPP_REPORTFILE=report.csv ompp record -o r.jsonl -e 'region@*' --interval=10ms -- ./regions 3 || status=$?
	[ $status = 6 ] || fail "status $status"
	ompp export r.jsonl >r.csv || fail 'export'
	near 'in the loop' "$(seconds r.csv threads "$loop" 2)" 1.2 12 || return 1
	near 'waiting in the loop' "$(seconds r.csv waiting "$loop" 1)" 1.2 12 || return 1
	near 'both at the critical region' "$(seconds r.csv threads "$critical" 2)" 0.6 15 || return 1
	near 'waiting for the critical region' "$(seconds r.csv waiting "$critical" 1)" 0.6 15 || return 1
	near 'one in the critical region' "$(seconds r.csv threads "$critical" 1)" 0.6 15 || return 1
	near 'waiting for the end of the team' "$(seconds r.csv waiting "$team" 1)" 0.6 15 || return 1
	near 'alone' "$(seconds r.csv threads "$alone" 1)" 0.6 15 || return 1
	# The same by thread: 1 works in the loop while 0 waits in it; thread 0 alone is in the user region.
	if command -v python3 >/dev/null; then
		near 'thread 1 in the loop' "$(bands r.jsonl 1 "$loop" 0)" 1.2 12 || return 1
		near 'thread 0 waiting in the loop' "$(bands r.jsonl 0 "$loop" 1)" 1.2 12 || return 1
		near 'thread 0 alone' "$(bands r.jsonl 0 "$alone" 0)" 0.6 15 || return 1
		near 'thread 1 in the user region' "$(bands r.jsonl 1 "$alone" 0)" 0 0 0.001 || return 1
	fi
	# Of three rounds the first is missing, as the region was not known before.
	[ "$(counted r.csv count "$critical" | awk '{ print int($1 + 0.5) }')" -ge 4 ] || { echo 'count of the critical region'; return 1; }
	[ "$(counted r.csv count "$critical" | awk '{ print int($1 + 0.5) }')" -le 6 ] || { echo 'count of the critical region'; return 1; }
	near 'time in the user region' "$(counted r.csv time "$alone")" 0.4 12 0.25 || return 1
}
retry 4 whereabouts || { tail -3 r.csv; fail 'the whereabouts of threads'; }

# Many short visits: what is counted while it runs is not more than the report has at its end.
OMPP_REPORTFILE=report.csv ompp record -o many.jsonl -e 'region@*' --interval=1ms -- ./regions 0 || [ $? = 6 ] || fail 'status'
ompp export many.jsonl >many.csv
if grep -qF "region:count@$atomic" many.csv; then
	n=$(counted many.csv count "$atomic" | awk '{ print int($1 + 0.5) }')
	[ "$n" -le 200400 ] || fail "$n atomics, and the program has 200000"
fi

# A program that runs already, if its memory may be read.
./regions 4 'true' &
pid=$!
sleep 0.2
ompp stat --pid=$pid -e 'region:threads@*' --interval=20ms --samples=50 >out 2>err || fail "--pid: $(cat err)"
kill $pid 2>/dev/null || :
wait $pid || :
grep -q ptrace_scope err || grep -qF "$loop" out || { cat out err; fail 'nothing by --pid'; }
# A program that becomes another one, one that starts others, and one that is not kinst's.
ompp stat -e 'region@*,stat:user' --interval=10ms -- sh -c './regions 1; exec sleep 0.1' >out 2>&1 || fail "another program: $(cat out)"
grep -qF "$critical" out || { cat out; fail 'a program of a script'; }
ompp stat -e 'region,stat:user' --interval=10ms -- sleep 0.05 >out 2>&1 || { cat out; fail 'a program that is not kinst'\''s'; }
[ -z "$(ls shared)" ] || { ls shared; fail 'a file stays'; }
