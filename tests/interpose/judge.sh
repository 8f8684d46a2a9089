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

# pauses COMPILER COLUMN: where bodies pause, the times of what both see in the same way are those of the pauses.  Other
# programs add to them by chance: the least of some runs counts.
pauses() {
	build 7 "$1" "$2" -O1 -DPAUSE=2000
	: >times
	for _ in 1 2 3 4 5 6 7 8; do
		both "$1: times"
		for type in CRITICAL SECTIONS TASKEXEC TASKGROUP; do
			cut -d'|' -f"$2" "$constructs" | grep -q $type ||
				echo $type "$(sum ours.csv $type execT)" "$(sum plain.csv $type execT)" >>times
		done
		awk '
			!($1 in ours) || $2 < ours[$1] { ours[$1] = $2 }
			!($1 in plain) || $3 < plain[$1] { plain[$1] = $3 }
			END {
				for (type in ours) {
					far = ours[type] - plain[type]
					far = far < 0 ? -far : far
					n++
					if (!plain[type] || !ours[type] || far > 0.15 * ours[type] + 0.005)
						print type ": " ours[type] " s by kinst, " plain[type] " s plainly"
				}
				if (n < 2) print "fewer than two types are compared"
			}' times >far
		[ -s far ] || break
	done
	cat times
	[ ! -s far ] || fail "$1: times: $(cat far)"
}

export OMP_TARGET_OFFLOAD=DISABLED OMP_WAIT_POLICY=passive
judge "$CC" 2 '1 2 3 4'
pauses "$CC" 2
[ -z "$GXX" ] || judge "$GXX" 2 5
echo 'int main(void) { return 0; }' >it.c
if [ -n "$CLANG" ] && $CLANG -fopenmp it.c -o it 2>/dev/null && ./it; then
	judge "$CLANG" 3 '1 2 3 4'
	pauses "$CLANG" 3
	! command -v "$CLANG++" >/dev/null || judge "$CLANG++" 3 5
fi
# A report of what is spun away on a busy machine may have more overhead than time, which is not what is judged here.
rm -f ours.csv plain.csv
