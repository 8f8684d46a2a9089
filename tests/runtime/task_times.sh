# task_times: programs of tasks made by chance: what each thread did and how long it waited are never the same time
# Settings: SEEDS='1 2 …'; task_times_many.sh sets PART.
. "$srcdir/tests/lib.sh"

case ${PART:-} in
'') seeds=${SEEDS:-1 2 3} many='2 4' ;;
*) seeds=$(seq $((${PART%/*} * 20 - 19)) $((${PART%/*} * 20))) many='2 3 5 8' ;;
esac
# without the tables and notes of the longest path
export OMPP_SPAN=0 OMPP_OUTFORMAT=CSV OMPP_QUIET=1 OMPP_PROFILE=0 OMPP_REPORTFILE="$PWD/report"

# What the report says of each thread: thread, executed in tasks, waited outside of tasks, lasted.
reported() {
	awk -F, '
		/^##BEG callgraph region/ { on = 1 }
		/^##BEG R/ { in_tasks = 0; next }
		!on { next }
		/^\[/ { type = $3; if (type == "TASKEXEC") in_tasks = 1; is_last = /^\[=/; head = 1; next }
		head { for (i = 1; i <= NF; i++) col[$i] = i; head = 0; n = NF; next }
		/^(SUM|##)/ { delete col; next }
		type == "TASKEXEC" { ran[$1] += $col["execT"] }
		in_tasks { next }
		type == "PARALLEL" { lasted[$1] = $col["execT"] }
		type == "TASKWAIT" { waited[$1] += $col["waitT"] }
		type == "BARRIER" || type == "TASKYIELD" { waited[$1] += $col["execT"] - $col["taskT"] }
		"exitBarT" in col { waited[$1] += $col["exitBarT"] }
		END { for (t in lasted) printf "%s %.9f %.9f %.9f\n", t, ran[t], waited[t], lasted[t] }' report
}

# What a thread did in tasks is in the executions of its tasks; and what it did, and how long it waited, was in the
# regions.  A hundredth is for the profiler's own cost, and 50 us for its events outside of the program's stamps.
check() {
	reported | sort -n >reported
	[ -s reported ] || fail "$what: no report"
	awk -v what="$what" '
		FNR == NR { did[$1] = $2; outside[$1] = $3; regions = $4; next }
		{ n++; room = 0.00005 + regions / 100 }
		$2 < did[$1] - did[$1] / 100 - 0.00005 { print what ": thread " $1 " did " did[$1] " s in tasks, not " $2; bad = 1 }
		$2 + $3 + outside[$1] > regions + room { print what ": thread " $1 ": tasks " $2 " s, waits " $3 " s, in " regions " s"; bad = 1 }
		$3 > regions - did[$1] - outside[$1] + room { print what ": thread " $1 " waited " $3 " s, and did " did[$1] " s in " regions " s"; bad = 1 }
		END { exit bad || !n }' did reported || fail "$what: see above"
	awk -f "$srcdir/tests/report_check.awk" report || fail "$what: the report contradicts itself"
	! grep '^Note,' report || fail "$what: notes"
}

# fails_plainly N: libomp does not end some programs of tasks by itself (task_times.awk avoids those known).  Is there
# such a run among N?
fails_plainly() {
	for i in $(seq "$1"); do
		timeout 5 ./plain >plain.out 2>&1 || return 0
	done
	return 1
}

n_runs=0
for seed in $seeds; do
	for compiler in $CC $CLANG; do
		awk -v seed="$seed" -v compiler="$compiler" -f "$srcdir/tests/runtime/task_times.awk" >prog.c
		"$compiler" -fopenmp -O1 prog.c -o plain
		kinst "$compiler" -fopenmp -O1 prog.c -o prog
		for threads in $many; do
			for policy in passive active; do
				what="$compiler, seed $seed, $threads threads, $policy"
				export OMP_NUM_THREADS=$threads OMP_WAIT_POLICY=$policy
				fails_plainly 1 && continue
				if ! timeout 20 ./prog >did; then
					fails_plainly 500 || fail "$what: fails, and plainly does not"
					continue
				fi
				check
				n_runs=$((n_runs + 1))
			done
		done
	done
done
[ $n_runs -ge $(($(echo "$seeds" | wc -w) * 3)) ] || fail "only $n_runs runs"
