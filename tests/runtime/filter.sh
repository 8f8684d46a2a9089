# filter: a program that puts a seccomp filter in place goes on, writes and ends as plainly, and its report has all of its regions; no
# system call is made that the filter refuses, nor one that the manual does not name; each time with a half or a third of
# the ways and settings
. "$srcdir/tests/lib.sh"

cat >filter.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef LIBSECCOMP
#include <seccomp.h>
#endif
#define OK(n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, n, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
static double a[100000];
static void work(int n)
{
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 100000; i++)
		for (int k = 0; k < n; k++)
			a[i] += i * k;
#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		a[0]++;
#pragma omp barrier
#pragma omp single
		a[1]++;
	}
}
static unsigned int action;
static const char *way;
static int put(void)
{
	/* what the program and its OpenMP library need: first what a thread needs that is made later */
	struct sock_filter list[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)), OK(SYS_mmap), OK(SYS_mprotect), OK(SYS_clone),
#ifdef SYS_clone3
		OK(SYS_clone3),
#endif
#ifdef SYS_rseq
		OK(SYS_rseq),
#endif
		OK(SYS_set_robust_list), OK(SYS_rt_sigaction), OK(SYS_rt_sigprocmask), OK(SYS_sched_getaffinity), OK(SYS_write), OK(SYS_exit), OK(SYS_exit_group),
		OK(SYS_futex), OK(SYS_munmap), OK(SYS_madvise), OK(SYS_brk), OK(SYS_fstat), OK(SYS_newfstatat),
		BPF_STMT(BPF_RET | BPF_K, action) };
	size_t left_out = strstr(way, "few") ? sizeof(list) / sizeof(list[0]) - 20 : 0;
	struct sock_fprog program = { sizeof(list) / sizeof(list[0]) - left_out, list + left_out };

	if (left_out)
		list[left_out] = list[0];
#ifdef LIBSECCOMP
	if (strstr(way, "lib")) {
		scmp_filter_ctx context = seccomp_init(action == SECCOMP_RET_LOG ? SCMP_ACT_LOG : action == SECCOMP_RET_KILL_PROCESS ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_ERRNO(EPERM));
		for (size_t i = 1; i + 1 < sizeof(list) / sizeof(list[0]); i += 2)
			seccomp_rule_add(context, SCMP_ACT_ALLOW, (int)list[i].k, 0);
		int rc = seccomp_load(context);
		seccomp_release(context);
		return rc;
	}
#endif
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return 77;
	/* twice what the kernel does not take, which changes nothing */
	if (!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 8) || errno != EFAULT || !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 1 << 20, &program) || errno != EINVAL)
		return 1;
	if (strstr(way, "tsync"))
		return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
	if (strstr(way, "syscall"))
		return (int)syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
static void *put_in_a_thread(void *rc)
{
	work(2);
	*(int *)rc = put();
	return NULL;
}
/* filter ACTION WAY: WAY has words: first (before any region), thread (another one does it), few (no new threads), tsync, syscall,
 * lib, strict, none */
int main(int argc, char **argv)
{
	pthread_t thread;
	int rc = 0;

	action = argc > 1 ? (unsigned int)strtoul(argv[1], NULL, 0) : 0;
	way = argc > 2 ? argv[2] : "none";
	setvbuf(stdout, NULL, _IONBF, 0);
	if (!strstr(way, "first"))
		work(2);
	puts("begins");
	if (strstr(way, "strict"))
		rc = prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	else if (strstr(way, "thread"))
		rc = pthread_create(&thread, NULL, put_in_a_thread, &rc) ? 77 : pthread_join(thread, NULL) | rc;
	else if (!strstr(way, "none"))
		rc = put();
	if (rc)
		return 77;
	for (int i = 0; !strstr(way, "strict") && i < 20; i++)
		work(10);
	puts("ends");
	if (strstr(way, "strict"))
		syscall(SYS_exit, 3);
	return 3;
}
C
export OMP_WAIT_POLICY=active OMPP_QUIET=1
$CC -O1 -fopenmp filter.c -o plain
kinst $CC -O1 -fopenmp filter.c -o ours
kinst $CC -O1 -fopenmp -static filter.c -o static || rm -f static
ways='few few,syscall first first,tsync thread thread,tsync tsync'
lib=
if $CC -O1 -fopenmp -DLIBSECCOMP filter.c -o plain_lib -lseccomp 2>/dev/null; then
	kinst $CC -O1 -fopenmp -DLIBSECCOMP filter.c -o ours_lib -lseccomp
	lib='lib lib,first'
fi

# The visits of each region by each thread
visits() { ompp report --format=csv "$1" | awk -F, '/^##BEG flat/ { on = 1 } /^##BEG callgraph/ { on = 0 } on && /^R0/ { print $1, $2, $4 } on && /^([0-9]|SUM)/ { print $1, $3 }'; }

# try PLAIN OURS ACTION WAY [VARIABLE=VALUE…]: the program's own output and status; its report, which is in got.*.ompp
try() {
	plain=$1 ours=$2 action=$3 way=$4
	shift 4
	status=0
	timeout 60 "./$plain" "$action" "$way" >want 2>want.err || status=$?
	did=
	[ $status = 3 ] || return 0 # the plain program needs more here, or there is no seccomp
	rm -f got.*
	status=0
	env OMPP_REPORTFILE=got.txt "$@" timeout 60 "./$ours" "$action" "$way" >got 2>got.err || status=$?
	[ $status = 3 ] || fail "$ours $action $way $*: status $status: $(cat got got.err)"
	same "$ours $action $way" want got
	same "$ours $action $way, stderr" want.err got.err
	did=$way
	tried="$tried $way"
}

# counts WAY: the report of the last try has the regions that the run without a filter has
counts() {
	[ "$did" ] || return 0
	visits got.txt.ompp >counted
	case $1 in *first*) ;; *thread*) return 0 ;; esac # whose thread has a region of its own
	all=all.$(case $1 in *first*) echo first ;; *) echo later ;; esac)
	same "regions: $1" "$all" counted
	grep -q 'seccomp filter in place' got.txt || fail "$1: no note of the filter"
}

for way in none none,first; do
	env OMPP_REPORTFILE=whole.txt ./ours 0 $way >/dev/null 2>&1 || :
	visits whole.txt.ompp >"all.$(case $way in *first*) echo first ;; *) echo later ;; esac)"
done
[ "$(wc -l <all.first)" -gt 5 ] || fail "no regions: $(cat all.first)"

tried=
kill=0x80000000 errno=0x50001 log=0x7ffc0000 trap=0x30000
for way in $ways; do
	in_part 2 || continue
	try plain ours $kill $way
	counts $way
done
echo "tried:$tried"
[ "$tried" ] || skip 'no seccomp here, or the plain program needs more'
for action in $errno $log $trap 0; do
	for way in few first,tsync; do
		in_part 3 || continue
		try plain ours $action $way
		counts $way
	done
done
for way in $lib; do
	for action in $kill $errno; do
		in_part 3 || continue
		try plain_lib ours_lib $action $way
		counts $way
	done
done
for setting in OMPP_REPORTFILE=none OMPP_CTR=cpu-clock,page-faults OMPP_TRACE=1 OMPP_DUMP_INTERVAL=0.01 OMPP_PAGES=1 OMPP_DATA=all OMPP_HOT=10000; do
	for way in few first,tsync; do
		! in_part 3 || try plain ours $kill $way $setting
	done
done
[ ! -x static ] || for way in few first tsync; do
	in_part 2 || continue
	try plain static $kill $way
	counts $way
done
try plain ours $kill first,strict # with the only thread, whose end is the process's

# What cannot be read any more is missing, and not 0.
try plain ours $kill few OMPP_CTR=cpu-clock,page-faults
grep -Eq '^User Time *: -$' got.txt || fail "the processor time: $(grep '^User Time' got.txt)"
ompp report --format=csv got.txt.ompp | awk -F, '/^TID/ && /cpu-clock/ { n++; getline; if ($(NF - 1) != "-" || $NF != "-") exit 1 } END { exit !n }' ||
	fail "counters that could not be read: $(ompp report --format=csv got.txt.ompp | grep -A3 '^TID')"

command -v strace >/dev/null || exit 0
man=$srcdir/env/man/libompp.7.in
for setting in A=b OMPP_REPORTFILE=none OMPP_CTR=page-faults OMPP_PUBLISH=$PWD/nothing OMPP_TRACE=1; do
	in_part 2 || continue
	env $setting strace -f -o trace ./ours 0 none >/dev/null 2>&1 || [ $? = 3 ] || skip 'strace may not trace'
	# what the program, its libraries and the helper's process do is not libompp's
	strace -f -o plainly ./plain 0 none >/dev/null 2>&1 || :
	calls() { sed -n 's/^[0-9]* *\([a-z0-9_]*\)(.*/\1/p' "$1" | sort -u; }
	calls plainly >known
	awk '/execve\(.*ompp-/ { helper[$1] = 1 } !helper[$1]' trace >ourselves
	calls ourselves | grep -vxFf known >more || :
	for call in $(cat more) ; do
		case $call in dup3 | close_range | prctl | execve | setsid) continue ;; esac # of the process that becomes the helper
		grep -qw "$call" "$man" || fail "$setting: $call is not in libompp(7)"
	done
done
