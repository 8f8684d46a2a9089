# tasks: recursion through tasks, on one thread and on several that steal: no time is counted twice
. "$srcdir/tests/lib.sh"

export OMP_WAIT_POLICY=passive OMPP_OUTFORMAT=CSV OMPP_QUIET=1 OMPP_PROFILE=0 OMPP_REPORTFILE="$PWD/report"

# The rows of a construct's flat profile with some of their columns: rows CONSTRUCT COLUMN…
rows() {
	awk -F, -v construct="$1" -v want="$2 $3 ${4:-}" '
		/^##BEG flat region profiles/ { flat = 1 }
		/^##END flat region profiles/ { flat = 0 }
		!flat { next }
		/^##BEG R[0-9]+/ { getline; inside = $2 == construct; head = 1; next }
		!inside { next }
		head { for (i = 1; i <= NF; i++) col[$i] = i; n = split(want, name, " "); head = 0; next }
		/^(SUM|##)/ { next }
		{ line = $1; for (i = 1; i <= n; i++) line = line " " $col[name[i]]; print line }' report
}

# No row of any construct is longer than the run.
check_lengths() {
	duration=$(sed -n 's/^Duration,\([0-9.]*\).*/\1/p' report)
	for construct in PARALLEL SINGLE TASK TASKEXEC TASKWAIT; do
		rows $construct execT execC >of
		[ -s of ] || fail "$what: no $construct"
		awk -v d="$duration" '$2 > d + 1e-6 { print; bad = 1 } END { exit bad }' of ||
			fail "$what: a row of $construct is longer than the run, which took $duration s"
	done
}

# Parts add up, and a SINGLE is not longer than the PARALLEL around it.
check_parts() {
	rows TASKWAIT execT waitT taskT | awk '{ d = $2 - $3 - $4; if (d > 1e-8 || d < -1e-8) exit 1 }' ||
		fail "$what: waitT and taskT of TASKWAIT are not its execT"
	rows PARALLEL execT execC >outer
	rows SINGLE execT execC | awk 'FNR == NR { whole[$1] = $2; next } $2 > whole[$1] * 1.001 + 1e-6 { print; bad = 1 }
		END { exit bad }' outer - || fail "$what: SINGLE is longer than its PARALLEL: $(cat outer)"
}

# Waiting and creating tasks are in classes of overhead.
check_classes() {
	rows TASK execT execC >creations
	rows TASKWAIT waitT execC >waits
	awk -F, '/^##BEG overheads wrt. each/ { on = 1 } on && /^,Total/ { for (i = 1; i <= NF; i++) col[$i] = i }
		on && /^SUM/ { print $col["Synch"], $col["Mgmt"]; exit }' report >classes
	awk 'FILENAME == "creations" { made += $2 } FILENAME == "waits" { waited += $2 }
		FILENAME == "classes" { exit !($1 >= waited * 0.999 && $2 >= made * 0.999) }' creations waits classes ||
		fail "$what: synchronisation and management are $(cat classes)"
}

for compiler in $CC $CLANG; do
	kinst "$compiler" -O2 -fopenmp "$srcdir/tests/bench/storm.c" -o prog
	for threads in 1 2 5; do
		what="$compiler, $threads threads"
		OMP_NUM_THREADS=$threads ./prog fib 19 >out || fail "$what: status $?"
		grep -q '^# 4181$' out || fail "$what: $(cat out)"
		# a call makes two tasks and waits once
		[ "$(csv_field report TASKWAIT SUM execC)" = 6764 ] || fail "$what: waits"
		! grep '^Note,' report | grep -v 'search for work and span was given up' || fail "$what: notes"
		check_lengths
		check_parts
		check_classes
	done
done
