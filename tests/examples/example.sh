# example.sh: building, running and judging one example.  To source, after which:
#   build NAME.c [COMPILER…]   the example becomes ./program
#   run N-THREADS [ARGS…]      its output goes to ./out, its report to ./report (CSV)
#   counts REGION ROW COLUMN N …      exact
#   measured PERCENT           all lines "measured REGION ROW COLUMN SECONDS" of the output agree with the report
#   class NAME SECONDS PERCENT the overhead class (Synch, Imbal, Limpar, Mgmt), over the whole program
#   class_value NAME           seconds of the class
#   first_property NAME    of the properties that the program is to blame for, not a busy machine, the first one
. "$srcdir/tests/lib.sh"
examples=$srcdir/examples

build() {
	source=$1
	shift
	[ $# -gt 0 ] || set -- gcc
	# shellcheck disable=SC2086
	kinst --strict "$@" -O2 -fopenmp "$examples/$source" -o program || fail "kinst $* $source"
}

run() {
	threads=$1
	shift
	OMP_NUM_THREADS=$threads OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=$work/report OMPP_QUIET=1 \
		./program "$@" >out 2>err || fail "the program: exit status $?: $(cat err)"
	[ ! -s err ] || fail "the program's stderr: $(cat err)"
	[ -s report ] || fail "there is no report"
}

counts() {
	while [ $# -gt 0 ]; do
		value=$(csv_field report "$1" "$2" "$3")
		[ "$value" = "$4" ] || fail "$1, row $2: $3 is $value, expected $4"
		shift 4
	done
}

# A program's stamps lie outside of the runtime's, and after 10 ms of work the code between them is in no cache: 30 us a
# round, more on a busy machine.  So over ten rounds or more 2 ms are no measure of anything; where QEMU translates the
# code when it is met for the first time, 30 ms (elsewhere.sh).
no_measure=${NO_MEASURE:-0.002}
measured() {
	grep -q '^measured ' out || fail "the program has measured nothing"
	while read -r word region row column seconds; do
		[ "$word" = measured ] || continue
		region=$(echo "$region" | tr _ ' ')
		value=$(csv_field report "$region" "$row" "$column")
		near "$region, row $row: $column" "$value" "$seconds" "$1" "$no_measure" || return 1
	done <out
}

# sum_measured REGION COLUMN: prints the sum over the rows, as the program measured it.
sum_measured() {
	awk -v region="$1" -v column="$2" '$2 == region && $4 == column { sum += $5 } END { printf "%.6f", sum }' out
}

class_value() {
	awk -F, -v class="$1" '
		/^##BEG overheads wrt. whole program/ { inside = 1; next }
		/^##END/ { inside = 0 }
		inside && !n { for (i = 1; i <= NF; i++) if ($i == class) n = i; next }
		inside && $1 == "SUM" { print $n }' report
}

class() {
	value=$(class_value "$1")
	[ -n "$value" ] || fail "the report has no class $1"
	near "class $1" "$value" "$2" "$3" "$no_measure"
}

first_property() {
	property=$(awk -F, '/^P[0-9]+,/ && $2 !~ /^(ProcessorTakenAway|ThreadsOnOneProcessor|MoreThreadsThanProcessors|ThreadsComeLate|TeamMade)$/ &&
		$2 !~ /^(ManagementOfTeams|LowProcessorUse|WorkVariesBetweenThreads)$/ { print $2; exit }' report)
	[ "$property" = "$1" ] || { echo "first property: $property, expected $1"; return 1; }
}
