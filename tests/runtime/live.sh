# live: the server of ompp live: what its page gets, what its commands do, and what those get who have no business with it.
. "$srcdir/tests/lib.sh"
grep -q '^#define HAVE_MICROHTTPD' "$builddir/config.h" || {
	if ompp live 2>err; then fail 'without libmicrohttpd'; fi
	grep -q 'without libmicrohttpd; build it where' err || { cat err; fail 'no advice'; }
	skip 'libmicrohttpd is not installed'
}
need python3

# address FILE: waits for the address that ompp has printed.
address() {
	tries=0
	until grep -q '^http://.*/$' "$1"; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || { cat "$1" err; fail 'no address'; }
		sleep 0.05
	done
	grep '^http://' "$1" | head -1
}

ompp live -e stat:user,stat:system@*,vmstat:pgfault --interval=20ms --control=ctl >out 2>err &
pid=$!
at=$(address out)
case $at in http://127.0.0.1:*/????????????????????????????????/) ;; *) fail "the address is $at" ;; esac
python3 "$srcdir/tests/runtime/live.py" "$at" ctl r.jsonl || { cat err; fail 'the server'; }
awk '/^VmHWM/ { exit $2 > 65536 }' /proc/$pid/status || { grep VmHWM /proc/$pid/status; fail 'memory'; }
[ "$(wc -l <out)" = 1 ] || { cat out; fail 'more than an address'; }
if tr -d '\n\t\040-\176' <err | grep -q .; then fail 'a terminal gets control characters'; fi
# Another one has another token.  Without it nobody keeps out who has it, however many there are.
ompp live -e stat --control=ctl2 >out2 2>err2 &
other=$!
python3 "$srcdir/tests/runtime/live.py" --flood "$(address out2)" || { cat err2; fail 'a flood'; }
[ "${at##*:}" != "$(address out2 | sed 's/.*://')" ] && [ "$(printf %s "$at" | cut -d/ -f4)" != "$(cut -d/ -f4 out2)" ] || fail 'the same token'
for one in $pid $other; do kill -INT $one; done
for one in $pid $other; do wait $one || fail "SIGINT: status $?"; done
[ ! -e ctl ] && [ ! -e /tmp/from-the-web ] || fail 'files stay'

# A program keeps its output, its status, and its time; the page gets all of it, up to its end.  The program goes on for
# as long as the reader needs to begin.
status=0
ompp live -e process:minor,task:run --interval=20ms -- \
	sh -c 'echo mine; n=0; until [ -s lines ] || [ $((n += 1)) = 200 ]; do sleep 0.1; done; sleep 1.5; exit 7' >out 2>err &
pid=$!
at=$(address err)
python3 "$srcdir/tests/runtime/live.py" --lines "$at" >lines &
reader=$!
# The page stays until ompp is interrupted, also for readers that come after the end.
staying() {
	tries=0
	until grep -q '^ompp: live: the program has ended; what is shown stays until Ctrl-C$' err; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || { cat err; fail "$*: does not stay"; }
		sleep 0.05
	done
}
staying 'the page'
timeout 3 python3 "$srcdir/tests/runtime/live.py" --lines "$at" >later || :
kill -INT $pid
wait $reader || fail 'the stream of a program'
wait $pid || status=$?
[ $status = 7 ] && [ "$(cat out)" = mine ] && [ "$(wc -l <err)" = 2 ] || { cat out err; fail "status $status"; }
grep '^line ' lines >lines_before
grep '^line ' later >lines_later
same 'what a later reader gets' lines_before lines_later
[ "$(grep -c '^line {"t"' lines)" -ge 40 ] || fail 'samples of the program'
tail -1 lines | grep -q '^line {"end":true' || { tail -3 lines; fail 'the end'; }
grep -q '^line .*"program":\["sh","-c",' lines || fail 'the program'
grep -q '^state .*"ended":1' lines || fail 'the state at the end'
# ended SIGNAL STATUS COMMAND…: waits until the program has ended, and then has ompp end.
ended() {
	signal=$1 wanted=$2 status=0
	shift 2
	: >err # of the command before
	"$@" >out 2>err &
	pid=$!
	staying "$*"
	kill -$signal $pid
	wait $pid || status=$?
	[ $status = $wanted ] || { cat err; fail "$*: status $status"; }
}
ended INT 3 ompp live -e stat -- sh -c 'exit 3'
ended TERM 0 ompp live -e stat -- true
sleep 0.5 &
ended INT 0 ompp live -e stat --pid=$!
# It does not stay when it was told to end before that, or when that is asked for.
status=0
ompp live -e stat -- sh -c 'trap "exit 9" TERM; echo ready >ready; while :; do sleep 0.05; done' 2>err &
pid=$!
until [ -e ready ]; do sleep 0.05; done
kill $pid
wait $pid || status=$?
[ $status = 9 ] || { cat err; fail "SIGTERM: status $status"; }
status=0
timeout 10 ompp live -e stat --samples=1 --interval=10ms -- sh -c 'sleep 0.2; exit 3' 2>err || status=$?
[ $status = 3 ] || { cat err; fail "--samples: status $status"; }

# A recording: the lines are those of the file, and there is nothing to command.
sed -n 's/^line //p' lines >r.ompp.jsonl
grep -v '"end"' r.ompp.jsonl >cut.jsonl
head -n 6 cut.jsonl | head -c -9 >>r.ompp.jsonl # within a line
: >out # of the command before
ompp live r.ompp.jsonl >out 2>err &
pid=$!
at=$(address out)
grep -q 'was cut off' err && grep -q 'damaged, incomplete' err || { cat err; fail 'what the file lacks is not told'; }
timeout 3 python3 "$srcdir/tests/runtime/live.py" --lines "$at" >again || :
sed -n 's/^line {"t"/{"t"/p' lines >wanted
sed -n 's/^line {"t"/{"t"/p' again | head -"$(wc -l <wanted)" >found
same 'the samples of a recording' wanted found
[ "$(grep -c '^line {"ompp":"recording"' again)" = 2 ] || { cut -c1-80 again | head; fail 'two recordings'; }
grep -q '^state {"replay":true,"file":"r.ompp.jsonl"}' again || { head -1 again; fail 'the state of a recording'; }
kill $pid
wait $pid || fail "the end of a replay: status $?"

# What is wrong is named.
wrong() { # wrong WORDS OPTION …
	words=$1
	shift
	if timeout 10 ompp live "$@" >out 2>err; then fail "$*"; fi
	grep -qF -e "$words" err || { cat err; fail "$*: not '$words'"; }
}
wrong 'has no port; write ADDRESS:PORT' --listen=127.0.0.1 --samples=1
wrong 'is no address in numbers; write' --listen=127.0.0.1:http --samples=1
wrong 'has no port; write ADDRESS:PORT' --listen=127.0.0.1:99999 --samples=1
wrong 'is no address in numbers' --listen=example.invalid:0 --samples=1
echo precious >file
wrong 'is no recording' file
wrong 'Cannot assign requested address' --listen=192.0.2.1:0 --samples=1
wrong 'these options do not apply to a recording' --pid=$$ r.jsonl
wrong 'cannot be opened' nothing.jsonl
# Who lets others in is told so.
ompp live --listen=0.0.0.0:0 -e stat --interval=10ms --samples=2 >out 2>err || fail '--listen'
grep -q 'other machines can reach this address' err || { cat err; fail 'no warning'; }
