# refused: programs into which nothing can be loaded, or that may not write a report, run by ompp run as plainly, with
# the same output and status, and the reason in one sentence: static ones, set-uid ones, those that filter system calls,
# those that end without exit(), that only start others, and where the library is missing
. "$srcdir/tests/lib.sh"

cat >prog.c <<'C'
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
static void *work(void *arg)
{
	char *block = malloc(1 << 20);
	memset(block, 1, 1 << 20);
	free(block);
	return arg;
}
/* Allows what a program needs that only prints and ends. */
static void filter(unsigned refuse)
{
	struct sock_filter list[] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 4, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_newfstatat, 2, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_brk, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, refuse), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
	struct sock_fprog program = { sizeof(list) / sizeof(*list), list };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		exit(77);
}
int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	if (!strcmp(what, "refused"))
		filter(SECCOMP_RET_ERRNO | 1);
	if (!strcmp(what, "killed"))
		filter(SECCOMP_RET_KILL_PROCESS);
	if (!strcmp(what, "strict") && prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		exit(77);
	if (write(1, "done\n", 5) != 5)
		return 1;
	if (!strcmp(what, "strict") || !strcmp(what, "raw"))
		syscall(SYS_exit, 6);
	return 5;
}
C
$CC -O1 -w prog.c -o prog -pthread
# check SENTENCE PROGRAM ARG…: "" where there is a report
check() {
	sentence=$1
	shift
	want=0 got=0
	"$@" >want.out 2>want.err || want=$?
	[ $want != 77 ] || return 0
	rm -f ./*.ompp* report.txt
	OMPP_REPORTFILE=report.txt ompp run "$@" >got.out 2>got.err || got=$?
	[ $want = $got ] || fail "$*: status $got, not $want: $(cat got.err)"
	head -n "$(wc -l <want.out)" got.out >first
	same "$*: output" want.out first
	if [ "$sentence" ]; then
		[ "$(wc -l <got.err)" = 1 ] && grep -qF "$sentence" got.err || fail "$*: $(cat got.err), not: $sentence"
		same "$*: all output" want.out got.out
	else
		[ -s report.txt ] || fail "$*: no report: $(cat got.err)"
	fi
}
check '' ./prog
check '' ./prog refused
check '' ./prog killed
ended='left no profile in .: it ended without exit(), did little but start others, or may not write any more'
check "$ended" ./prog strict
check "$ended" ./prog raw
if $CC -O1 -w -static prog.c -o fixed -pthread 2>/dev/null; then
	check 'it is static, so that nothing can be loaded into it' ./fixed
	check 'it is static, so that nothing can be loaded into it' ./fixed refused
fi
# given to the dynamic linker, which is static itself, a program is measured
linker=$(readelf -lW prog | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
check '' "$linker" ./prog
check '' "$linker" --library-path "$PWD" --inhibit-cache ./prog
[ -e fixed ] && check 'it is static, so that nothing can be loaded into it' "$linker" ./fixed
if [ "$(id -u)" = 0 ]; then
	cp prog secure
	chown 12345 secure
	chmod 4755 secure
	check 'it is set-uid or set-gid, and such programs write none' ./secure
fi
# One that starts another and works itself has a report, also after a shell has become it (exec); a shell has none.
cat >works.c <<'C'
#include <stdlib.h>
#include <sys/resource.h>
static long us(int whose)
{
	struct rusage use;
	getrusage(whose, &use);
	return (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000000 + use.ru_utime.tv_usec + use.ru_stime.tv_usec;
}
int main(int argc, char **argv)
{
	long begin = us(RUSAGE_SELF);
	if (argc > 1 && system(argv[1]))
		return 1;
	while (us(RUSAGE_SELF) - begin < 100000 + 2 * us(RUSAGE_CHILDREN))
		;
	return 5;
}
C
$CC -O1 -w works.c -o works
check '' ./works :
check '' sh -c '/bin/true; exec ./works'
check "$ended" sh -c './works; exit 5'
mkdir none
KINST_LIBDIR=$PWD/none
export KINST_LIBDIR
check 'left no profile in .: libompp.so is not found to load into it' ./prog
