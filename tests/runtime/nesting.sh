# nesting: constructs in each other, in ways that programs have: output and status as plain, counts by arithmetic
#
# Each program of tests/runtime/nesting is built plainly and by kinst, by each compiler that is here, and run in each of its
# settings.  What it says itself, behind // or ! in the line of a directive or anywhere:
#   = TYPE ROW COLUMN VALUE; …    what the report says of the region that begins in this line
#   = TYPE … if SETTING           the same in this setting alone
#   settings: NAME=VALUE[,NAME=VALUE] …       each is a run of its own; default: one without any
#   notes: left open …            notes that the report may have; all others fail
#   compilers: gcc …              by these alone
#   status: 134                   what the plain program ends with; default: 0
#   flags: -std=c++20 …
# Each time a third of the programs by a compiler; NESTING='tasks.*' runs these alone, and all of them.  NESTING_ENGINE=opari2: built by that engine, by gcc's compilers alone; then nothing is
# expected of the constructs that kinst names as not measured.
. "$srcdir/tests/lib.sh"

engine=${NESTING_ENGINE:-kinst}
export OMP_WAIT_POLICY=passive OMPP_OUTFORMAT=CSV OMPP_REPORTFILE="$PWD/report" OMPP_QUIET=1
ulimit -c 0

# What a program says behind a word.
said() {
	sed -n "s;.*\(//\|!\) *$1: *\(.*\);\2;p" "$program"
}

# All times and counts are 0 or more; and no note but those that the program expects.
check_report() {
	awk -F, '/^##BEG flat/ { flat = 1 } /^##END flat/ { flat = 0 }
		flat && /^(SUM|h?[0-9.:]+),/ { for (i = 2; i <= NF; i++) if ($i !~ /^([0-9.]+|-)$/) print $0 }' report >bad
	[ ! -s bad ] || fail "$what: not a time or count: $(head -1 bad)"
	expected=' keep the barrier'
	[ $engine = kinst ] || expected="$expected|^Note,\"?not measured: .*[0-9]: [a-z ]*: "
	for note in $(said notes); do
		case $note in
		left) expected="$expected|left without their end" ;;
		open) expected="$expected|were open" ;;
		stray) expected="$expected|came without a begin" ;;
		folded) expected="$expected|folded" ;;
		depth) expected="$expected|deeper than the frame stack" ;;
		*) fail "$what: what note is $note?" ;;
		esac
	done
	expected="$expected|^Note,\"?[0-9]+ tasks were created when the search for work and span was given up"
	! grep '^Note,' report | grep -vE "$expected" >bad || fail "$what: $(head -1 bad)"
}

# The expectations, with the lines that they stand in.
check_counts() {
	sed -n '=; s;.*\(//\|!\) = ;= ;p' "$program" |
		awk '/^=/ { n = split(substr($0, 3), all, /; */); for (i = 1; i <= n; i++) print line, all[i] } { line = $1 }' |
		while read -r line type row column value when; do
			type=$(echo "$type" | tr _ ' ')
			case $when in
			"if "*) case ,$setting, in *,${when#if },*) ;; *) continue ;; esac ;;
			esac
			! grep -q "/${program##*/}:$line: .*: not measured: " log || continue
			got=$(csv_field report "$type:$line" "$row" "$column") || fail "$what: line $line"
			[ "$got" = "$value" ] || fail "$what: line $line: $type, row $row: $got $column, not $value"
		done
}

# One run of both in one setting.
run() {
	setting=$1 what="$name, $compiler, $1"
	assignments=$(echo "$setting" | tr , ' ')
	rm -f report
	status=0 want=0
	env $assignments timeout 30 ./plain >want.out 2>want.err </dev/null || want=$?
	env $assignments timeout 30 ./ours >got.out 2>got.err </dev/null || status=$?
	expected=$(said status)
	[ $want = "${expected:-0}" ] || fail "$what: the plain program ends with $want: $(head -3 want.err)"
	[ $status = $want ] || fail "$what: status $status, plain $want: $(head -3 got.err)"
	same "$what: stdout" want.out got.out
	grep -v '^OMP: Info\|^ompp:' want.err >want.rest || :
	grep -v '^OMP: Info\|^ompp:' got.err >got.rest || :
	same "$what: stderr" want.rest got.rest
	[ -s report ] || fail "$what: no report"
	check_report
	check_counts
}

try() {
	program=$1 compiler=$2
	name=${program##*/}
	case $(said compilers) in
	'' | *"$compiler"*) ;;
	*) return ;;
	esac
	set -- "$compiler" -fopenmp -g -w $(said flags) "$program" -pthread
	"$@" -o plain 2>log || fail "$name, $compiler: $(head -3 log)"
	kinst --engine=$engine "$@" -o ours 2>log || fail "$name, $compiler: by kinst: $(head -3 log)"
	! grep 'not instrumented' log || fail "$name, $compiler: nothing is measured"
	[ $engine = opari2 ] || ! grep 'not measured' log || fail "$name, $compiler: something is not measured"
	settings=$(said settings)
	for setting in ${settings:-KINST_NOTHING=1}; do
		run "$setting"
	done
	n=$((n + 1))
}

if [ $engine = opari2 ]; then
	need opari2
	CLANG=
fi
n=0
for program in "$srcdir"/tests/runtime/nesting/${NESTING:-*}; do
	case $program in
	*.c) compilers="$CC $CLANG" ;;
	*.cpp) compilers="$GXX ${CLANG:+$CLANG++}" ;;
	*.f90) compilers=$GFORTRAN ;;
	*) continue ;;
	esac
	for compiler in $(echo $compilers | tr ' ' '\n' | sort -u); do
		[ "${NESTING-}" ] || in_part 3 || continue
		try "$program" "$compiler"
	done
done
[ $n -gt 0 ] || fail "no programs"
