# record: recordings of ompp record, what is made of them, and the commands by the control FIFO.
. "$srcdir/tests/lib.sh"

# valid FILE [ARRAY]: is it JSON, by another reader than ours, and does each sample have a value for each column?
valid() {
	command -v python3 >/dev/null || return 0
	python3 - "$@" <<-'END'
		import json, sys
		if len(sys.argv) > 2:
		    rows = json.load(open(sys.argv[1]))
		    assert all(isinstance(r, list) for r in rows) and rows[0][0] == 'stat' and rows[-1][0] > 0, rows[:2]
		    sys.exit()
		n = sensors = None
		samples = missed = 0
		for i, line in enumerate(open(sys.argv[1])):
		    d = json.loads(line)
		    assert i or (d['ompp'] == 'recording' and d['version'] == 1 and d['start_unix_ns'] > 1e18), d
		    if 'ompp' in d: samples = missed = 0
		    if 'columns' in d: n = len(d['columns']); sensors = len({c[0] for c in d['columns']})
		    if 'v' in d:
		        assert len(d['v']) == n and len(d['dt']) == sensors, line
		        samples += 1
		        missed += d.get('missed', 0)
		assert d == {'end': True, 't': d['t'], 'samples': samples, 'missed': missed}, d
	END
}

# quiet: nothing was said; that intervals were missed may be, on a busy machine
quiet() {
	! grep -qv 'intervals were missed' err
}

# ---- a recording of a program ----

status=0
ompp record -o r.jsonl --interval=20ms -- sh -c 'echo out; sleep 0.3; exit 7' >out 2>err || status=$?
[ $status = 7 ] || fail "exit status $status"
[ "$(cat out)" = out ] || fail 'standard output'
quiet || { cat err; fail 'a word too much'; }
valid r.jsonl || fail 'r.jsonl'
[ "$(grep -c '^{"t":' r.jsonl)" -ge 8 ] || fail 'too few samples'
for sensor in vmstat stat process task; do
	grep -q "^{\"sensor\":\"$sensor\"," r.jsonl || fail "$sensor is not recorded"
done
grep -q ',"program":\["sh","-c","echo out; sleep 0.3; exit 7"\]}$' r.jsonl || fail 'the program'
# Intervals without a sample are counted: at the samples, at the end, and in words.
ompp record -o missed.jsonl -e stat:user --interval=20ms 2>err &
pid=$!
until grep -q '"v"' missed.jsonl 2>/dev/null; do sleep 0.02; done
kill -STOP $pid
sleep 0.6
kill -CONT $pid
sleep 0.2
kill -INT $pid
wait $pid || fail 'missed'
valid missed.jsonl || fail 'missed.jsonl'
awk -F'[:,}]' '/"v"/ { n++; if (match($0, /"missed":[0-9]+/)) sum += substr($0, RSTART + 9, RLENGTH - 9); last = $2 }
	/"end"/ { e = $0 } END { print n + 0, sum + 0, last / 20000000 }' missed.jsonl >counted
read -r samples missed intervals <counted
[ "$missed" -ge 20 ] || { cat counted; fail 'missed intervals are not counted'; }
awk '{ d = $1 + $2 - $3; exit !(d > -3 && d < 3) }' counted || { cat counted; fail 'samples and missed intervals are not all'; }
grep -q "^ompp: missed.jsonl: $missed of $((samples + missed)) intervals were missed, " err || { cat err; fail 'missed: no word'; }
ompp export --form=jsonl -o missed2.jsonl missed.jsonl 2>err || fail 'missed, exported'
grep -q "^ompp: missed.jsonl: $missed of" err || { cat err; fail 'missed, exported: no word'; }
valid missed2.jsonl || fail 'missed2.jsonl'
grep -q "\"missed\":$missed}\$" missed2.jsonl || { tail -1 missed2.jsonl; fail 'missed2.jsonl'; }
# Without a name it finds one that is free, and says it.
for n in 0 1; do
	ompp record -e stat -- true 2>err || fail "status $?"
	[ -s true-$n.ompp.jsonl ] && grep -q "true-$n.ompp.jsonl" err || { ls; cat err; fail "true-$n.ompp.jsonl"; }
done

# Of a recording that has more, stat shows the columns that it shows of a program or of the machine, in their order;
# of NUMA nodes, which it has one by one, each one.
heading() { head -2 "$1" | tr -s ' \n' '\n\n' | uniq; }
ompp stat --interval=50ms -- sleep 0.2 2>seen || fail "status $?"
ompp record -o wide.jsonl --interval=50ms -- sleep 0.2 || fail "status $?"
ompp stat wide.jsonl >replayed || fail 'a wide recording'
[ "$(heading seen)" = "$(heading replayed)" ] || { head -4 seen replayed; fail 'the columns of a program'; }
ompp stat --samples=1 --interval=10ms >seen
ompp record -o wide2.jsonl --samples=1 --interval=10ms
ompp stat wide2.jsonl >replayed || fail 'a wide recording of the machine'
[ "$(heading seen)" = "$(heading replayed)" ] || { head -4 seen replayed; fail 'the columns of the machine'; }
ompp stat -e 'process:m*,stat:user' wide.jsonl >replayed || fail '-e with a recording'
sed -n 2p replayed | grep -qE '^ +time .*minor .*major .*user$' || { cat replayed; fail '-e with a recording'; }
! ompp stat -e net:nothing wide.jsonl >replayed 2>err || fail 'nothing of a recording is shown'
[ ! -s replayed ] && grep -q "^ompp: net:nothing: the recording has no such event; -e '\*' shows" err || { cat err; fail 'no advice'; }

# What stat shows of it is what stat has shown meanwhile, and CSV has the same numbers.
ompp stat -e stat:user,vmstat:pgfault,task:run --interval=20ms --control=ctl -- sh -c '
	echo "record s.jsonl" >ctl; sleep 0.1; echo "label a,b" >ctl; sleep 0.1' 2>seen || fail "status $?"
ompp stat -e stat:user,vmstat:pgfault,task:run s.jsonl >replayed || fail 'replay'
sed -n '/^ *[0-9]/p' seen | tail -n "$(grep -c '^ *[0-9]' replayed)" >seen_part
sed -n '/^ *[0-9]/p' replayed >replayed_part
[ "$(wc -l <replayed_part)" -ge 6 ] || { cat seen replayed; fail 'too few samples'; }
same 'what is replayed' seen_part replayed_part
grep -q ' - a,b -$' replayed || { cat replayed; fail 'the label'; }
ompp export s.jsonl >s.csv || fail 'export'
[ "$(head -1 s.csv)" = 'time s,label,stat:user s/s,stat:user %,vmstat:pgfault times/s,task:run s/s,task:run %' ] || { head -1 s.csv; fail 'the heading of CSV'; }
grep -q ',"a,b",-,-,-,-,-$' s.csv || { cat s.csv; fail 'the label in CSV'; }
awk -F, 'NR > 1 && $2 == "" { printf "%.3f %.0f\n", $1, $5 }' s.csv >csv_part
awk '$2 != "-" { printf "%.3f %.0f\n", $1, $4 }' replayed_part >text_part
awk 'NR == FNR { t[FNR] = $1; n[FNR] = $2; next }
	t[FNR] != $1 || (n[FNR] - $2) ^ 2 > 1 + ($2 / 500) ^ 2 { print FNR ": " t[FNR] " " n[FNR] " " $0; bad = 1 }
	END { exit bad }' csv_part text_part || fail 'CSV has other numbers'
ompp export --form=numascope -o s.json s.jsonl || fail 'export'
valid s.json array || { head -3 s.json; fail "NUMAscope's array"; }
ompp record --form=numascope -o n.json -e stat --interval=20ms --samples=3 || fail 'NUMAscope'
valid n.json array || { head -3 n.json; fail "NUMAscope's array"; }
# One file that has the lines of a recording in a page.
ompp record --html -o n.html -e stat --interval=20ms --samples=3 -- echo '</script>' >out || fail 'HTML'
sed -n '/^<script type="application.json" id="recording">$/,/^<.script>$/p' n.html | sed '1d;$d' >n.jsonl
valid n.jsonl || { cut -c1-200 n.jsonl; fail 'the lines in a page'; }
ompp stat n.jsonl >replayed && [ "$(grep -c '^ *[0-9]' replayed)" -ge 1 ] || fail 'the lines of a page are no recording'
[ "$(grep -c '<.script>' n.html)" = 2 ] && [ "$(tail -1 n.html)" = '</html>' ] || fail 'the page'
if grep -qE "(src|href)=\"?[^\"d]" n.html; then fail 'the page asks for something'; fi
if ompp record --html -o n.html --samples=1 2>err; then fail 'a page is written to again'; fi
grep -q 'exists' err || { cat err; fail 'a page is there'; }
if ompp record --form=csv 2>err; then fail 'CSV is recorded'; fi

# A recording that is there gets another one; what is no recording stays as it is.
ompp record -o s.jsonl -e stat --interval=10ms --samples=2 || fail 'append'
[ "$(grep -c '^{"ompp":"recording",' s.jsonl)" = 2 ] || fail 'not two recordings'
ompp stat s.jsonl >replayed 2>err && quiet || { cat err; fail 'two recordings'; }
echo precious >file
if ompp record -o file --samples=1 -- touch ran 2>err; then fail 'a file is overwritten'; fi
[ "$(cat file)" = precious ] && [ ! -e ran ] && grep -q 'not a recording' err || fail 'a file that is no recording'
if ompp stat file 2>err; then fail 'a file that is no recording is shown'; fi
grep -q 'ompp: file: is no recording; .*--' err || { cat err; fail 'no advice'; }
# A device takes any form: there is nothing to spoil.
for form in csv jsonl numascope; do
	ompp export --form=$form -o /dev/null s.jsonl || fail "$form to a device"
done
ompp record -o /dev/null -e stat --interval=10ms --samples=2 || fail 'a recording to a device'
# What is exported as lines is a recording again, also of two.
ompp export --form=jsonl -o again.jsonl s.jsonl || fail 'export of two recordings'
[ "$(grep -c '^{"ompp":"recording",' again.jsonl)" = 2 ] || fail 'two recordings in one'
ompp stat again.jsonl >replayed_again 2>err && quiet || { cat err; fail 'two recordings, exported'; }
same 'what is exported' replayed replayed_again
# SIGINT ends it in order; a crash leaves what was written.
for signal in INT KILL; do
	ompp record -o $signal.jsonl -e stat --interval=10ms &
	pid=$!
	until [ "$(grep -c '^{"t"' $signal.jsonl 2>/dev/null)" -ge 3 ] 2>/dev/null; do sleep 0.02; done
	kill -$signal $pid
	wait $pid 2>/dev/null || [ $signal = KILL ] || fail "SIGINT: status $?"
	ompp stat $signal.jsonl >out 2>err || fail "$signal: cannot be shown"
	[ "$(grep -c '^ *[0-9]' out)" -ge 3 ] || fail "$signal: samples"
	[ $signal = INT ] || grep -q 'was cut off' err || { cat err; fail 'the end is not missed'; }
	[ $signal = KILL ] || quiet || { cat err; fail 'the end is missed'; }
done
# A full disk ends the recording, and not the program.
if [ -c /dev/full ]; then
	status=0
	(ulimit -f 16; ompp record -o small.jsonl --interval=10ms -- sh -c 'sleep 0.3; exit 4') 2>err || status=$?
	[ $status = 4 ] && grep -q 'cannot be written: File too large; the recording ends here' err || { cat err; fail "a full disk: status $status"; }
fi

# ---- the control FIFO ----

watch() {	# watch OPTION …: a watcher of page faults with a FIFO
	ompp stat -e vmstat:pgfault --interval=50ms --control=ctl "$@" >watched 2>complaints &
	pid=$!
	until [ -p ctl ]; do sleep 0.02; done
}
settle() { sleep 0.15; }
# seen WORDS FILE: waits until they are there.
seen() {
	tries=0
	until grep -qF -e "$1" "$2"; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || { cat "$2"; fail "no '$1'"; }
		sleep 0.05
	done
}
# more N: waits until there are more lines than that.
more() {
	tries=0
	until [ "$(wc -l <watched)" -gt "$1" ]; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || { cat watched; fail 'no samples'; }
		sleep 0.05
	done
}
watch
[ "$(stat -c %a ctl)" = 1600 ] || fail "the FIFO's mode is $(stat -c %a ctl)"
more 3
printf 'label one "}\033[2J<b>\n' >ctl
echo pause >ctl
seen ' - pause -' watched
n=$(wc -l <watched)
settle
[ "$(wc -l <watched)" = "$n" ] || fail 'samples in a pause'
echo resume >ctl
seen ' - resume -' watched
more $((n + 1))
echo 'enable stat:user' >ctl
seen ' stat' watched
echo 'disable vmstat:pgfault' >ctl
tries=0
until tail -1 watched | awk '{ exit NF != 3 }'; do
	tries=$((tries + 1))
	[ $tries -lt 200 ] || { cat watched; fail 'disable'; }
	sleep 0.05
done
printf 'interval 1h\nlabel slow\n' >ctl
seen ' - slow -' watched
n=$(wc -l <watched)
settle
[ "$(wc -l <watched)" = "$n" ] || fail 'interval'
# What is wrong is named, and changes nothing.
{ echo intervall 3; echo interval soon; echo enable stat:usr; head -c 9000 /dev/zero | tr '\0' x; echo; printf '\0\001\377\n'; } >ctl
for words in 'did you mean interval' "'soon' is not a time" "did you mean 'stat:user'" 'a line of more than'; do
	seen "$words" complaints
done
echo stop >ctl
wait $pid || fail "stop: status $?"
[ ! -e ctl ] || fail 'the FIFO stays'
grep -q -F -- '- one "}\x1b[2J<b> -' watched || { grep one watched | od -c | head; fail 'the label'; }
[ -z "$(tr -d '\n\t\040-\176' <watched complaints 2>/dev/null | head -c 1)" ] || fail 'a terminal gets control characters'
# What happens in a pause is in no sample.
cat >faults.c <<'C'
#include <stdlib.h>
#include <sys/mman.h>
int main(int argc, char **argv)
{
	char *p = mmap(NULL, 40960000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(p, 40960000, MADV_NOHUGEPAGE);
	if (system(argc > 1 ? argv[1] : "true")) return 1;
	for (long i = 0; i < 40960000; i += 4096) p[i] = 1;
	return system(argc > 1 ? argv[2] : "true") != 0;
}
C
$CC -O1 faults.c -o faults || fail faults.c
for pause in pause true; do
	case $pause in
	pause) before='echo pause >ctl; sleep 0.2' after='sleep 0.05; echo resume >ctl; sleep 0.2' ;;
	*) before=true after=true ;;
	esac
	ompp stat -e process:minor --interval=20ms --control=ctl -- ./faults "$before" "$after" 2>out || { cat out; fail "$pause"; }
	awk '$2 ~ /^[0-9.]+$/ { sum += $2 * ($1 - last) } { last = $1 } END { printf "%d\n", sum }' out >sum_$pause
done
[ "$(cat sum_pause)" -lt 5000 ] || fail "$(cat sum_pause) faults in samples around a pause"
[ "$(cat sum_true)" -gt 9000 ] || fail "$(cat sum_true) faults without a pause"
# Others' FIFOs, and what is none, are refused before the program begins.
refused() {		# refused WORDS
	if ompp stat --control=ctl -- touch ran 2>err; then fail "$1: taken"; fi
	[ ! -e ran ] && grep -qF "$1" err || { cat err; fail "not '$1'"; }
}
echo text >ctl
refused 'is not a FIFO'
rm ctl
mkfifo -m 622 ctl
refused 'other users may write'
rm ctl
if [ "$(id -u)" = 0 ]; then
	mkfifo -m 600 ctl
	chown 65534 ctl
	refused 'belongs to another user'
	rm ctl
fi
# A FIFO of one's own may be there before, and stays.
mkfifo -m 600 ctl
ompp stat --control=ctl -e stat --interval=10ms --samples=1 >out || fail 'a FIFO that is there'
[ -p ctl ] || fail 'a FIFO that was there is gone'
# Two watchers do not disturb each other.
ompp record -o a.jsonl -e stat --interval=10ms --control=ctl &
a=$!
ompp record -o b.jsonl -e stat --interval=10ms --control=ctl2 &
b=$!
until [ -p ctl2 ] && [ -s a.jsonl ] && [ -s b.jsonl ]; do sleep 0.02; done
echo 'label mine' >ctl2
seen mine b.jsonl
echo stop >ctl
wait $a || fail 'a'
kill -0 $b || fail 'the other watcher has ended, too'
echo stop >ctl2
wait $b || fail 'b'
grep -q mine b.jsonl && ! grep -q mine a.jsonl || fail 'a label of another watcher'

# ---- what a killed ompp leaves, and links of others ----

mkdir run
XDG_RUNTIME_DIR=$PWD/run
export XDG_RUNTIME_DIR
killed() {
	ompp stat -e stat --interval=20ms --control=left -- sh -c 'echo $$ >child; exec sleep 60' >out 2>err &
	pid=$!
	until grep -q '^ *0\.' err 2>/dev/null && [ -p left ]; do sleep 0.02; done
	kill -KILL $pid
	wait $pid || :
	kill "$(cat child)"
}
killed
[ -p left ] && [ -n "$(ls run)" ] || fail 'what a killed ompp leaves'
: >run/kinst-watch-mine.txt # not made by it, but of its name and of this user
: >run/other
ln -s other run/kinst-watch-linked
# One that lives keeps its files; the FIFO of the killed one is removed by the next one that has the path.
ompp stat -e stat --interval=20ms --control=left -- sleep 60 >out 2>err &
pid=$!
until grep -q '^ *0\.' err; do sleep 0.02; done
[ "$(ls run | grep -c '^kinst-watch-......$')" = 2 ] || { ls run; fail 'files of a killed ompp'; } # its own, and the link
[ -e run/other ] && [ -L run/kinst-watch-linked ] || fail 'a link is followed'
ompp stat -e stat --interval=20ms --samples=2 -- sleep 0.1 >out2 2>err2 || fail 'another'
[ "$(ls run | grep -c '^kinst-watch-......$')" = 2 ] && [ -p left ] || fail 'the files of one that lives'
kill -INT $pid
wait $pid || :
[ ! -e left ] || fail 'the FIFO of a killed ompp stays'
[ "$(ls run | grep -c '^kinst-watch-......$')" = 1 ] || { ls run; fail 'files stay'; }
mkfifo -m 600 own
ompp stat -e stat --interval=20ms --samples=1 --control=own >out 2>err || fail 'own'
[ -p own ] || fail "the user's own FIFO is removed"
unset XDG_RUNTIME_DIR

ompp record -o target.jsonl -e stat --samples=1 --interval=10ms || fail 'target.jsonl'
ln -s target.jsonl link.jsonl
n=$(wc -c <target.jsonl)
ompp record -o link.jsonl -e stat --samples=1 --interval=10ms || fail "the user's own link"
[ "$(wc -c <target.jsonl)" -gt "$n" ] || fail "the user's own link is not followed"
if [ "$(id -u)" = 0 ] && chown -h 12345 link.jsonl; then
	n=$(wc -c <target.jsonl)
	if ompp record -o link.jsonl -e stat --samples=1 --interval=10ms 2>err; then fail 'a link of another user'; fi
	grep -q 'link.jsonl: is a link of another user; choose another file' err || { cat err; fail 'a link of another user'; }
	[ "$(wc -c <target.jsonl)" = "$n" ] || fail 'a link of another user is followed'
fi

# ---- processors and cost ----

ompp stat --cpus=0 -e stat --samples=1 --interval=10ms --pid=$$ >out || fail '--cpus'
if ompp stat --cpus=nowhere --samples=1 2>err; then fail '--cpus=nowhere'; fi
grep -q 'is not a list of processors' err || { cat err; fail '--cpus=nowhere'; }
if [ "$(getconf _NPROCESSORS_ONLN)" -ge 2 ] && taskset -c 0,1 true 2>/dev/null; then
	# The program is kept on processor 0, so its watcher goes elsewhere; the program stays where it was.
	taskset -c 0 ompp stat --interval=20ms -e stat -- sh -c '
		sleep 0.1; awk "/^Cpus_allowed_list/ { print \$2 }" /proc/self/status /proc/$PPID/status' >allowed 2>/dev/null
	[ "$(head -1 allowed)" = 0 ] || { cat allowed; fail "the program's processors"; }
	case $(tail -1 allowed) in 0 | 0,* | 0-*) cat allowed; fail "the watcher is on the program's processor" ;; esac
fi
# Ten times a second, with all that is usual: bounds of 1 % of a processor, 15 MiB, 28 KiB/s; here three times as much time,
# as machines are busy.
ompp record -o cost.jsonl &
pid=$!
sleep 3
cut -d' ' -f14,15 /proc/$pid/stat >ticks
awk '/^VmHWM/ { print $2 }' /proc/$pid/status >resident
kill -INT $pid
wait $pid || fail 'the recording'
awk -v hz="$(getconf CLK_TCK)" '{ exit $1 + $2 > 3 * 0.03 * hz + 2 }' ticks || fail "$(cat ticks) ticks in 3 s"
[ "$(cat resident)" -le 15360 ] || fail "$(cat resident) KiB resident"
n=$(grep '^{"t"' cost.jsonl | wc -c)
[ "$n" -le $((3 * 28672 * $(getconf _NPROCESSORS_ONLN))) ] || fail "$n bytes in 3 s"
