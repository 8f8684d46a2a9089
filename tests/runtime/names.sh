# names: what ompp counters says, against papi_avail, perf list, and what the kernel lets ordinary users do.
. "$srcdir/tests/lib.sh"

# the third word of a line "  here   counts: 17 in a loop …"
value() {
	ompp counters "$1" >value.txt 2>value.err || fail "ompp counters $1: $(cat value.err)"
	sed -n 's/^  here  *counts: \([0-9]*\).*/\1/p' value.txt
}

# ---- the list ----
ompp counters >list.txt 2>list.err || fail "ompp counters"
[ ! -s list.err ] || fail "ompp counters complains: $(cat list.err)"
for name in page-faults minor-faults major-faults task-clock cpu-clock alignment-faults emulation-faults ACC_LD ACC_ST ACC_BYTES @os; do
	grep -q "^  $name  *[^ ]" list.txt || fail "$name is not listed"
done
! grep -q -E '[^ ] +$|	' list.txt || fail "blanks at the ends of lines"

ompp counters --format=csv --all >all.csv || fail "ompp counters --format=csv --all"
head -1 all.csv | grep -qx 'name,source,counts,unit,here,description,reason' || fail "CSV header"
sed 's/"[^"]*"/x/g' all.csv | awk -F, 'NF != 7 || $1 == "" { print; bad = 1 } END { exit bad }' || fail "CSV fields"
[ "$(cut -d, -f1 all.csv | sort | uniq -d | wc -l)" = 0 ] || fail "names twice: $(cut -d, -f1 all.csv | sort | uniq -d | head -3)"

# without --all those that can be counted, and the text has the same
ompp counters --format=csv | sed 1d | grep -v -E '^[^,]*,[^,]*,[^,]*,[^,]*,no,' | cut -d, -f1 | sort >csv.names
awk -F, 'NR > 1 && $5 != "no" { print $1 }' all.csv | sort >all.names
same "names that can be counted" csv.names all.names
sed -n '2,/^Ready groups/p' list.txt | sed -n 's/^  \([^ ]*\)  .*/\1/p' | sort >text.names
ompp counters --format=csv | awk -F, '$2 == "samples" { print $1 }' | sort | comm -23 csv.names - >counted.names
same "names in text" counted.names text.names
ompp counters --all >all.txt || fail "ompp counters --all"
sed 1d all.csv | cut -d, -f1 | while read -r name; do
	grep -q -F "  $name " all.txt || fail "--all lacks $name"
done

# ---- PAPI's own list ----
if command -v papi_avail >/dev/null; then
	papi_avail 2>/dev/null | sed -n 's/^\(PAPI_[A-Z0-9_]*\)  *0x8.*/\1/p' | sort >papi.names
	grep '^PAPI_[^,]*,PAPI,' all.csv | cut -d, -f1 | sort >ours.names
	[ ! -s papi.names ] || same "PAPI's presets" papi.names ours.names
	papi_avail 2>/dev/null | awk '/^PAPI_/ && $3 == "Yes" { print $1 }' >available
	if [ -e "$builddir/ompp-papi" ]; then
		# PAPI goes by the processor, the kernel by its PMU: where they disagree, the list says so
		while read -r name; do
			grep -q "^$name,PAPI,thread,-,\(yes\|zero\)," all.csv || echo "$name"
		done <available >disagree
		said=$(sed -n 's/^PAPI calls \([0-9]*\) presets\{0,1\} available.*/\1/p' list.txt)
		[ "${said:-0}" -eq "$(wc -l <disagree)" ] || fail "PAPI has $(tr '\n' ' ' <disagree)but the list says ${said:-nothing}"
	fi
fi

# ---- PAPI knows a processor, the kernel has no PMU for it ----
if [ -e "$builddir/ompp-papi" ] && [ "$(uname -m)" = x86_64 ] && grep -q 'no PMU' list.txt; then
	LIBPFM_FORCE_PMU=amd64_fam19h_zen3 ompp counters >forced.txt || fail "ompp counters of a processor that PAPI knows"
	grep -q '^PAPI calls [0-9]* presets available, as PAPI_[A-Z0-9_]*, that the kernel does not count' forced.txt ||
		fail "the list does not say that PAPI and the kernel disagree: $(head -3 forced.txt)"
	LIBPFM_FORCE_PMU=amd64_fam19h_zen3 ompp counters PAPI_TOT_INS >forced.txt || fail "PAPI_TOT_INS of such a processor"
	grep -q '^  PAPI      calls it available' forced.txt || fail "PAPI_TOT_INS: $(cat forced.txt)"
fi

# ---- perf's ----
if command -v perf >/dev/null && perf list sw >perf.txt 2>/dev/null; then
	awk -F, '$2 == "kernel" { print $1 }' all.csv >kernel.names
	while read -r name; do
		tr -s ' ' '\n' <perf.txt | grep -qx -- "$name" || fail "perf has no $name"
	done <kernel.names
fi

# ---- no PMU ----
if grep -q 'no PMU' list.txt; then
	! ls -d /sys/bus/event_source/devices/cpu /sys/bus/event_source/devices/*/cpus 2>/dev/null || fail "there is a PMU"
	for name in cycles instructions PAPI_TOT_INS L1-dcache-load-misses r01c2; do
		ompp counters "$name" >one.txt || fail "$name is known"
		grep -q '^  here  *not counted: no PMU' one.txt || fail "$name: $(cat one.txt)"
	done
	[ "$(grep -c 'no PMU in this machine, as' list.txt)" -le 12 ] || fail "more lines than reasons"
	ompp counters L1-dcache-load-misses | grep -q 'OMPP_CACHE=1' || fail "the model is not offered"
	ompp counters @cache | grep -q 'OMPP_CACHE=1' || fail "@cache does not offer the model"
	awk -F, '$2 == "PAPI" && $5 != "no"' all.csv | grep . && fail "presets without a PMU"
	for pair in LD_INS:ACC_LD SR_INS:ACC_ST LST_INS:ACC_LST; do
		ompp counters "PAPI_${pair%:*}" | grep -q "build with kinst --access and use ${pair#*:}$" || fail "PAPI_${pair%:*}"
	done
else
	n=$(value instructions)
	[ "$n" -gt 100000 ] || fail "instructions: $n"
fi

# ---- one name ----
ompp counters page-faults >one.txt || fail "page-faults"
grep -qx '  kernel    type 1, config 0x2' one.txt || fail "code of page-faults"
# four of the smallest pages that there are, at least: a read and a write each; at most those of 256 KiB, twice
page=$(getconf PAGE_SIZE)
n=$(value page-faults)
[ -z "$n" ] || { [ "$n" -ge 4 ] && [ "$n" -le $((2 * 262144 / page + 32)) ]; } || fail "page faults of the loop: $n"
ompp counters cs | grep -qx '  also      context-switches' || fail "other names of cs"
ompp counters 'ACC_LD(a)' | grep -qx '  object    a' || fail "ACC_LD(a)"
ompp counters @os | grep -q "^  computed  .*'page-faults'" || fail "@os"

# unknown names: the nearest, and status 1; the others are explained
bad() {
	if ompp counters "$@" >bad.txt 2>bad.err; then
		fail "ompp counters $* succeeds"
	else
		[ $? -eq 1 ] || fail "status of ompp counters $*"
	fi
}
message() {
	grep -qx "$1" bad.err || fail "message: $(cat bad.err)"
}
bad PAPI_TOT_INZ
message 'ompp: PAPI_TOT_INZ: unknown name; did you mean PAPI_TOT_INS?'
bad page-fualts task-clock
message 'ompp: page-fualts: unknown name; did you mean page-faults?'
grep -q '^task-clock$' bad.txt || fail "the other name is not explained"
bad '@cach'
message 'ompp: @cach: unknown group; did you mean @cache?'
bad 'ACC_LD('
message "ompp: ACC_LD(: ')' is missing; write ACC_LD(object)"
bad qqqqqqqq
grep -q '^ompp: qqqqqqqq: unknown name; `ompp counters` lists those that there are' bad.err || fail "$(cat bad.err)"
bad --format=csv nonsense_of_ours page-faults
grep -q '^page-faults,kernel,thread,-,yes,' bad.txt || fail "CSV of one name: $(cat bad.txt)"

# the command line
for wrong in --al --format=xml --format= --format=text,csv; do
	ompp counters "$wrong" >/dev/null 2>wrong.err && fail "$wrong"
	[ $? -eq 2 ] && [ -s wrong.err ] || fail "status of $wrong"
done
ompp counters --al 2>&1 | grep -q 'did you mean --all' || fail "--al"
ompp help counters | grep -q '^Usage: ompp counters' || fail "help"
ompp help | grep -q '^  counters ' || fail "help lists it"

# ---- names of PMUs ----
tsc=/sys/bus/event_source/devices/msr/events/tsc
if [ -e $tsc ] && [ "$(id -u)" = 0 ]; then
	[ "$(value msr/tsc/)" -gt 1000 ] || fail "the time stamp counter stands still"
	bad msr/tcs/
	message "ompp: msr/tcs/: 'tcs' is no event and no field of the PMU msr; did you mean tsc?"
	ompp counters msr/event=0/ | grep -q '^  also .*msr/tsc/' || fail "msr/tsc/ by its number"
fi

# ---- libpfm4's names, as on another processor ----
if [ -e "$builddir/ompp-papi" ] && [ "$(uname -m)" = x86_64 ] &&
	LIBPFM_FORCE_PMU=skx ompp counters INST_RETIRED:ANY_P 2>/dev/null | grep -q libpfm4; then
	LIBPFM_FORCE_PMU=skx ompp counters INST_RETIRED:ANY_P | grep -qx '  kernel    type 4, config 0xc0' || fail "INST_RETIRED"
	LIBPFM_FORCE_PMU=skx bad skx::INST_RETIRED:ANY_Q
	message 'ompp: skx::INST_RETIRED:ANY_Q: unknown name; did you mean skx::INST_RETIRED:ANY_P?'
	LIBPFM_FORCE_PMU=skx ompp counters hsw::INST_RETIRED:ANY_P | grep -q 'Intel Haswell, which is not in this machine' ||
		fail "an event of another processor"
fi

# ---- what an ordinary user may ----
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo -1)
if [ "$(id -u)" = 0 ] && [ "$paranoid" -ge 2 ] && command -v setpriv >/dev/null; then
	chmod 711 "$work"
	cp "$builddir/ompp" ordinary
	chmod 755 ordinary
	as_user() {
		setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$work/ordinary" counters "$@"
	}
	as_user cpu-migrations >user.txt || fail "cpu-migrations as an ordinary user"
	grep -q "kernel.perf_event_paranoid is $paranoid; set it to 1 or less" user.txt || fail "$(cat user.txt)"
	as_user context-switches >user.txt || fail "context-switches as an ordinary user"
	grep -q 'counted by getrusage' user.txt || fail "$(cat user.txt)"
	as_user --format=csv >user.csv || fail "the list of an ordinary user"
	grep -q '^context-switches,kernel,thread,-,yes,' user.csv || fail "context-switches is not in it"
	! grep -q '^cpu-migrations,' user.csv || fail "cpu-migrations is in it"
	# the copy has no helper beside it
	if [ ! -e /usr/local/libexec/kinst/ompp-papi ]; then
		as_user >user.txt
		grep -q 'its helper ompp-papi is not installed; build kinst where PAPI and libpfm4 are' user.txt ||
			fail "nothing of the helper: $(head -3 user.txt)"
	fi
fi
