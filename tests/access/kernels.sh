# kernels.sh: building and running the kernels of tests/access/kernels.  To source, after tests/lib.sh.

need "${VALGRIND:=valgrind}"
kernels="$srcdir/tests/access/kernels"
csv_counts='/^##BEG data objects$/ { on = 1; getline; next } /^##END data objects$/ { on = 0 } on { print $1, $2, $3, $4, $6 }'

# The compilers of this machine for a kernel; a combination is COMPILER:LEVEL.
compilers() {
	case $1 in
	*.cpp) echo "${GXX:-} ${CLANG:+$CLANG++}" ;;
	*.f90) echo "${GFORTRAN:-}" ;;
	*) echo "${CC:-gcc} ${CLANG:-}" | tr ' ' '\n' | sort -u | tr '\n' ' ' ;;
	esac
}

# sources: prints the names of the kernels' files, without folder.
sources() {
	(cd "$kernels" && ls ./*.c ./*.cpp ./*.f90) | sed 's,^\./,,' | grep -v '^kernel\.c$'
}

# combinations [all]: lines KERNEL COMPILER LEVEL: each kernel once, with the compilers and levels taking turns, or all; of
# these those of the part.
combinations() {
	every_combination "$@" | of_part
}

# of_part: of the lines on stdin PART=3/8 takes the third of 8 parts (tests/slices).
of_part() {
	part=${PART:-1/1}
	awk -v part="${part%/*}" -v parts="${part#*/}" 'NR % parts == part % parts'
}

every_combination() {
	turn=0
	for source in $(sources); do
		for level in -O1 -O2 -O3; do
			for compiler in $(compilers "$source"); do
				echo "$source $compiler $level"
			done
		done >of_kernel
		[ -s of_kernel ] || continue
		if [ "${1:-}" = all ]; then
			cat of_kernel
		else
			sed -n $((turn % $(wc -l <of_kernel) + 1))p of_kernel
		fi
		turn=$((turn + 1))
	done
}

# frame: makes kernel.o, which has no hooks.
frame() {
	"${CC:-gcc}" -O1 -Wall -Wextra -c "$kernels/kernel.c" -o kernel.o || fail "kernel.c"
}

# The warnings of a plain compiler about the pragmas are of no interest here.
# build PROGRAM SOURCE COMPILER FLAGS…: builds it with kinst.
build() {
	program=$1 source=$2 compiler=$3
	shift 3
	kinst "$@" "$compiler" -w $level -fopenmp "$kernels/$source" kernel.o -lm -o "$program" 2>"$program.err" ||
		fail "$program: $(cat "$program.err")"
}

quiet() {
	OMP_WAIT_POLICY=passive GOMP_SPINCOUNT=0 KMP_BLOCKTIME=0 OMPP_QUIET=1 OMPP_PROFILE=0 OMPP_OUTFORMAT=CSV "$@"
}

# traced PROGRAM: run it under lackey; PROGRAM.trace and PROGRAM.pages get what tests/access/lackey.c says, PROGRAM.csv
# the report.  By the fake clock the run's cost is not measured at its start and end, which would be most of the trace.
traced() {
	nm -S "$1" >"$1.symbols"
	OMPP_CLOCK=fake KERNEL_FD=8 OMPP_REPORTFILE=$1.csv quiet "$VALGRIND" --tool=lackey --trace-mem=yes --fair-sched=yes \
		--log-fd=9 "./$1" 8>&1 9>&1 >"$1.out" 2>"$1.err" | ./lackey "$1.symbols" ours "$1.pages" >"$1.trace" ||
		fail "$1: no trace: $(tail -n 3 "$1.err")"
}

# told PROGRAM: runs it; PROGRAM.told gets the kernel's lines, PROGRAM.csv the report.
told() {
	KERNEL_FD=8 OMPP_REPORTFILE=$1.csv quiet "./$1" 8>"$1.told" >"$1.out" 2>"$1.err" || fail "$1: $(cat "$1.err")"
}

# sampled PROGRAM: runs it again with samples by its hooks, which must not change what it prints; PROGRAM.csv gets that report.
# Where there is no clock for samples, the report says so, and the counts are to be right all the same.
sampled() {
	OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=100 OMPP_REPORTFILE=$1.csv quiet "./$1" >"$1.sampled" 2>"$1.err" ||
		fail "$1, sampled: $(cat "$1.err")"
	same "$1, sampled: what it prints" "$1.out" "$1.sampled"
	grep -q '^##BEG sampled accesses$' "$1.csv" || grep -q 'OMPP_SAMPLE=hook: ' "$1.csv" || fail "$1: not sampled"
}

# reported PROGRAM: prints lines "array loads stores atomics bytes" from the report.
reported() {
	awk -F, "$csv_counts" "$1.csv"
}

lackey_reader() {
	"${CC:-gcc}" -O2 -Wall -Wextra "$srcdir/tests/access/lackey.c" -o lackey || fail "lackey.c"
	nm "$(find "$builddir" -name libompp_access.a | head -n 1)" >ours 2>/dev/null || fail "no libompp_access.a"
}

# fits_compilers TABLE: skips where the compilers are not those that the table of differences is of.
fits_compilers() {
	for compiler in gcc clang; do
		want=$(sed -n "s/^compiler $compiler //p" "$1")
		have=$($compiler -dumpversion 2>/dev/null | cut -d. -f1)
		[ -n "$have" ] && [ "$want" != "$have" ] && skip "DIFFERENCES is of $compiler $want, not $have"
	done
	return 0
}
