# beside: the compile for messages runs beside the one with hooks where a processor has nothing else to do, and after it
# elsewhere; messages and exit status are those of the compiler in both cases, and signals end both.
. "$srcdir/tests/lib.sh"

cat >load.c <<'C'
#include <stdlib.h>
int getloadavg(double *load, int n)
{
	const char *value = getenv("LOAD");

	for (int i = 0; i < n; i++)
		load[i] = value ? atof(value) : 0;
	return n;
}
C
"$CC" -shared -fPIC load.c -o load.so || fail load.c

# A compiler that notes whether the other compile has begun while it runs.
mkdir path
cat >path/gcc <<'SH'
#!/bin/sh
case " $* " in
*" -fsanitize=thread "*) me=hooks other=messages ;;
*judged.s*) me=messages other=hooks ;;
*) exec "$REAL" "$@" ;;
esac
echo $me >>"$LOG.began"
trap 'echo $me >>"$LOG.ended"; kill $!; exit 143' TERM
if [ "$WAIT" = ever ]; then
	sleep 60 &
	wait $!
fi
i=0
while [ $i -lt "$WAIT" ] && ! grep -q $other "$LOG.began"; do
	sleep 0.1
	i=$((i + 1))
done
[ $i -lt "$WAIT" ] && echo $me >>"$LOG.met"
exec "$REAL" "$@"
SH
chmod +x path/gcc
REAL=$(command -v gcc) LOG=$PWD/log
export REAL LOG
printf '#include <string.h>\nint f(int *a) { int b; memset(a, 0, 4); return a[1] + b; }\n' >right.c
printf 'int f(void) { int unused; return 1 }\n' >wrong.c

# build LOAD WAIT NAME: what kinst and gcc say
build() {
	rm -f log.*
	status=0
	gcc -O2 -Wall -c $3.c -o plain.o >plain 2>&1 || status=$?
	ours=0
	LD_PRELOAD=$PWD/load.so LOAD=$1 WAIT=$2 PATH=$PWD/path:$PATH kinst --access gcc -O2 -Wall -c $3.c -o $3.o >said 2>&1 || ours=$?
	[ $status = $ours ] || fail "$3, load $1: status $status and $ours"
	same "$3, load $1" plain said
}
processors=$(getconf _NPROCESSORS_ONLN)
for name in right wrong; do
	build 0 100 $name
	[ $processors -lt 2 ] || [ "$(sort log.met | tr '\n' ' ')" = 'hooks messages ' ] || fail "$name: not side by side: $(cat log.*)"
	build $processors 5 $name
	[ "$(cat log.met)" = messages ] || fail "$name, busy: side by side: $(cat log.*)"
done
nm right.o | grep -q ' U .*read4' || fail "no hooks: $(nm right.o)"
[ ! -e wrong.o ] || fail 'an object of what is wrong'

# a compiler that checks itself, which expects what a compile for messages that ends early leaves out
LD_PRELOAD=$PWD/load.so LOAD=$processors kinst --access gcc -O2 -Wall -fchecking=1 -c right.c -o right.o >checked 2>&1 ||
	fail "-fchecking: $(cat checked)"
gcc -O2 -Wall -c right.c -o plain.o >plain 2>&1
same '-fchecking' plain checked

# with gcc's own warnings, functions of which it would warn late are compiled as far as that, and the others are not
cat >late.c <<'C'
#include <stdlib.h>
#include <string.h>
char name[4];
double table[10], *p;
void chars(int n) { for (int i = 0; i < n; i++) { name[0] = 1; name[1] = 2; } memset(name, 0, 5); }
void leaves(void) { for (int i = 0; i < 20; i++) table[i] = i * 2.5; }
void freed(void) { free(table); }
void zeros(double *a, long n) { for (long i = 0; i < n; i++) a[i] = 0; }
void copied(double *a, double *b, long n) { for (long i = 0; i < n; i++) a[i] = b[i]; }
double silent(double *a, int n) { double s = 0; for (int i = 1; i < n; i++) { a[2 * i] = a[i] * 3; s += a[i]; } return s; }
void filled(void) { double *q = malloc(8); for (int i = 0; i < 2; i++) q[i] = i; p = q; }
static void put(char *c) { for (int i = 0; i < 6; i++) c[i] = i; }
void past(void) { put(name); }
C
for level in -O1 -O2 -O3; do
	gcc $level -c late.c -o plain.o >plain 2>&1 || fail "$level: $(cat plain)"
	LD_PRELOAD=$PWD/load.so LOAD=$processors kinst --access gcc $level -c late.c -o late.o >said 2>&1 || fail "$level: $(cat said)"
	same "late, $level" plain said
	[ "$(grep -c 'warning:' plain)" -ge 3 ] || fail "gcc $level: $(cat plain)"
done
LD_PRELOAD=$PWD/load.so LOAD=$processors kinst --verbose --access gcc -O3 -c late.c -o late.o >steps 2>&1
plugin=$(grep judged.s steps | tr ' ' '\n' | grep -e '^-fplugin')
case $plugin in *messages=default*) ;; *) fail "no compile that ends early: $(cat steps)" ;; esac
gcc -O3 $plugin -fdump-tree-optimized=optimized -S late.c -o late.s >said 2>&1 || fail "$(cat said)"
for function in chars leaves freed zeros copied silent filled past; do
	case $function in leaves | silent) n=0 ;; *) n=1 ;; esac
	[ "$(grep -c "^;; Function $function " optimized)" = $n ] || fail "$function: $(grep Function optimized)"
done
LD_PRELOAD=$PWD/load.so LOAD=$processors kinst --verbose --access gcc -O3 -Wall -c late.c -o late.o >steps 2>&1
! grep -q 'messages=default' steps || fail "-Wall: $(cat steps)"

# a signal reaches both
if [ $processors -ge 2 ]; then
	rm -f log.*
	LD_PRELOAD=$PWD/load.so LOAD=0 WAIT=ever PATH=$PWD/path:$PATH kinst --access gcc -O2 -c right.c -o right.o >said 2>&1 &
	pid=$!
	i=0
	while [ $i -lt 100 ] && [ "$(sort log.began 2>/dev/null | tr '\n' ' ')" != 'hooks messages ' ]; do
		sleep 0.1
		i=$((i + 1))
	done
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ $status = 143 ] && [ "$(sort log.ended | tr '\n' ' ')" = 'hooks messages ' ] || fail "a signal: $status, $(cat log.*)"
fi
