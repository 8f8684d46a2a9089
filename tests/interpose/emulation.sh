# emulation.sh: what the tests of ompp run --emulate have in common.  To source, after tests/lib.sh.

[ "$(uname -m)" = x86_64 ] || skip "programs for x86-64 are emulated on such machines alone"
need qemu-x86_64
need python3
emulate_py="python3 $srcdir/tests/interpose/emulate.py"
export OMPP_QUIET=1

# emulate COMMAND…: runs a program by emulation, with its output in out, and what is said in said.  QEMU 7.2 itself ends one
# in some hundreds of runs of programs with threads, as its callbacks for memory are stale then: it is run again.
emulate() {
	for try in 1 2 3; do
		tried=0
		"$@" >out 2>said || tried=$?
		grep -q 'plugins/core\.c.*should not be reached' said || break
	done
	return $tried
}

# emulated STATUS [OPTION] PROGRAM…: runs it; PROGRAM.json gets its profile.
emulated() {
	want_status=$1 with=
	shift
	case $1 in
	--*)
		with=$1
		shift
		;;
	esac
	rm -f ./*.ompp
	status=0
	emulate ompp run --emulate $with "$@" || status=$?
	[ $status = "$want_status" ] || fail "$*: status $status: $(cat said)"
	ompp report --format=json "$1".*.ompp >"$1.json" || fail "$*: no profile"
}

# compare WHAT: runs ./g by emulation and by valgrind's lackey; of its objects those whose names match $only.
compare() {
	what=$1
	valgrind --tool=lackey --trace-mem=yes --log-file=trace ./g addresses >want
	OMPP_OBJECT_MIN=512 emulated 0 ./g again
	head -n "$(wc -l <want)" out >got
	same "$what: output" want got
	grep -e "${only:-.}" addresses >named
	$emulate_py compare named trace g.json || fail "$what: counts differ"
}

# by_chance SEED…: compares programs of chance, which are linked with $linked.
by_chance() {
	for seed; do
		$emulate_py make "$seed" g.c
		gcc -w -g ${linked:-} -fno-builtin -fno-strict-aliasing -fno-tree-loop-distribute-patterns \
			$(sed -n '1s,// ,,p' g.c) g.c -o g
		compare "seed $seed"
	done
}

# teams SEED…: programs of chance with 1 to 16 threads, whose counts arithmetic gives by thread.
teams() {
	for seed; do
		n=$($emulate_py teams "$seed" t.c want)
		gcc -w -g -O1 -fopenmp t.c -o t
		OMPP_OBJECT_MIN=1 OMP_NUM_THREADS=$n OMP_WAIT_POLICY=passive emulated 7 ./t
		for name in $(cut -d ' ' -f 1 want | sort -u); do
			$emulate_py counts t.json "$name" | sed "s/^/$name /"
		done | grep PARALLEL | awk '{ for (i = 4; i <= 7; i++) sum[$1 " " $3, i] += $i; at[$1 " " $3] }
			END { for (k in at) print k, sum[k, 4], sum[k, 5], sum[k, 6], sum[k, 7] }' | sort >got
		same "teams, seed $seed, $n threads" want got
	done
}
