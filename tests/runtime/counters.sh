# counters: software counters against arithmetic, getrusage and perf; where they come from, and what says why they do not
. "$srcdir/tests/lib.sh"

kinst $CC -fopenmp -O1 "$srcdir/tests/runtime/counters.c" -o prog
# without the memory of the longest path, whose pages come where threads begin
export OMPP_SPAN=0 OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_REPORTFILE="$PWD/report"

# run PROGRAM…: its output in out, ours in err, the report in report
run() {
	rm -f report*
	"$@" >out 2>err || fail "$*: status $?"
	[ -s report ] || fail "$*: no report: $(cat err)"
}

# body ROW COLUMN: of the first critical section of the running mode
body() {
	csv_field report CRITICAL "$1" "$2"
}

said() {
	grep -q -F -- "$1" err || fail "$what: stderr does not say '$1' but: $(grep ompp: err | head -3)"
	grep -q -F -- "$1" report || fail "$what: the report does not say '$1'"
}

# is_between WHAT VALUE LEAST MOST
is_between() {
	[ "$2" != - ] && [ "$2" -ge "$3" ] && [ "$2" -le "$4" ] || { echo "$1: $2 is not in $3 … $4"; return 1; }
}

# what the program itself saw, by rows "THREAD VALUE"
own() {
	awk -v row="$1" '$1 == row { print $2 }' out
}

check_faults() {
	for row in 0 1; do
		[ "$(own $row)" = $((500 * (row + 1))) ] || skip "getrusage sees $(own $row) page faults"
		# a page of the library's own code may come into memory at the event that ends the body
		is_between "page faults" "$(body $row page-faults)" "$(own $row)" $(($(own $row) + 1)) ||
			fail "$what: $(body $row page-faults) page faults in thread $row"
	done
	is_between "all page faults" "$(body SUM page-faults)" 1500 1502 || fail "$what: sum of page faults"
}

what='page faults'
OMPP_CTR1=page-faults run ./prog faults 500
check_faults
! grep -q 'missing\|not counted\|^Note' report || fail "$what: $(grep 'missing\|not counted\|^Note' report | head -1)"
total=$(csv_field report PARALLEL SUM page-faults)
is_between 'faults of the whole team' "$total" 1500 1530 || fail 'the region around'

what=task-clock
clock() {
	OMPP_CTR=task-clock,page-faults run ./prog clocks 40
	for row in 0 1; do
		near "task-clock of thread $row" "$(body $row task-clock)" "$(own $row)" 2 || return 1
	done
}
retry 3 clock || fail "$what"

what=context-switches
switches() {
	OMPP_CTR=context-switches run ./prog sleeps 50
	is_between 'switches' "$(body 0 context-switches)" "$(own 0)" $(($(own 0) + 1)) || return 1
}
retry 3 switches || fail "$what"

what=tasks
OMPP_CTR=page-faults run ./prog tasks 100
faults=$(awk -F, '/^R[0-9]+,TASKEXEC/ { inside = 1 } inside && $1 == "SUM" { print $4; exit }' report)
is_between faults "$faults" 1000 1010 || fail "$what" # code that no thread has run yet has faults, too

what='nested tasks'
OMPP_CTR=page-faults run ./prog nested 100
faults=$(awk -F, '/^R[0-9]+,TASKEXEC/ { inside = 1 } inside && $1 == "SUM" { n += $4; inside = 0 } END { print n }' report)
is_between faults "$faults" 900 910 || fail "$what"
is_between 'of the team itself' "$(csv_field report PARALLEL SUM page-faults)" 0 40 || fail "$what"

what='a region open at the end'
OMPP_CTR=page-faults run ./prog ends 100
is_between 'faults' "$(body 0 page-faults)" 100 120 || fail "$what"

what='threads that come and go'
OMPP_CTR=page-faults,task-clock run ./prog threads 100
[ "$(cat out)" = 0 ] || fail "$what: $(cat out) descriptors are left open"
faults=$(body SUM page-faults)
[ "$faults" = 300 ] || fail "$what: $faults page faults of 300"

what=fork
OMPP_CTR=page-faults run ./prog forks 500
mv report parent
mv report.* report
[ "$(csv_field parent CRITICAL:before 0 page-faults)" = 500 ] || fail 'fork: before'
# after a fork each side copies the pages of its own that it writes: a few more
is_between 'the parent' "$(csv_field parent CRITICAL:both 0 page-faults)" 500 700 || fail "$what"
[ "$(csv_field parent CRITICAL:after 0 page-faults)" = 250 ] || fail 'fork: after, parent'
is_between 'the child' "$(csv_field report CRITICAL:both 0 page-faults)" 250 450 || fail "$what"
[ "$(csv_field report CRITICAL:after 0 page-faults)" = 250 ] || fail 'fork: after, child'
! grep -q ',before$' report || fail "fork: the parent's region in the child's report"

what='computed columns'
OMPP_CTR1=page-faults OMPP_EVAL1='PAGES=page-faults/EXECC' OMPP_EVAL2="'minor-faults'*2" OMPP_EVAL3='(1' \
	run ./prog faults 500
near "$what" "$(body 0 PAGES)" 500 0.001 || fail "$what"
[ "$(body 0 minor-faults)" = 500 ] || fail "$what: what they name is not counted"
said 'OMPP_EVAL3=(1: not computed: column '

what='descriptors that the program closes'
OMPP_CTR=page-faults run ./prog closes 500
[ "$(csv_field report CRITICAL:before 0 page-faults)" = 500 ] || fail "$what: before"
[ "$(csv_field report CRITICAL:during 0 page-faults)" = - ] || fail "$what: during"
[ "$(csv_field report CRITICAL:after 0 page-faults)" = - ] || fail "$what: after"
[ "$(csv_field report PARALLEL 0 page-faults)" = - ] || fail "$what: the whole"
grep -q "^Note,.*missing in some threads: the program closed the counters' file descriptors" report || fail "$what: no note"

# ---- what cannot be counted ----

what='unknown names'
OMPP_CTR1=page-faultz OMPP_CTR2=page-faults run ./prog faults 500
said 'OMPP_CTR1=page-faultz: not counted: unknown name; did you mean page-faults?'
check_faults
[ "$(body 0 page-faultz)" = - ] || fail "$what: a value"

what='no PMU'
OMPP_CTR1=PAPI_TOT_INS OMPP_CTR=cycles,page-faults,@branch run ./prog faults 500
if grep -q 'no PMU' report; then
	[ "$(grep -c 'no PMU' err)" = 1 ] || fail "$what: more than one line"
	said 'OMPP_CTR1=PAPI_TOT_INS, OMPP_CTR=cycles, OMPP_CTR=@branch: not counted: no PMU; use software events, see `ompp counters`'
	[ "$(body 0 PAPI_TOT_INS)" = - ] && [ "$(body 0 cycles)" = - ] || fail "$what: values"
else
	is_between 'instructions' "$(body 0 PAPI_TOT_INS)" 1500 100000 || fail 'instructions of 500 steps'
fi
check_faults

what='too few descriptors'
# few N PROGRAM…: with descriptors below N alone, of which three are open
few() {
	most=$1
	shift
	run sh -c 'ulimit -n "$0"; exec "$@" 3>&- 4>&- 5>&- 6>&-' "$most" "$@"
}
OMPP_CTR=page-faults few 10 ./prog faults 500
said 'OMPP_CTR=page-faults: not counted: too many open files: `ulimit -n` is 10; counting needs 1 in each thread, and leaves 8'
[ "$(body 0 page-faults)" = - ] || fail "$what: a value"

what='descriptors for one thread of two'
OMPP_CTR=page-faults,task-clock,minor-faults few 14 ./prog faults 500
grep -q 'missing in some threads: too many open files: `ulimit -n` is 14; counting needs 3 in each thread' report ||
	fail "$what: no note"
[ "$(body 0 page-faults)$(body 1 page-faults)" = 500- ] || [ "$(body 0 page-faults)$(body 1 page-faults)" = -1000 ] ||
	fail "$what: $(body 0 page-faults) $(body 1 page-faults)"

what='a seccomp filter'
$CC -O1 "$srcdir/tests/runtime/counters_forbid.c" -o forbid
if ./forbid /bin/true; then
	OMPP_CTR=page-faults,task-clock,cpu-migrations run ./forbid ./prog faults 500
	check_faults
	said 'OMPP_CTR=cpu-migrations: not counted: perf_event_open is not permitted: a seccomp filter is in force (Seccomp: 2); allow perf_event_open in the'
	grep -q '^OMPP_CTR1,"page-faults, exact, by getrusage, as perf_event_open is not permitted: a seccomp filter' report ||
		fail "$what: $(grep '^OMPP_CTR1' report)"
	grep -q "^OMPP_CTR2,\"task-clock.* by the thread's clock" report || fail "$what: $(grep '^OMPP_CTR2' report)"
else
	echo 'no seccomp here: not tried'
fi

# ---- the list names the setting that decides what may be counted ----

if level=$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null); then
	ompp counters >list || fail "ompp counters: status $?"
	grep -q "; kernel.perf_event_paranoid is $level\$" list || fail "the setting: $(head -1 list)"
fi

# ---- as an ordinary user: what counts outside of user mode needs kernel.perf_event_paranoid 1 ----

setting=/proc/sys/kernel/perf_event_paranoid
as_user() {
	run setpriv --reuid=65534 --regid=65534 --clear-groups ./prog "$@"
}
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && chmod 777 . && setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
	found=$(cat $setting)
	what='an ordinary user'
	if [ "$found" = 2 ]; then
		OMPP_CTR=context-switches,cpu-migrations,page-faults as_user faults 500
		check_faults
		said 'OMPP_CTR=cpu-migrations: not counted: perf_event_open is not permitted: kernel.perf_event_paranoid is 2; set it to 1 or less'
		grep -q '^OMPP_CTR1,"context-switches, exact, by getrusage, as .*kernel.perf_event_paranoid is 2' report ||
			fail "$what: $(grep '^OMPP_CTR1' report)"
		grep -q '^OMPP_CTR3,.*page-faults, exact"*$' report || fail "$what: $(grep '^OMPP_CTR3' report)"
	fi
	# a user namespace of its own gives no rights either
	if [ "$found" = 2 ] && unshare -U true 2>/dev/null; then
		OMPP_CTR=cpu-migrations run unshare -U ./prog faults 500
		said 'kernel.perf_event_paranoid is 2; set it to 1 or less'
	fi
	if [ "$found" -ge 0 ] && (echo 1 >$setting) 2>/dev/null; then
		trap 'status=$?; echo "$found" >$setting; finish $status' EXIT
		what='paranoid 1'
		OMPP_CTR=context-switches,cpu-migrations as_user sleeps 50
		echo "$found" >$setting
		trap finish EXIT
		! grep -q 'not permitted' report || fail "$what: $(grep 'not permitted' report | head -1)"
		[ "$(body 0 context-switches)" -ge "$(own 0)" ] || fail "$what: switches"
	fi
else
	echo 'not root: as an ordinary user not tried'
fi

# ---- perf's own counts of the same run ----

what=perf
if command -v perf >/dev/null && perf stat -x, -o stat -e page-faults true 2>/dev/null; then
	OMPP_CTR=page-faults,task-clock run perf stat -x, -o stat -e page-faults,task-clock ./prog faults 20000
	perf_faults=$(awk -F, '$3 == "page-faults" || $3 == "page-faults:u" { print $1 }' stat)
	ours=$(csv_field report PARALLEL SUM page-faults)
	# of an ordinary user perf counts user mode alone, and says so in the name; perf's has the start of the program in it, and both libraries'
	is_between 'page faults' "$perf_faults" "$ours" $((ours + 3000)) || fail "$what: of the same run"
else
	echo 'no perf: not compared'
fi

# ---- one system call at each event that counters cover, and none at others ----

what=strace
# OMPP_HOT=0, as strace lets a thread lose its processor so often that it is not sampled any more.
if command -v strace >/dev/null && strace -o trace true 2>/dev/null; then
	for n in 100 300; do
		OMPP_HOT=0 OMPP_CTR=page-faults,task-clock,minor-faults,context-switches run strace -f -o trace.$n ./prog events $n
		awk '{ sub(/^[0-9]+ +/, ""); sub(/\(.*/, ""); if ($0 ~ /^[a-z]/) n[$0]++ } END { for (s in n) print s, n[s] }' \
			trace.$n | sort >calls.$n
	done
	# threads wait for each other as it happens, and the list of mappings is read in as many pieces as it has pages
	join calls.100 calls.300 | awk '$2 != $3 { print $1, $3 - $2 }' | grep -Ev '^(futex|pread64) ' >more || :
	# begin and end of the body of each critical section; atomics and barriers have no counters; of an ordinary user the
	# kernel tells context switches by getrusage alone
	calls='read 400'
	! grep -q '^OMPP_CTR4,"context-switches, exact, by getrusage' report || calls='getrusage 400 read 400'
	[ "$(tr '\n' ' ' <more | sed 's/ $//')" = "$calls" ] || fail "$what: 200 further rounds made $(tr '\n' ' ' <more)"
else
	echo 'no strace: system calls not counted'
fi
