# emulate_ends: by ompp run --emulate with reports in intervals a process whose main thread ends first ends as plain: by
# exit(2), the system call, alone or before a second thread, and by pthread_exit(); with the status of its last thread
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/emulation.sh"
DEADLINE=60 # seconds: it takes one

cat >last.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *run(void *status)
{
	usleep(300000);
	syscall(SYS_exit, *(int *)status);
	return 0;
}
int main(void)
{
	static int status = 5;
	pthread_t thread;
	free(malloc(10000));
	if (pthread_create(&thread, 0, run, &status))
		return 1;
	syscall(SYS_exit, 3);
	return 2;
}
END
cp "$srcdir/tests/runtime/raw_exit.c" raw.c

# ends PROGRAM [ARGUMENT] OPTION: compares what it says, and its status, with those of a plain run
ends() {
	for option; do :; done
	program=$1 how=
	[ $# = 2 ] || how=$2
	status=0
	timeout -s KILL $DEADLINE "./$program" $how >want || status=$?
	n=$(wc -l <want)
	echo "status $status" >>want
	rm -f ./*.ompp
	status=0
	emulate timeout -s KILL $DEADLINE "$builddir/ompp" run --emulate $option "./$program" $how || status=$?
	head -n "$n" out >got # the report comes behind it
	echo "status $status" >>got
	same "$program $how, $option" want got
}
for linked in '' -static; do
	echo 'int main(void) { return 0; }' >none.c
	gcc $linked none.c -o none 2>/dev/null || continue # no static C library
	gcc -w -O2 $linked raw.c -o raw -pthread
	gcc -w -O2 $linked last.c -o last -pthread
	for option in --objects=all --dump-interval=60; do
		ends raw alone $option
		ends raw after $option
		ends last $option
		ends raw pthread $option
		grep -q '^end$' got || fail "pthread, $option: the exit handler: $(cat got)"
		ompp report --format=csv raw.*.ompp >csv || fail "pthread, $option: no profile of the run"
	done
done
