# course: programs whose threads sleep, each of which says when; how many threads are at work, wait, or are in no team in each
# part of the run is arithmetic (course.py); the picture and the sentences of the section say it
. "$srcdir/tests/lib.sh"
need python3
export OMPP=$builddir/ompp
mkdir programs
python3 "$srcdir/tests/runtime/course.py" programs "${CC:-gcc}" 1 2 3 >said || { cat said; fail "the course of the run"; }

# eight threads for 0.4 s, one of them for 0.1 s more
cat >last.c <<'END'
#include <omp.h>
#include <time.h>
int main(void)
{
	#pragma omp parallel num_threads(8)
	{
		struct timespec t = { 0, omp_get_thread_num() == 5 ? 500000000 : 400000000 };
		nanosleep(&t, 0);
	}
	return 0;
}
END
# course_of PROGRAM: builds it where it is not there, and runs it by eight threads; `text` gets its course
course_of() {
	[ -x $1 ] || kinst "${CC:-gcc}" -fopenmp $1.c -o $1 || fail "$1.c"
	rm -f $1.txt*
	OMP_NUM_THREADS=8 OMPP_QUIET=1 OMPP_REPORTFILE=$1.txt ./$1 || fail "$1: $?"
	ompp report --view=course $1.txt.ompp >text || fail "$1: no report"
}
last() {
	course_of last
	grep -Eq '^The last (19|20|21)\.. % of the run \(.*\) had 1\.. of 8 threads at work, mostly in PARALLEL$' text ||
		grep -Eq '^The last (19|20|21)\.. % of the run \(.*\) had 1\.. of 8 threads at work, mostly in PARALLEL last.c' text
}
retry 3 last || fail "what few threads did last: $(cat text)"
ompp report --view=summary last.txt.ompp | grep -q '^course: the last .* of 8 threads at work' || fail "the summary"
# the picture: 8 lines, in whose last fifth one is full and the others wait
grep -E '^ +[1-8] [ +]*#' text >picture
[ "$(wc -l <picture)" = 8 ] || fail "the picture: $(cat text)"
[ "$(grep -Ec '#{40}[+#.]*\.{8} *$' picture)" = 7 ] || fail "the picture's end: $(cat picture)"
grep -Eq '^ +1 .*#{40}$' picture || fail "the picture's lowest line: $(cat picture)"
[ "$(awk '!/^The last/ && length($0) > 80 { n++ } END { print n + 0 }' text)" = 0 ] || fail "lines of more than 80 columns"

# what is said of the last part is not about what was before it: eight threads for 0.5 s, and then one in another region
cat >after.c <<'END'
#include <time.h>
static void nap(long ms) { nanosleep(&(struct timespec){ 0, ms * 1000000 }, 0); }
int main(void)
{
	#pragma omp parallel num_threads(8)
	nap(500);
	#pragma omp parallel num_threads(1)
	nap(400);
	return 0;
}
END
after() {
	course_of after
	tr '\n' ' ' <text | tr -s ' ' | grep -Eq 'The last [0-9.]+ % of the run \([0-9.]+ s\) had 1\.. of 8 threads at work, mostly in PARALLEL after.c \(7-8\)'
}
retry 3 after || fail "what is after a region: $(cat text)"

# a run in which all threads work has no such sentence
sed 's/== 5 ? 500000000/== 5 ? 400000000/' last.c >even.c
even() { # threads that get no processor when they wake are not at work
	course_of even
	! grep 'threads at work' text
}
retry 3 even || fail "said of a run in which all worked"

# without it, nothing is said and nothing kept
OMPP_COURSE=0 OMPP_QUIET=1 OMPP_REPORTFILE=off.txt ./even || fail "off: $?"
ompp report --view=course off.txt.ompp | grep -q 'No course of the run was kept' || fail "a course that was switched off"
