# instructions: the events of each construct take as many instructions as they did, which are the same on any machine, busy
# or not; and a task takes no more instructions when the tasks around it are deeper (instructions_all.sh: lists and pauses of
# more lengths)
. "$srcdir/tests/lib.sh"
need valgrind
! grep -q '^CFLAGS = .*-fsanitize' "$builddir/Makefile" || skip "built for a sanitizer, which adds instructions of its own"

kinst ${CC:-cc} -O2 -fopenmp "$srcdir/tests/bench/storm.c" -o storm
kinst ${CC:-cc} -O2 -fopenmp "$srcdir/tests/bench/arrivals.c" -o arrivals
export OMP_NUM_THREADS=1 OMPP_REPORTFILE=none OMPP_QUIET=1 OMP_STACKSIZE=64M
export OMPP_COURSE=0 # what is done once a slice depends on the time; an event compares its time all the same

# events PROGRAM ARGS…: instructions of a run in the functions that the program calls for its events.
events() {
	valgrind --tool=callgrind --toggle-collect="${CALLS:-POMP2_*}" --callgrind-out-file=out --log-file=log "$@" >/dev/null 2>err ||
		fail "$*: $(cat err log)"
	sed -n 's/.*Collected : //p' log
}

# each N FEW MANY: prints the instructions of one construct, by two runs of which one has N more of them.
each() {
	# shellcheck disable=SC2086
	few=$(events ./$2) many=$(events ./$3)
	echo $(((many - few) / $1))
}

flat=$(each 5000 "storm chain 0 1" "storm chain 5000 1")
deep=$(each 5000 "storm chain 0 1000" "storm chain 5000 1000")
echo "a task below 1 task: $flat instructions, below 1000 tasks: $deep"
near "a task below 1000 tasks" "$deep" "$flat" 2 || fail "the cost of a task grows with the tasks around it"

# Bounds are a tenth above what gcc 12 -O2 makes for x86_64; other compilers get half as much again.
[ "$(uname -m)" = x86_64 ] || skip "bounds are those of x86_64"
grep -q '^CFLAGS = .*-O[23]' "$builddir/Makefile" || skip "bounds are those of an optimised build"
slack=150
! ${CC:-cc} --version | grep -q '^gcc.* 12\.' || slack=110

# bound WHAT INSTRUCTIONS MEASURED
bound() {
	echo "$1: $3 instructions (gcc 12: $2)"
	[ "$3" -le $(($2 * slack / 100)) ] || failed="$failed $1: $3 instructions, at most $(($2 * slack / 100));"
}

failed=
bound "task, undeferred" 342 "$flat"
bound "task" 331 "$(each 5000 "storm spawn 0" "storm spawn 5000")"
# fib(17) has 1597 calls more than fib(15) that are not the smallest
bound "2 tasks and a taskwait" 847 "$(each 1597 "storm fib 15" "storm fib 17")"
# The longest path: that a team ends, where times are predicted, is left out.
export OMPP_SPAN=1 CALLS='POMP2_Task*'
bound "2 tasks and a taskwait on the longest path" 1531 "$(each 1597 "storm fib 15" "storm fib 17")"
unset OMPP_SPAN CALLS
bound "atomic" 118 "$(each 5000 "storm atomic 0" "storm atomic 5000")"
# The end of a slice of the course, by a clock that goes on by a microsecond at each of the two events of a loop.
sliced() {
	OMPP_CLOCK=fake OMPP_COURSE=$1 events ./storm loop "$2"
}
many=$(($(sliced 1 200000) - $(sliced 0 200000))) few=$(($(sliced 1 100000) - $(sliced 0 100000)))
bound "the end of a slice" 1500 $(((many - few) / 190)) # 200,000 us, and 1,049 a slice
# Where the clock is left out, most of the visits take some 100.  One in 16 to 128 takes longer, as it is timed and chooses
# the next one: how many is the one thing here that depends on times.
# A timed visit that loses its processor may end a storm: the least of some tries counts.
# in_storm KIND INSTRUCTIONS
in_storm() {
	for try in 1 2 3 4 5; do
		n=$(OMPP_COSTLY=sample each 50000 "storm $1 50000" "storm $1 100000")
		[ $try = 1 ] || [ "$n" -lt "$least" ] && least=$n
		[ "$least" -gt $(($2 * slack / 100)) ] || break
	done
	bound "$1, in a storm" "$2" "$least"
}
in_storm atomic 122
in_storm critical 350 # 245 to 350: how many visits are timed, and take long, changes with the machine
bound "critical" 290 "$(each 5000 "storm critical 0" "storm critical 5000")"
bound "loop" 155 "$(each 5000 "storm loop 0" "storm loop 5000")"
bound "barrier of one" 201 "$(each 5000 "storm barrier 0" "storm barrier 5000")"
bound "barrier" 330 "$(each 5000 "arrivals 0" "arrivals 5000")"

# What follows counts loads and stores, which read no clock.  By the fake one the cost of events is not measured at the
# start and the end, which would be most of each run.
export OMPP_CLOCK=fake

# A load that is counted takes the same whether samples can be had or not, and about one instruction more while they are
# taken.  The program is the product of a matrix and a vector.
kinst --access=hooks ${CC:-cc} -w -O2 -fopenmp -DN=200 -I"$srcdir" "$srcdir/tests/bench/access_matvec.c" -o matvec
hooked() {
	valgrind --tool=callgrind --toggle-collect="$1" --callgrind-out-file=out --log-file=log ./matvec row 5 >/dev/null 2>err ||
		fail "matvec: $(cat err log)"
	n=$(($(sed -n 's/.*Collected : //p' log) * 100 / 400000)) # 5 products of 40,000 loads of each of two arrays
	[ $n -ge 100 ] || fail "matvec: its loads have no hooks: $n instructions for 100"
	echo $n
}
bound "100 loads, counted" 2024 "$(hooked __tsan_read8)"
# Valgrind has the clock of samples where the processor has it, and its CPUID tells of it everywhere.
if has_sample_clock; then
	bound "100 loads, sampled" 2292 "$(OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1000000000 hooked __tsan_read8)"
else
	echo "100 loads, sampled: not counted, as this processor has no clock for it"
fi

# The search for shared lines takes at most 2.3 times what the hooks take alone, and 2.9 times where lines with a name are
# stored to again and again, so that loads from them are looked at, too.  Its counts are looked at by
# tests/access/small.sh and tests/unit/test_sharing.c.
kinst --access=hooks ${CC:-cc} -w -O2 -fopenmp "$srcdir/tests/bench/conflicts.c" -o conflicts
# added OBJECTS SHARING: the instructions of some additions of conflicts.c
added() {
	OMPP_OBJECTS=$1 OMPP_SHARING=$2 valgrind --tool=callgrind --callgrind-out-file=out --log-file=log --toggle-collect=add \
		./conflicts 5000 64 >/dev/null 2>err || fail "conflicts: $(cat err log)"
	sed -n 's/.*Collected : //p' log
}
for objects in 'auto 230' 'all 290'; do
	most=${objects#* } objects=${objects% *}
	alone=$(added $objects 0) lines=$(added $objects 1)
	echo "OMPP_OBJECTS=$objects: $lines instructions beside the search for shared lines, $alone without"
	[ $((lines * 100)) -le $((alone * most)) ] || failed="$failed shared lines, OMPP_OBJECTS=$objects: more than $most % of the hooks';"
done

# Loops that are short take the instructions of hooks, and few more; long ones far fewer, soon also where the same loop was
# short before.  The counts are the same.
export OMPP_OUTFORMAT=CSV
# walks WAY ARGUMENT…: prints the instructions of walks of lists; their counts are in WAY.counts
walks() {
	program=$1
	shift
	OMPP_REPORTFILE=$program.csv valgrind --tool=callgrind --callgrind-out-file=out --log-file=log --toggle-collect=main \
		./$program "$@" >/dev/null 2>err || fail "$program: $(cat err log)"
	sed -n '/^##BEG data objects$/,/^##END/p' $program.csv | grep -E '^(list|met),' >$program.counts
	[ "$(wc -l <$program.counts)" = 2 ] || fail "$program $*: $(cat $program.csv)"
	sed -n 's/.*Collected : //p' log
}

# than WHAT PERCENT ARGUMENT…: loops take at most so much of what hooks take
than() {
	what=$1 percent=$2
	shift 2
	[ "${ALL:-}" ] || case $what in *'of 3' | *'of 30' | *'in 5' | *'in 100') return 0 ;; esac
	by_hooks=$(walks hooks "$@") by_loops=$(walks loops "$@")
	echo "$what: $by_loops instructions by loops, $by_hooks by hooks"
	same "$what: counts by hooks (left) and by loops" hooks.counts loops.counts
	[ $((by_loops * 100)) -le $((by_hooks * percent)) ] || failed="$failed $what: more than $percent % of the hooks';"
}
for compiler in ${CC:-cc} ${CLANG:-}; do
	kinst --access=hooks $compiler -w -O2 -fopenmp "$srcdir/tests/bench/access_short.c" -o hooks
	kinst --verbose --access $compiler -w -O2 -fopenmp "$srcdir/tests/bench/access_short.c" -o loops 2>said
	grep -q 'access_short.c: accesses are counted by hooks' said && continue # no plug-in for it
	than "$compiler, lists of 1" 135 1 20000
	than "$compiler, lists of 3" 125 3 10000
	than "$compiler, lists of 30" 70 30 3000
	than "$compiler, lists of 1000" 50 1000 100
	than "$compiler, lists of 200 behind many of 2" 65 2 5000 200 2000
	# A loop that is executed once goes over to its version with hooks where calls in it come too soon.
	kinst --access=hooks $compiler -w -O2 -fopenmp "$srcdir/tests/bench/access_pauses.c" -o hooks
	kinst --access $compiler -w -O2 -fopenmp "$srcdir/tests/bench/access_pauses.c" -o loops
	than "$compiler, a pause each time" 110 1 20000
	than "$compiler, a pause in 5" 110 5 20000
	than "$compiler, a pause in 20" 125 20 20000
	than "$compiler, a pause in 100" 90 100 20000
done

# What has no name, and what is in small blocks, which OMPP_OBJECTS=all names, is counted by whole loops as what has a name.
"${CC:-cc}" -w -O2 -fopenmp "$srcdir/tests/access/small.c" -o small.plain
# run_of PROGRAM ARG…: prints the instructions of its main()
run_of() {
	valgrind --tool=callgrind --callgrind-out-file=out --log-file=log --toggle-collect=main "$@" >/dev/null 2>err ||
		fail "$*: $(cat err log)"
	sed -n 's/.*Collected : //p' log
}

# in_tenths TENTHS PROGRAM OBJECTS KERNEL N ROUNDS: about so many tenths of the plain build's instructions
in_tenths() {
	most=$1 program=$2 objects=$3
	shift 3
	plain=$(run_of ./small.plain "$@") counted=$(OMPP_OBJECTS=$objects OMPP_REPORTFILE=none run_of "./$program" "$@")
	echo "$1, OMPP_OBJECTS=$objects, $program: $((counted * 10 / plain)) tenths of the plain build's instructions (gcc 12: $most)"
	[ $((counted * 1000)) -le $((plain * most * slack)) ] ||
		failed="$failed $1, $objects, $program: more than $most tenths of plain;"
}
kinst --access=hooks ${CC:-cc} -w -O2 -fopenmp "$srcdir/tests/access/small.c" -o small.hooks
kinst --verbose --access ${CC:-cc} -w -O2 -fopenmp "$srcdir/tests/access/small.c" -o small.loops 2>said
if ! grep -q 'small.c: accesses are counted by hooks' said; then
	in_tenths 55 small.loops all rows 40 400
	in_tenths 31 small.loops all cells 100 20
	in_tenths 31 small.loops auto list 1000 100
	in_tenths 19 small.loops auto gather 4000 40
	in_tenths 22 small.loops auto walk 4000 8
fi
in_tenths 161 small.hooks all list 1000 100
in_tenths 85 small.hooks all tree 500 40

# A trace of pages, and the cache model, with kernels of the kind of inner loops; intervals are longer than a run.
"${CC:-cc}" -w -O2 -fopenmp "$srcdir/tests/bench/traced.c" -o traced.plain
kinst --access=hooks ${CC:-cc} -w -O2 -fopenmp "$srcdir/tests/bench/traced.c" -o traced.hooks
kinst --verbose --access ${CC:-cc} -w -O2 -fopenmp "$srcdir/tests/bench/traced.c" -o traced.loops 2>said
kernel_of() {
	valgrind --tool=callgrind --callgrind-out-file=out --log-file=log --toggle-collect="$2" "$1" "$2" 30000 2 \
		>/dev/null 2>err || fail "$*: $(cat err log)"
	sed -n 's/.*Collected : //p' log
}

# traced TENTHS PROGRAM KERNEL VARIABLE=VALUE: about so many tenths of the plain build's instructions
traced() {
	plain=$(kernel_of ./traced.plain "$3")
	counted=$(export OMPP_PAGES_INTERVAL=100s OMPP_REPORTFILE=traced OMPP_OVERWRITE=1 "$4" && kernel_of "./traced.$2" "$3")
	echo "$3, $4, $2: $((counted * 10 / plain)) tenths of the plain build's instructions (gcc 12: $1)"
	[ $((counted * 1000)) -le $((plain * $1 * slack)) ] || failed="$failed $3, $4, $2: more than $1 tenths of plain;"
}
if ! grep -q 'traced.c: accesses are counted by hooks' said; then
	traced 83 loops gather OMPP_PAGES=hooks
	traced 115 loops ranks OMPP_PAGES=hooks
	traced 141 loops rows OMPP_PAGES=hooks
	traced 28 loops points OMPP_PAGES=hooks
	traced 11 loops pixels OMPP_PAGES=hooks
	traced 13 loops columns OMPP_PAGES=hooks
	traced 624 loops rows OMPP_CACHE=L1=48K/12/64,L2=2M/16/64,L3=260M/20/64
fi
traced 110 hooks gather OMPP_PAGES=hooks
[ -z "$failed" ] || fail "$failed"
