# judge: the same source by kinst and plainly under ompp run, by GCC and by Clang: programs of chance that have each
# construct are counted alike in all that is visible, times are the same, and all else is as the table in ompp(1) says
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/measure.sh"

here=$srcdir/tests/interpose
constructs=$here/judge.constructs

# build SEED COMPILER COLUMN FLAGS…: the source, its rules in `rules`, and both programs
build() {
	seed=$1 compiler=$2 column=$3 source=program.c
	shift 3
	case $compiler in
	*++) source=program.cc ;;
	esac
	awk -v seed="$seed" -v compiler="$column" -v program=$source -v rules=rules -f "$here/judge.awk" "$constructs"
	$compiler -w -g "$@" -fopenmp $source -o plain || fail "$compiler $*, seed $seed"
	kinst $compiler -w -g "$@" -fopenmp $source -o ours || fail "kinst $compiler $*, seed $seed"
}

# both: the reports of both programs
both() {
	measure ours.csv ./ours >want || fail "$*: the program by kinst: $?"
	measure plain.csv ompp run ./plain >got || fail "$*: the plain program: $?"
	same "$*: output" want got
}

# judge COMPILER COLUMN SEEDS
judge() {
	for seed in $3; do
		build "$seed" "$1" "$2" -O$((seed % 3))
		both "$1, seed $seed"
		awk -v compiler="$2" -f "$here/judge.awk" rules ours.csv | LC_ALL=C sort >expected
		counts plain.csv >found
		same "$1, seed $seed: counts" expected found
	done
}

# own WHAT TYPE: what the program that ran last says itself, in seconds (judge.awk).
own() {
	awk -F'|' -v what="$1" -v type="$2" '
		FNR == NR { body[$1] = $3; next }
		$2 == what && body[$1] == type { sum += $3 }
		END { printf "%.9f\n", sum / 1e9 }' rules own
}

# stamps REPORT PROGRAM COLUMN: "program type column reported own" of all that the program times, too.  LLVM's library
# does not tell where a section begins.
stamps() {
	while read -r type column what; do
		[ "$2$3$type" != plainly4SECTIONS ] || continue
		mine=$(own "$what" "$type")
		[ "$mine" != 0.000000000 ] || continue
		echo "$2 $type $column $(sum "$1" $type $column) $(sum "$1" "PARALLEL $type" $column) $mine" |
			awk '{ print $1, $2, $3, $4 + $5, $6 }'
	done <<'EOF'
CRITICAL bodyT 0
CRITICAL enterT 1
LOCK bodyT 0
LOCK enterT 1
ORDERED bodyT 0
SECTIONS sectT 0
TASKEXEC execT 0
EOF
}

# pauses COMPILER COLUMN LEAST: where bodies pause, the times of both programs are those by the program's own clock, which
# it reads within the events for bodies, and outside of them for waiting.  So the one is never more, and the other never
# less, but for the resolution of both.  A thread may lose its processor between both readings: the nearest of some runs
# counts.  LEAST times are compared.
pauses() {
	build 7 "$1" "$2" -O1 -DPAUSE=2000
	: >times
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		measure ours.csv ./ours >want || fail "$1: the program by kinst, with pauses: $?"
		stamps ours.csv kinst "$2" >>times
		measure plain.csv ompp run ./plain >got || fail "$1: the plain program, with pauses: $?"
		stamps plain.csv plainly "$2" >>times
		same "$1: output with pauses" want got
		awk -v least="$3" '
			{
				what = $1 " " $2 " " $3
				far = $3 == "enterT" ? $5 - $4 : $4 - $5
				if (far < -0.001 * $5 - 0.00002) print "against the order of events: " $0
				if (!(what in best) || far < best[what]) {
					best[what] = far
					bad[what] = far > 0.02 * $5 + 0.0002 ? what ": " $4 " s, by the program itself " $5 : ""
				}
			}
			END {
				for (what in best) {
					n++
					if (bad[what]) print bad[what]
				}
				if (n < least) print n " times are compared, not " least
			}' times >far
		[ -s far ] || break
	done
	[ ! -s far ] || fail "$1: times: $(cat far)"
}

export OMP_TARGET_OFFLOAD=DISABLED OMP_WAIT_POLICY=passive
judge "$CC" 3 '1 2 3 4'
pauses "$CC" 3 14
[ -z "$GXX" ] || judge "$GXX" 3 5
echo 'int main(void) { return 0; }' >it.c
if [ -n "$CLANG" ] && $CLANG -fopenmp it.c -o it 2>/dev/null && ./it; then
	judge "$CLANG" 4 '1 2 3 4'
	pauses "$CLANG" 4 13
	! command -v "$CLANG++" >/dev/null || judge "$CLANG++" 4 5
fi
# A report of what is spun away on a busy machine may have more overhead than time, which is not what is judged here.
rm -f ours.csv plain.csv
