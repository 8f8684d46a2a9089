# predict: what one run says of the time with other numbers of threads is what these take, for programs that sleep, each with
# several numbers of threads (predict.py).  PART=3/10 takes a tenth of them; by itself it takes three, one of them a recursion,
# and one by Clang whose threads steal.
. "$srcdir/tests/lib.sh"
need python3
export OMPP=$builddir/ompp KINST_PROGRAM=$builddir/kinst
unset KINST KINST_FLAGS
mkdir programs
python3 "$srcdir/tests/runtime/predict.py" programs "${CC:-gcc}" "${PART:-8/14}" >said || { cat said; fail "a prediction"; }

# With schedule(runtime) GCC's library does not tell whether a chunk is a part that more threads would divide.
cat >runtime.c <<'C'
#include <time.h>
int main(void)
{
	struct timespec nap = { 0, 5000000 };
	#pragma omp parallel for schedule(SCHEDULE)
	for (int i = 0; i < 16; i++)
		nanosleep(&nap, 0);
	return 0;
}
C
for schedule in runtime dynamic; do
	kinst gcc -O1 -fopenmp -DSCHEDULE=$schedule runtime.c -o $schedule
	OMPP_SPAN=1 OMPP_QUIET=1 OMP_SCHEDULE=static OMP_NUM_THREADS=4 OMPP_REPORTFILE=$schedule.txt ./$schedule
	ompp report --view=span $schedule.txt.ompp >$schedule.said
done
grep -qE '^ +8 +[0-9.]+ +- ' runtime.said && grep -qE '^ +8 +[0-9.]+ +[0-9.]+ ' dynamic.said || {
	cat runtime.said dynamic.said
	fail 'a time is likely of a loop whose schedule is not known, or none of one where it is'
}
[ -n "${PART:-}" ] || ! command -v clang >/dev/null ||
	python3 "$srcdir/tests/runtime/predict.py" programs clang 1/1 0.1 'loop-dynamic-last-long' >said ||
	{ cat said; fail "a prediction of LLVM's loops"; }
