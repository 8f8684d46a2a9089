# holes: what hooks do not see, compiler by compiler, is what tests/access/HOLES says, no more and no less; each time by a
# third of the compilers' levels.  With --record, it prints the rows as they are to stand in HOLES.
. "$srcdir/tests/lib.sh"
need opari2
kinst=$builddir/kinst
unset KINST KINST_FLAGS KINST_LIBDIR KINST_INCLUDEDIR
OMP_NUM_THREADS=1 OMPP_QUIET=1 OMPP_OUTFORMAT=CSV
export OMP_NUM_THREADS OMPP_QUIET OMPP_OUTFORMAT
[ "${1:-}" != --record ] || CASES=all
case $(uname -m) in
x86_64) ;;
*) skip "the table is of x86_64" ;;
esac
avx=
! grep -q '\bavx2\b' /proc/cpuinfo || avx=-march=haswell

# look COMPILER SOURCE LEVEL…: prints the rows of these levels; -O3 with each kind of vectors that there is.
look() {
	compiler=$1 source=$2
	shift 2
	command -v $compiler >/dev/null || return 0
	for level; do
		in_part 3 || continue
		flags=-$level
		[ $level != O3 ] || flags="-O3 $avx"
		tag=$compiler-$level
		"$kinst" --access $compiler -w $flags -fopenmp "$srcdir/tests/access/$source" -I"$srcdir/tests/access" \
			-I"$builddir/include" -o program || fail "$tag: not built"
		OMPP_REPORTFILE=$tag.csv ./program $tag.list || fail "$tag: not run"
		awk -v tag=$tag -f "$srcdir/tests/access/holes.awk" $tag.list $tag.csv >counted
		OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=50 OMPP_REPORTFILE=$tag.csv ./program $tag.list ||
			fail "$tag: not run, sampled"
		awk -v tag=$tag -f "$srcdir/tests/access/holes.awk" $tag.list $tag.csv >sampled
		same "$tag, sampled: what hooks see" counted sampled
		cat counted >>found
	done
}
: >found
look gcc holes.c O0 O2 O3
look clang holes.c O0 O2 O3
look g++ holes.cpp O0 O2
look clang++ holes.cpp O0 O2
look gfortran holes.f90 O0 O2

# rows of one kernel and object are joined when their counts are the same
awk '{ row = $1 " " $2 " " $3 " " $4; if (!(row in tags)) order[++n] = row; tags[row] = tags[row] " " $5 }
	END { for (i = 1; i <= n; i++) print order[i] tags[order[i]] }' found | sort >rows
if [ "${1:-}" = --record ]; then
	cat rows
	exit 0
fi
# of the rows in HOLES, those whose compilers and vectors this machine has
ls | sed -n 's/\.csv$//p' >here
sed -n '/^KERNEL/,$p' "$srcdir/tests/access/HOLES" | sed 1d | grep '^[a-z]' |
	awk -v avx="$avx" 'FILENAME == "here" { here[$1] = 1; next }
		avx == "" && $1 ~ /^avx_/ { next }
		{ row = $1 " " $2 " " $3 " " $4; some = 0
		for (i = 5; i <= NF; i++) if ($i in here) { row = row " " $i; some = 1 }
		if (some) print row }' here - | sort >published
same "the table of holes" published rows
# every row has a reason
! sed -n '/^KERNEL/,$p' "$srcdir/tests/access/HOLES" | tail -1 | grep -q '^[a-z]' || fail "the last row has no reason"
