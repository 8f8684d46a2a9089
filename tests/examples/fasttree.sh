# fasttree: a real program that is not ours.  Debian's source package of FastTree, built plain and by kinst, gives the
# same tree of the package's own alignment, also while its accesses are sampled; the report counts what is there; the ratio of the times is printed.
. "$srcdir/tests/examples/example.sh"
. "$srcdir/tests/applications/fetch.sh"
fetch fasttree

flags="-O3 -fopenmp -DOPENMP -DUSE_DOUBLE -finline-functions -funroll-loops"
# shellcheck disable=SC2086
gcc -w $flags "$source/fasttree.c" -o plain -lm || fail "the plain build"
# shellcheck disable=SC2086
kinst --strict gcc -w $flags "$source/fasttree.c" -o program -lm || fail "kinst gcc"

# Two threads and a fixed seed.  Waiting threads sleep: on a machine with other work, spinning would take the time of
# the threads waited for, and the runs would measure that.
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY
set -- -seed 12345 -quiet "$source/debian/tests/test.phylip"
OMP_NUM_THREADS=1 ./plain "$@" >plain.tree 2>plain.err || fail "the plain build does not run: $(tail -1 plain.err)"
run 1 "$@"
same "the tree of one thread" plain.tree out

# With two threads the tree depends on which of them comes first, seldom and on a busy machine: then the plain program has
# several, too.
varies() {
	for _ in 1 2 3 4 5 6 7 8; do
		OMP_NUM_THREADS=2 ./plain "$@" 2>plain.err | md5sum
	done | sort -u | awk 'END { exit NR < 2 }'
}
alike() {
	OMP_NUM_THREADS=2 ./plain "$@" >plain.tree 2>plain.err && run 2 "$@" && cmp -s plain.tree out
}
retry 4 alike "$@" || varies "$@" || same "the tree of two threads" plain.tree out
grep -q '^(.*);$' out || fail "this is no tree: $(head -c 200 out)"

# With access hooks that sample it is the tree of one thread, too.
# shellcheck disable=SC2086
kinst --access gcc -w $flags "$source/fasttree.c" -o hooked -lm || fail "kinst --access gcc"
OMP_NUM_THREADS=1 OMPP_SAMPLE=hook OMPP_QUIET=1 OMPP_REPORTFILE=$work/sampled.txt ./hooked "$@" >tree 2>err ||
	fail "sampled: status $?: $(cat err)"
OMP_NUM_THREADS=1 ./plain "$@" >plain.tree 2>plain.err
same "the tree of one thread, sampled" plain.tree tree
grep -q '^Sampled accesses of data objects' sampled.txt || grep -q 'OMPP_SAMPLE=hook: ' sampled.txt || fail "nothing was sampled"

# Every parallel region has the same number of executions in both threads, and there were some.
awk -F, '
	/^##BEG flat region profiles/ { flat = 1 }
	/^##END flat region profiles/ { flat = 0 }
	flat && /^R[0-9]+,PARALLEL/ { n++; place = $2 " " $4 }
	flat && n && $1 ~ /^[01]$/ && place { count[place, $1] = $3 }
	flat && /^##END/ { if (place && count[place, 0] != count[place, 1]) { print place; bad = 1 } place = "" }
	END { exit bad || !n }' report || fail "counts"

# Whole runs are timed in turn; of three the shortest is the least disturbed one.
least() {
	i=0
	while [ $i -lt 3 ]; do
		begin=$(date +%s%N)
		OMP_NUM_THREADS=2 OMPP_REPORTFILE=none "$@" >tree 2>/dev/null
		echo $((($(date +%s%N) - begin) / 1000))
		i=$((i + 1))
	done | sort -n | head -1
}
a=$(least ./plain "$@")
b=$(least ./program "$@")
awk -v a="$a" -v b="$b" 'BEGIN { printf "FastTree: plain %.3f s, kinst %.3f s, ratio %.3f\n", a / 1e6, b / 1e6, b / a }'
