# helper: what PAPI and elfutils are asked is asked in a process of its own, which the program does not see; and what is said
# where there is none
. "$srcdir/tests/lib.sh"
[ -x "$builddir/ompp-papi" ] && [ -x "$builddir/ompp-symbols" ] || skip "built without PAPI or elfutils"
export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE="$work/report"

$CC -fopenmp -g "$srcdir/tests/runtime/helper.c" -o plain
kinst $CC -fopenmp -g "$srcdir/tests/runtime/helper.c" -o ours

# compare WHAT SETTING [SHELL]: by kinst, with the setting, the program does what it does plainly; SHELL starts $0
compare() {
	rc=0
	sh -c "${3:-exec \"\$0\"}" ./plain >want || rc=$?
	[ $rc = 3 ] || fail "plain, $1: status $rc"
	rm -f report
	rc=0
	env "$2" sh -c "${3:-exec \"\$0\"}" ./ours >got 2>err || rc=$?
	[ $rc = 3 ] || fail "$1: status $rc"
	same "$1" want got
	[ -s report ] || fail "$1: no report"
}

# What is preloaded into the program is not into helpers: this would end them.
printf '#include <string.h>\n#include <unistd.h>\nextern char *program_invocation_short_name;\n%s\n%s\n' \
	'__attribute__((constructor)) static void f(void) {' \
	'if (!strncmp(program_invocation_short_name, "ompp-", 5)) _exit(1); }' >bad.c
$CC -w -D_GNU_SOURCE -shared -fPIC bad.c -o bad.so

for setting in OMPP_CTR=PAPI_TOT_INS,INST_RETIRED,page-faults OMPP_DATA_NAME=main.grid,grid; do
	compare "$setting" "$setting"
	! grep -q 'its helper' report err || fail "$setting: no helper answered"
	compare "$setting, preloaded" "$setting" "LD_PRELOAD=$PWD/bad.so exec \"\$0\""
	! grep -q 'its helper' report err || fail "$setting: what is preloaded is loaded into helpers"
	compare "$setting, SIGCHLD ignored" "$setting" 'trap "" CHLD; exec "$0"'
	compare "$setting, closed" "$setting" 'exec "$0" <&-'
	! grep -q 'its helper' report err || fail "$setting: no helper answered without stdin"
done

# Where none can be had: the program runs on, and the report says why.
export OMPP_CTR=INST_RETIRED_OF_NOBODY
compare "no descriptors" A=b 'ulimit -n 4; exec "$0"'
grep -q 'ulimit -n' report err || fail "no descriptors: no reason"
mkdir lib
cp "$builddir"/.libs/libompp.so* lib
compare "not installed" LD_LIBRARY_PATH="$PWD/lib"
grep -q 'ompp-papi is not installed' report err || [ -x /usr/local/libexec/kinst/ompp-papi ] || fail "not installed: no reason"
printf '#!/bin/sh\nexit 0\n' >lib/ompp-papi
chmod +x lib/ompp-papi
compare "ends at once" LD_LIBRARY_PATH="$PWD/lib"
grep -q 'ompp-papi does not run' report err || fail "ends at once: no reason"
printf '#!/bin/sh\necho "not what it says" >&0\nexec cat\n' >lib/ompp-papi
compare "says something else" LD_LIBRARY_PATH="$PWD/lib"
grep -q 'ompp-papi does not run' report err || fail "says something else: no reason"

# One that dies in a question is named with its signal; the next question has another one, and nothing else is lost.
cat >dies.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
int pfm_get_os_event_encoding(const char *name, int level, int os, void *argument)
{
	int (*real)(const char *, int, int, void *) =
		(int (*)(const char *, int, int, void *))dlsym(RTLD_NEXT, "pfm_get_os_event_encoding");
	char deep[4096];

	if (strstr(name, "FAULTS_HERE"))
		*(volatile int *)16 = 0;
	if (strstr(name, "ABORTS"))
		raise(SIGABRT);
	if (strstr(name, "KILLED"))
		raise(SIGKILL);
	memset(deep, 0, sizeof(deep));
	return strstr(name, "TOO_DEEP") ? pfm_get_os_event_encoding(name, level, os, deep) + deep[0]
	                                : real(name, level, os, argument);
}
C
$CC -O0 -w -shared -fPIC dies.c -o dies.so -ldl
printf '#!/bin/sh\nLD_PRELOAD=%s exec %s\n' "$PWD/dies.so" "$(cd "$builddir" && pwd)/ompp-papi" >lib/ompp-papi
export LD_LIBRARY_PATH="$PWD/lib"
for how in 'FAULTS_HERE by signal 11' 'ABORTS by signal 6' 'TOO_DEEP by signal 11' 'KILLED'; do
	name=perf::${how%% *}
	compare "$how" "OMPP_CTR=$name,perf::PERF_COUNT_SW_CONTEXT_SWITCHES,page-faults"
	grep -q "PAPI: its helper ompp-papi ended${how#"${name#perf::}"}; names" report || { cat report err; fail "$how: not named"; }
	grep -q '^OMPP_CTR.*PERF_COUNT_SW_CONTEXT_SWITCHES, exact\|PERF_COUNT_SW_CONTEXT_SWITCHES.*exact' report || {
		cat report
		fail "$how: the other counters"
	}
done
