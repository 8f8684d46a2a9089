# span_locks: what programs that sleep in critical sections, with locks and in ordered regions would gain without waiting for
# these: nothing where other work hides it, and what arithmetic says where it is on the longest path; and that the
# finding says so (span_locks.py)
. "$srcdir/tests/lib.sh"
need python3
export OMPP=$builddir/ompp KINST_PROGRAM=$builddir/kinst
unset KINST KINST_FLAGS
mkdir programs
python3 "$srcdir/tests/runtime/span_locks.py" programs "${CC:-gcc}" 1 2 >said || { cat said; fail "gains"; }

# what a parent did before fork() is nothing that its child waits for
cat >fork.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
static void visit(int us)
{
	#pragma omp critical
	usleep(us);
}
int main(void)
{
	usleep(100000);
	#pragma omp parallel num_threads(2)
	visit(1000);
	if (fork())
		wait(0);
	else
		visit(1000);
	return 0;
}
END
kinst "${CC:-gcc}" -fopenmp fork.c -o fork || fail "fork.c"
OMPP_SPAN=1 OMPP_USEPID=1 OMPP_QUIET=1 OMPP_REPORTFILE=forked ./fork || fail "fork: $?"
set -- forked.*.ompp
[ -f "$1" ] && [ $# = 1 ] || fail "no profile of the child: $*"
ompp report --format=json "$1" | python3 -c 'import json, sys
run = json.load(sys.stdin)["run"]
sys.exit(not 1000000 <= run["executed_ns"] <= run["duration_ns"])' || fail "the child has what its parent did"
