# summary: at most 20 lines of 80 columns for programs of all kinds; its shares add up; a terminal gets it alone
. "$srcdir/tests/lib.sh"

kinst $CC -O1 -fopenmp "$srcdir/tests/runtime/summary.c" -o prog || fail 'kinst'
export OMPP_QUIET=1 OMPP_OVERWRITE=1

# judge WHAT: fails unless ./text starts with the summary, or is nothing else.
judge() {
	awk '/^----     ompP / && n++ { exit } /^Sections:/ { exit } { line[++lines] = $0 }
		END { while (lines && (line[lines] ~ /^-+$/)) lines--; for (i = 1; i <= lines; i++) print line[i] }' text >summary
	sed -n 2p summary | grep -q '^----     ompP Summary ' || fail "$1: does not begin with the summary: $(head -3 text)"
	[ "$(wc -l <summary)" -le 20 ] || fail "$1: $(wc -l <summary) lines: $(cat summary)"
	LC_ALL=C.UTF-8 awk 'length > 80 { print; bad = 1 } END { exit bad }' summary || fail "$1: wider than 80 columns"
	awk '/^ *seconds  *share of all threads/ { inside = 1; next }
		inside && !/^ *[0-9.]+ \( *[0-9.]+%\) / { exit }
		inside { match($0, /\( *[0-9.]+%/); sum += substr($0, RSTART + 1, RLENGTH - 2); n++ }
		END { exit !(n >= 6 && sum > 99.9 && sum < 100.1) }' summary || fail "$1: shares: $(cat summary)"
}

# share WORDS: of the summary, in per cent
share() {
	sed -n "s/^ *[0-9.]* ( *\([0-9.]*\)%) $1.*/\1/p" summary
}

run() {
	OMPP_REPORTFILE=stdout OMP_NUM_THREADS=${threads:-2} ./prog "$@" >text || [ $? -gt 128 ] || fail "$*: status"
	judge "$*"
}

run serial
[ "$(share 'in no region that was measured')" = 100.0 ] || fail "serial: $(cat summary)"
grep -q 'finding' summary || grep -q '^no OpenMP was seen' summary || fail "serial: findings: $(cat summary)"

# 50 regions of 8 threads, which take turns in being late
{
	printf '#include <omp.h>\n#include <unistd.h>\nint main(void)\n{\n'
	for i in $(seq 50); do
		printf '#pragma omp parallel num_threads(8)\n\tusleep(omp_get_thread_num() == %d ? 2000 : 0);\n' $((i % 8))
	done
	printf '}\n'
} >many.c
kinst $CC -fopenmp many.c -o many || fail 'kinst many.c'
OMPP_REPORTFILE=stdout OMP_NUM_THREADS=8 OMPP_PROPERTY_MIN=0 ./many >text || fail 'many'
judge many
grep -q '^many: wall time .*, 8 threads$' summary || fail "many: $(cat summary)"
# the advice has the line of the fifth; what the system takes, where others use it, may come first
grep -q ' of run [345] of [0-9]* findings' summary && grep -q 'PARALLEL many.c ([0-9-]*): ' summary ||
	fail "many: $(cat summary)"
[ "$(wc -l <text)" -gt 1000 ] || fail "many: the sections are not there"

# what costs most is said, with its place and what it would win: 190 ms of one thread
line=$(awk '/omp for/ { print NR }' "$srcdir/tests/runtime/summary.c")
judge_imbalance() {
	run once
	grep -q "LOOP summary.c ($line-$((line + 2))): imbalance in parallel loop$" summary || { cat summary; return 1; }
	near 'the share of imbalance' "$(share 'waiting: at the end of a loop')" 45 15
}
retry 4 judge_imbalance || fail 'imbalance'

# half of the time one thread is outside of the team, and half of it four threads are in the team
judge_half() {
	threads=4 run half
	near 'the serial part' "$(share outside)" 50 20 && near 'work' "$(share work)" 50 20
}
retry 4 judge_half || fail 'half'

OMPP_MEM=256K run deep
grep -q '^note: [0-9]* events were charged to (lost)' summary || fail "losses: $(cat summary)"
OMPP_CTR=PAPI_TOT_INZ run once
grep -q '^note: ' summary || fail "a counter that is not there: $(cat summary)"
run killed
grep -q 'ended by signal 15' summary || fail "killed: $(cat summary)"
OMP_NUM_THREADS=2 ./prog dumps || fail 'dumps'
cp prog.2.dump1.ompp.txt text
judge 'an incremental report'
grep -q 'incremental report 1' summary || fail "an incremental report: $(cat summary)"
cp prog.2.ompp.txt text
judge 'a run with ompp_off'
grep -q 'ompp_off 0.0' summary || fail "ompp_off: $(cat summary)"

for rank in 0 1 2; do
	PMI_RANK=$rank PMI_SIZE=3 OMP_NUM_THREADS=2 ./prog once || fail "rank $rank"
done
ompp report prog.2.r*.ompp >text || fail 'ranks'
judge ranks
grep -q ', 6 threads in 3 MPI ranks$' summary || fail "ranks: $(cat summary)"

# a terminal gets the summary and the names of the sections, everything else gets all
command -v script >/dev/null || skip 'the terminal: script is not installed; the rest is as it should be'
terminal() {
	NO_COLOR=1 OMPP_PAGER=cat script -qec "$*" /dev/null </dev/null | tr -d '\r' >text || fail "$*"
}
profile=prog.2.r0.ompp
ompp report $profile | grep -q 'ompP Flat Region Profile' || fail 'no sections where there is no terminal'
for command in "ompp report $profile" "ompp run ./prog once"; do
	terminal "$command"
	judge "$command"
	! grep -q 'ompP General Information' text || fail "$command: sections on a terminal"
	tr -s '\n ' ' ' <text | grep -q 'Sections: general overview callgraph flat callpath durations overhead course\( hot\)\{0,1\} properties To see' || fail "$command: $(cat text)"
	grep -q 'ompp report --view=all prog\..*\.ompp$' text || fail "$command: how to see all: $(cat text)"
done
# The sections named are those that a whole report has, after the summary, and "durations" and "course", shown when asked
# for: of ranks without calls of MPI no efficiency, of runs without samples no hot spots.
for files in $profile "prog.2.r*.ompp"; do
	terminal "ompp report $files"
	ompp report --view=all $files >whole || fail "ompp report --view=all $files"
	named=$(tr -s '\n ' ' ' <text | sed 's/.*Sections: //; s/ To see.*//; s/ durations / /; s/ course / /' | wc -w)
	[ "$named" -eq $(($(grep -c '^----     ompP ' whole) - 1)) ] || fail "sections of $files: $(cat text)"
	! grep -q '^Sections:.* efficiency' text || fail "efficiency of $files: $(cat text)"
done
for options in --view=all --region=summary.c --top=1 --sort=time --format=text; do
	terminal "ompp report $options $profile"
	grep -q 'ompP Flat Region Profile' text && ! grep -q '^Sections:' text || fail "$options on a terminal"
done
