# settings: unknown variables and bad values are named once; switches and filters work; locale and traps do no harm
. "$srcdir/tests/lib.sh"

kinst $CC -fopenmp "$srcdir/tests/runtime/work.c" -o prog -lm
export OMPP_REPORTFILE="$PWD/report"

run() {
	status=0
	./prog "$@" >out 2>err || status=$?
	[ $status = 5 ] || fail "$*: status $status: $(cat err)"
}

OMPP_OUTFROMAT=CSV OMPP_MEM=much OMPP_MAX_DEPTH=9999 run
[ "$(grep -c '^ompp: OMPP_OUTFROMAT: unknown variable.*did you mean OMPP_OUTFORMAT?' err)" = 1 ] ||
	fail "unknown name: $(cat err)"
[ "$(grep -c "^ompp: OMPP_MEM: 'much'.*using 64M" err)" = 1 ] || fail "bad value: $(cat err)"
[ "$(grep -c "^ompp: OMPP_MAX_DEPTH: '9999': out of range: 1 to 4096" err)" = 1 ] || fail "out of range: $(cat err)"
grep -q 'did you mean OMPP_OUTFORMAT' report || fail "the report does not say it"
OMPP_OUTFROMAT=CSV OMPP_QUIET=1 run
[ ! -s err ] || fail "OMPP_QUIET"

# a decimal comma changes nothing
mkdir locales
if localedef -i de_DE -f UTF-8 ./locales/de_DE.UTF-8 >/dev/null 2>&1; then
	LOCPATH="$PWD/locales" LC_ALL=de_DE.UTF-8 run locale
	! grep -v -e 'Command Line' -e 'Compiler' -e 'CPU' report | grep '[0-9],[0-9]' || fail "decimal commas"
	grep -q '[0-9]\.[0-9]' report || fail "no decimal points"
else
	echo "no sources of locales here: the decimal comma is tested with the writers alone"
fi

# dates are UTC, in any zone
before=$(LC_ALL=C date -u '+%a %b %e %H:%M:%S %Y UTC')
TZ=Asia/Kathmandu run zone
after=$(LC_ALL=C date -u '+%a %b %e %H:%M:%S %Y UTC')
python3 - "$before" "$after" <<'P' || { grep Date report; fail "dates between $before and $after"; }
import re, sys, time
dates = re.findall(r"(?:Start|End) Date *: (.*)", open("report").read())
t = [time.strptime(d, "%a %b %d %H:%M:%S %Y UTC") for d in (sys.argv[1], *dates, sys.argv[2])]
assert len(dates) == 2 and t == sorted(t), dates
P

# floating-point traps
run traps
grep -q 'ompP Overhead' report || fail "no report with traps"

# switches and filters: what is left out is not in the report, the rest has its rows
kinst $CC -fopenmp -O1 -w "$srcdir/tests/runtime/ends.c" -o ends
line=$(awk '/omp parallel/ { print NR }' "$srcdir/tests/runtime/ends.c")
export OMPP_OUTFORMAT=CSV
filtered() {
	env "$1" ./ends return >out 2>err || [ $? = 2 ] || fail "$1: status"
	! grep -v '^ompp: report' err || fail "$1: complaints"
}
filtered A=1
[ "$(csv_field report BARRIER SUM execC)" = 2 ] && [ "$(csv_field report PARALLEL SUM execC)" = 2 ] || fail "unfiltered"
for setting in OMPP_DISABLE_BARRIER=1 OMPP_DISABLE=barrier OMPP_FILTER=barrier; do
	filtered $setting
	[ "$(csv_field report PARALLEL SUM execC)" = 2 ] || fail "$setting: PARALLEL"
	! grep BARRIER, report || fail "$setting: BARRIER is in the report"
done
filtered OMPP_FILTER=ends.c:$line
[ "$(csv_field report BARRIER 0 execC)" = 1 ] && [ "$(csv_field report BARRIER 1 execC)" = 1 ] ||
	fail "filtered parallel: rows"
! grep PARALLEL, report || fail "PARALLEL is in the report"

# words of OMPP_FILTER that no region met are named, with the nearest right one
unmet() {
	OMPP_FILTER=$1 ./ends return >out 2>err || [ $? = 2 ] || fail "OMPP_FILTER=$1: status"
	[ "$(grep -c OMPP_FILTER err)" = 1 ] && grep -qxF "ompp: OMPP_FILTER: $2" err || fail "OMPP_FILTER=$1: $(cat err)"
	[ "$(grep -cF "no region '" report)" = 1 ] || fail "OMPP_FILTER=$1: the report does not say it"
}
unmet bariers,parallel "no region 'bariers' was run; did you mean 'BARRIER'?"
unmet ends.c:${line}1,ends.c:$line "no region 'ends.c:${line}1' was run; did you mean 'ends.c:$line'?"
unmet atomic "no region 'atomic' was run"
unmet 'nothing like it' "no region 'nothing like it' was run"

# ompp_dump(): two incremental reports, then the final one
unset OMPP_REPORTFILE
OMPP_OVERWRITE=1 run dump
[ "$(cat out)" = 6 ] || fail "dump: wrong result"
[ "$(csv_field prog.2.dump1.ompp.csv PARALLEL SUM execC)" = 2 ] || fail "first dump"
[ "$(csv_field prog.2.dump2.ompp.csv PARALLEL SUM execC)" = 4 ] || fail "second dump"
[ "$(csv_field prog.2.ompp.csv PARALLEL SUM execC)" = 6 ] || fail "final report after dumps"
grep -q incremental prog.2.dump1.ompp.csv && grep -q final prog.2.ompp.csv || fail "type of report"

OMPP_REPORTFILE=stdout OMPP_PROFILE=0 run dump
[ "$(grep -c '^##BEG header' out)" = 3 ] || fail "a report on stdout for each dump, and the final one"

# every 0.4 s during 1.3 s
OMPP_OVERWRITE=1 OMPP_APPNAME=timed OMPP_DUMP_INTERVAL=0.4 run seconds
n=$(ls | grep -c 'timed\.2\.dump[0-9]*\.ompp\.csv')
[ "$n" -ge 2 ] && [ "$n" -le 4 ] || fail "$n incremental reports in 1.3 s"
[ "$(csv_field timed.2.dump1.ompp.csv PARALLEL SUM execC)" = 2 ] || fail "first timed dump"
[ "$(csv_field timed.2.ompp.csv PARALLEL SUM execC)" = 4 ] || fail "final report after timed dumps"
