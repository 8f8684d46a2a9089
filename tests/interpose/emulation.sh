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

# own_source: writes own.c, which ends as its argument says, or tells what a program sees of the world.
own_source() {
	cat >own.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int before[3000], child[3000], after[3000];
static void walk(volatile int *x, int turns)
{
	for (int k = 0; k < turns; k++)
		for (int i = 0; i < 3000; i++)
			x[i] = x[i] + 1;
}
int main(int argc, char **argv)
{
	char line[99] = "";
	const char *what = argc > 1 ? argv[1] : "", *preload = IS_STATIC ? getenv("LD_PRELOAD") : 0; /* it has libompp */
	int status;
	walk(before, 1);
	if (!strcmp(what, "abort"))
		abort();
	if (!strcmp(what, "fault"))
		*(volatile int *)8 = 1;
	if (!strcmp(what, "term"))
		kill(getpid(), SIGTERM);
	if (!strcmp(what, "_exit"))
		_exit(9);
	if (!strcmp(what, "exec"))
		execl("/bin/echo", "echo", "became", "another", NULL);
	if (!strcmp(what, "fork")) {
		if (!fork()) {
			walk(child, 2);
			return 3;
		}
		wait(&status);
		walk(after, 3);
		return WEXITSTATUS(status);
	}
	if (!fgets(line, sizeof line, stdin))
		line[0] = 0;
	printf("%s %d %s %s %s %s", argv[0], argc, argv[argc - 1], getenv("OWN"), preload ? preload : "none", line);
	fprintf(stderr, "said\n");
	return 41;
}
END
}

# counted: the counts of before, child and after in all profiles
counted() {
	for profile in own.*.ompp; do
		ompp report --format=json "$profile" >own.json
		for name in before child after; do
			$emulate_py counts own.json $name | sed "s/^/$name /"
		done
	done | LC_ALL=C sort
}
# own STATUS COUNTS ARGUMENT: runs ./own
own() {
	rm -f ./*.ompp
	status=0
	emulate ompp run --emulate ./own "$3" || status=$?
	[ $status = "$1" ] || fail "$3: status $status: $(cat said)"
	[ "$(counted | tr '\n' ' ')" = "$2" ] || fail "$3: $(counted)"
}
# check_own: what ends a process: its status, and all that was counted until then; a child has what is its own; and its
# output, environment, input and status are those of the program without ompp
check_own() {
	before='before - 0 3000 3000 0 24000 '
	for signal in abort:134 fault:139 term:143 _exit:9; do
		own "${signal#*:}" "$before" "${signal%:*}"
	done
	own 3 "after - 0 9000 9000 0 72000 ${before}child - 0 6000 6000 0 48000 " fork
	[ "$(OMPP_REPORTFILE=none ompp run --emulate ./own exec)" = "became another" ] || fail "exec"
	for preload in '' "$PWD/missing.so"; do
		status=0 ours=0
		echo typed | OWN="a,b c" LD_PRELOAD=$preload ./own one "two words" -E >want 2>want_err || status=$?
		echo typed | OWN="a,b c" LD_PRELOAD=$preload OMPP_REPORTFILE=none "$builddir/ompp" run --emulate \
			./own one "two words" -E >got 2>got_err || ours=$?
		same "output with LD_PRELOAD=$preload" want got
		# the dynamic linkers of ompp itself, and of the program, say that the library is missing
		for side in want got; do
			grep -v 'missing.so' ${side}_err >${side}_own || :
		done
		same "errors with LD_PRELOAD=$preload" want_own got_own
		[ $status = $ours ] || fail "own: status $ours, plain $status"
	done
}
