# filter: with OMPP_REPORTFILE=none a program under a seccomp filter that allows only what it needs ends as plainly, and no system call
# is made that the manual does not name
. "$srcdir/tests/lib.sh"

cat >filter.c <<'C'
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
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
int main(int argc, char **argv)
{
	struct sock_filter list[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)), OK(SYS_write), OK(SYS_exit), OK(SYS_exit_group),
		OK(SYS_futex), OK(SYS_munmap), OK(SYS_madvise), OK(SYS_brk), OK(SYS_fstat), OK(SYS_newfstatat),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS) };
	struct sock_fprog program = { sizeof(list) / sizeof(list[0]), list };

	(void)argv;
	setvbuf(stdout, NULL, _IONBF, 0);
	work(2);
	puts("begins");
	if (argc < 2 && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)))
		return 77;
	for (int i = 0; i < 50; i++)
		work(30);
	puts("ends");
	return 3;
}
C
export OMP_WAIT_POLICY=active OMPP_QUIET=1
$CC -O1 -fopenmp filter.c -o plain
kinst $CC -O1 -fopenmp filter.c -o ours
status=0
./plain >want 2>&1 || status=$?
[ $status != 77 ] || skip 'no seccomp here'
[ $status = 3 ] || skip "the plain program needs more: status $status"
for i in 1 2 3 4 5 6 7 8; do
	status=0
	OMPP_REPORTFILE=none ./ours >got 2>&1 || status=$?
	[ $status = 3 ] || fail "status $status: $(cat got)"
	same 'under the filter' want got
done

command -v strace >/dev/null || exit 0
man=$srcdir/env/man/libompp.7.in
for setting in A=b OMPP_REPORTFILE=none OMPP_CTR=page-faults OMPP_PUBLISH=$PWD/nothing OMPP_TRACE=1; do
	env $setting strace -f -o trace ./ours x >/dev/null 2>&1 || [ $? = 3 ] || skip 'strace may not trace'
	# what the program, its libraries and the helper's process do is not libompp's
	strace -f -o plainly ./plain x >/dev/null 2>&1 || :
	calls() { sed -n 's/^[0-9]* *\([a-z0-9_]*\)(.*/\1/p' "$1" | sort -u; }
	calls plainly >known
	awk '/execve\(.*ompp-/ { helper[$1] = 1 } !helper[$1]' trace >ourselves
	calls ourselves | grep -vxFf known >more || :
	for call in $(cat more) ; do
		case $call in dup3 | close_range | prctl | execve | setsid) continue ;; esac # of the process that becomes the helper
		grep -qw "$call" "$man" || fail "$setting: $call is not in libompp(7)"
	done
done
