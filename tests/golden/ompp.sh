#!/bin/sh
# ompp: exit statuses, messages, and what it finds in binaries; every mistake is named with the right word.
. "$srcdir/tests/lib.sh"

# says STATUS WORDS COMMAND…: fails unless the command ends with the status, and has the words on its stderr.
says() {
	want=$1 words=$2
	shift 2
	status=0
	"$@" >out 2>err || status=$?
	[ $status -eq "$want" ] || { cat out err; fail "$*: status $status, not $want"; }
	grep -qF -- "$words" err || { cat err; fail "$*: does not say: $words"; }
}

says 2 "did you mean 'ompp report'" ompp reprot
says 2 'Usage: ompp' ompp
says 2 'did you mean --dump-interval' ompp run --dump-intervall=3 true
says 2 "--dump-interval: 'soon': not understood: seconds; 'ompp help run' tells more" ompp run --dump-interval=soon true
says 2 "--max-depth: '0': out of range: 1 to 4096 levels" ompp run --max-depth=0 true

# sampling: one word of a list, and numbers within their limits
says 2 "--sample: 'pbes': not understood: one of auto,pebs,ibs,spe,hook,touch,off; did you mean pebs?" ompp run --sample=pbes true
says 2 "--sample: 'pebs,hook': several words: one of auto,pebs" ompp run --sample=pebs,hook true
says 2 "--sample: '': not understood: one of auto,pebs" ompp run --sample= true
says 2 "--sample-period: '0': out of range: 1 to 1000000000000 accesses" ompp run --sample-period=0 true
says 2 "--sample-period: '-1': not understood: a number" ompp run --sample-period=-1 true
says 2 "--sample-latency: '70000': out of range: 0 to 65535 cycles" ompp run --sample-latency=70000 true
says 2 "--sample-kind: 'load': not understood: one of loads,stores,both; did you mean loads?" ompp run --sample-kind=load true
says 2 "--sample-kind: 'loads,stores': several words" ompp run --sample-kind=loads,stores true
says 2 'did you mean --sample' ompp run --smaple true
says 2 "--disable: 'atomik': not understood: of atomic,barrier," ompp run --disable=atomik true
off='echo "$OMPP_DISABLE $OMPP_DISABLE_LOCK $OMPP_DISABLE_USER_REGION"'
[ "$(ompp run --disable=atomic --disable-lock --disable-user-region=0 --reportfile=none sh -c "$off")" = 'atomic 1 0' ] ||
	fail 'ompp run --disable'
shown='echo "$OMPP_SAMPLE $OMPP_SAMPLE_PERIOD"'
[ "$(ompp run --sample --reportfile=none sh -c "$shown")" = 'auto ' ] || fail 'ompp run --sample'
[ "$(ompp run --sample=hook --sample-period=1009 --reportfile=none sh -c "$shown")" = 'hook 1009' ] || fail 'ompp run --sample=hook'
says 2 "did you mean 'callgraph'" ompp report --view=flat,calgraph x.ompp
says 2 "did you mean 'csv'" ompp report --format=cvs x.ompp
for command in 'report' 'diff' 'scaling' 'history' 'flow'; do
	for top in few 5% -1 4294967296 99999999999999999999; do
		says 2 "--top: '$top' is not a number from 0 to 4294967295; give how many" ompp $command --top=$top x.ompp
	done
done
says 2 'no program' ompp run
says 2 '--property-min' ompp run --property-min=x true
says 2 'did you mean --region' ompp report --regoin=R1 x.ompp
says 2 "did you mean 'all'" ompp report --columns=al x.ompp
says 2 'did you mean --object' ompp report --objekt=a x.ompp
says 1 'x.ompp: cannot be opened' ompp report x.ompp
echo 'not a profile' >text
says 1 'text: not a saved profile' ompp report text
says 1 'text: no instrumented region' ompp regions text
says 127 'no-such-program: cannot be run' ompp run ./no-such-program
says 3 'report: ' ompp run sh -c 'exit 3'
says 143 'report: ' sh -c 'ompp run sh -c "kill -TERM \$\$"; exit $?'

# what could not be written is said, by commands that list things, too
if [ -c /dev/full ]; then
	for command in '--version' 'help' 'help report' 'sensors' 'counters'; do
		# shellcheck disable=SC2086
		says 1 'ompp: standard output: cannot be written: ' sh -c 'exec ompp "$@" >/dev/full' sh $command
	done
fi

"$builddir/tests/golden/example_main" profile >example.ompp
# without a name, report takes the newest profile here
mkdir newest
says 2 'ompp: report: no file, and no profile here; give a saved profile' sh -c 'cd newest && exec ompp report'
cp example.ompp newest/a.ompp
"$builddir/tests/golden/example_main" profile plain 3 >newest/b.ompp
cp newest/a.ompp newest/c.ompp
cp newest/a.ompp newest/z.flow
touch -d '2020-01-02' newest/a.ompp newest/c.ompp
touch -d '2020-01-03' newest/b.ompp
touch -d '2020-01-04' newest/z.flow
(cd newest && ompp report --view=general >../out 2>../err) || fail 'the newest profile'
grep -q '^ompp: report: b.ompp, the newest profile here$' err && grep -q 'MPI Rank        : 3 of' out || { cat out; fail "the newest: $(cat err)"; }

# of a damaged profile what is left is shown, and nothing is concluded from it
for n in 1000 3000 6000 $(($(wc -c <example.ompp) - 1)); do
	head -c "$n" example.ompp >cut.ompp
	status=0
	ompp report --view=summary,general,properties cut.ompp >out 2>err || status=$?
	[ $status -eq 1 ] || fail "a profile cut to $n bytes: status $status"
	grep -q 'is damaged from byte' out || fail "a profile cut to $n bytes is not named as such"
	grep -q '^ompp: cut.ompp: the profile file is damaged from byte' err || fail "a profile cut to $n bytes: $(cat err)"
	grep -q '^no findings, as the profile is damaged' out || { cat out; fail "a profile cut to $n bytes: its summary"; }
	! grep -q '^Property' out || { cat out; fail "a profile cut to $n bytes has findings"; }
done
ompp report --view=flat --region=a.c:13 --top=1 example.ompp | grep -q '^R00001 ' || fail '--region, --top'
ompp report --view=properties --property-min=0.9 example.ompp >out || fail '--property-min'
[ "$(grep -c "^Property" out)" -eq 6 ] && grep -q '^9 more properties hold, each with a severity below 0.9 per cent' out ||
	{ cat out; fail 'properties of a severity or saving, and how many are below it'; }
ompp report --view=properties --property-min=0 --top=2 --region=R00007,R00008,R00014 example.ompp >out || fail '--top of properties'
[ "$(grep '^Property' out | cut -d' ' -f2 | tr '\n' ' ')" = 'P00002 P00004 ' ] ||
	{ cat out; fail '--top: those that save most of those that were asked for, with their numbers'; }
OMPP_PROPERTY_MIN=1.1 ompp report --view=properties example.ompp >out
grep -q '^11 more' out || { cat out; fail 'OMPP_PROPERTY_MIN'; }
says 2 "--property-min: '101' is not" ompp report --property-min=101 example.ompp
says 2 "no data object 'a'; none was measured" ompp report --object=a example.ompp
ompp report --view=data example.ompp | grep -q '^No data object was measured' || fail 'an empty section without a word'
says 2 "--region: no region 'sovle'; did you mean 'solve'?" ompp report --region=a.c:13,sovle example.ompp
says 2 "--region: no region 'a.c:999'; did you mean 'a.c:" ompp report --region=a.c:999 example.ompp
says 2 "--region: no region 'R00023'; did you mean 'R00003'?" ompp report --region=R00023 example.ompp
says 2 "--region: no region 'quite something else'; --view=overview lists them" ompp report '--region=quite something else' example.ompp
says 2 "--region: no region '/src/c.c'" ompp report --region=/src/c.c example.ompp
[ ! -s out ] || fail 'a report of no region'
for region in solve R00002 a.c /src/a.c a.c:13 /src/b.f90:20 'read "in", then sort' 'solve,read "in", then sort'; do
	ompp report --view=overview --region="$region" example.ompp >out 2>err || { cat err; fail "--region=$region"; }
	grep -q '^ \* R' out || fail "--region=$region shows nothing"
done
"$builddir/tests/golden/example_main" profile data >data.ompp
says 2 "no data object 'mod::conut'; did you mean 'mod::count'?" ompp report --object=a,mod::conut data.ompp
says 2 "no data object 'nothing'; --view=data lists them" ompp report --object=nothing data.ompp
ompp report --view=data --object='x,y[n], "sums"' data.ompp >out || fail 'a name with a comma'
grep -q '^y\[n\], "sums"  *192 640' out && grep -q '^x ' out || fail 'objects of --object'
! grep -q '^a ' out || fail 'objects beside those of --object'
head -c "$(($(wc -c <data.ompp) - 40))" data.ompp >cut.ompp
ompp report --view=data cut.ompp | grep -q '^a  *-  *-  *-$' || fail 'numbers of accesses that may have been lost'
[ "$(ompp run --data=a,b --reportfile=none sh -c 'echo "$OMPP_DATA_NAME"')" = a,b ] || fail 'ompp run --data'
[ "$(ompp run --data-name=c --reportfile=none sh -c 'echo "$OMPP_DATA_NAME"')" = c ] || fail 'ompp run --data-name'
says 2 'did you mean --data' ompp run --dat=a true
ompp regions example.ompp | grep -qx '/src/a.c:15-15 CRITICAL update' || fail 'regions of a profile'
printf 'x\0095*regionType=critical*sscl=/b.c:1:1*escl=/b.c:2:3*criticalName=c**\0y' >binary
[ "$(ompp regions binary)" = '/b.c:1-3 CRITICAL c' ] || fail 'regions of a binary'

# what can be sampled here, and for each source that cannot the reason and what to do
ompp counters >out || fail 'ompp counters'
for source in pebs ibs spe hook touch; do
	grep -q "^  $source  *not here: .*; \|^  $source  *[a-z]" out || fail "ompp counters: $source"
	ompp counters --all --format=csv | grep -q "^$source,samples,thread,-,\(yes\|hooks\|no\)," || fail "ompp counters in CSV: $source"
done
# one of them, or a reason, beside counters; in CSV its row is that of the list
for source in pebs ibs spe hook touch; do
	ompp counters $source page-faults >one || fail "ompp counters $source"
	[ "$(head -n 1 one)" = $source ] && grep -q "OMPP_SAMPLE=$source, or ompp run --sample=$source" one &&
		grep -q '^page-faults$' one || fail "ompp counters $source: $(cat one)"
	if grep -q "^  $source  *not here: " out; then
		grep -q '^  here *not here: .*; ' one || fail "ompp counters $source: $(cat one)"
	else
		grep -q '^  here *works' one || fail "ompp counters $source: $(cat one)"
	fi
	[ "$(ompp counters --format=csv $source | grep -c "^$source,samples,thread,-,\(yes\|hooks\|no\),")" = 1 ] ||
		fail "ompp counters --format=csv $source"
done
grep -q '^  auto  .*, here \(pebs\|ibs\|spe\|hook\|touch\)$' out || fail 'ompp counters: auto'
says 1 'hok: ' ompp counters hok
printf 'OMPPFLOW and so on' >a.ompp.flow
says 1 "a.ompp.flow: a trace of memory accesses (OMPP_TRACE=1): 'ompp flow' reads it" ompp report a.ompp.flow

# only the ranks of one MPI run are added up; of other files the message says what they are
for rank in 0 1; do
	"$builddir/tests/golden/example_main" profile plain $rank >r$rank.ompp
done
ompp report --view=general r1.ompp r0.ompp >out || fail 'two ranks'
grep -q '^MPI Ranks  *: 2$' out || fail "two ranks: $(cat out)"
ompp report --view=flat r1.ompp r0.ompp | grep -q '^ *r0:0 ' || fail 'rows of two ranks'
says 2 "r0.ompp, r0.ompp: not added up: they are both rank 0; give the ranks of one MPI run" ompp report r0.ompp r0.ompp
says 2 "they are two reports of one run of 'example'; give" ompp report example.ompp r0.ompp
says 2 "they are two reports of one run of 'example'; give" ompp report example.ompp example.ompp
[ ! -s out ] || fail 'a report of what does not belong together'
ompp report --merge --view=general,flat example.ompp r0.ompp >out 2>err || fail '--merge'
[ ! -s err ] || fail "--merge: $(cat err)"
grep -q '^Processes  *: 2, which are not the ranks of one MPI run$' out || fail "--merge: $(cat out)"
grep -q '^ *p1:0 ' out || fail 'rows of two processes'

for command in '' run report regions objects counters; do
	for help in -h --help; do
		ompp $command $help >out 2>err || fail "ompp $command $help"
		[ ! -s err ] && grep -q "^Usage: ompp ${command:-COMMAND}" out || { cat err; fail "ompp $command $help"; }
	done
	# shellcheck disable=SC2086
	ompp help $command >again || fail "ompp help $command"
	same "ompp help $command" out again
done
says 2 "did you mean 'ompp help report'" ompp help reprot
ompp --version | grep -q '^ompp ' || fail '--version'
ompp help run | grep -q -- '--dump-interval' || fail 'help run'
ompp help variables | grep -q 'OMPP_DUMP_INTERVAL' || fail 'help variables'
