# hardware: OMPP_SAMPLE=auto in a kernel with PMUs of ours (mem_pmu/mem_pmu.c): reports have what was planted, to the sample
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"

vm_cpus=2 vm_memory=512M
vm_need_module
vm_module mem_pmu
cp "$srcdir/tests/vm/mem_pmu/regions.c" .
kinst $CC -g -O1 -fopenmp -I"$builddir/include" -I"$srcdir/tests/vm/mem_pmu" regions.c -o regions
$CC -O1 "$srcdir/tests/runtime/counters_forbid.c" -o forbid
vm_add /bin regions forbid

cat >run <<'END'
kernel=/proc/sys/kernel
echo 2 >$kernel/perf_event_paranoid
echo 25 >$kernel/perf_cpu_time_max_percent
echo 10000000 >$kernel/perf_event_max_sample_rate
echo 0 >$kernel/perf_cpu_time_max_percent
export OMPP_SAMPLE=auto OMPP_SAMPLE_PERIOD=1 OMPP_OUTFORMAT=csv-raw OMPP_QUIET=1 OMPP_PROFILE=0 OMP_WAIT_POLICY=passive
sample() {              # sample NAME WHAT…
	name=$1
	shift
	OMPP_REPORTFILE=$name regions "$@" || echo "$name: ends with $?"
}
user() {
	su user -c "$*"
}
for kind in skylake golden hybrid zen5 silent; do
	insmod /mem_pmu.ko kind=$kind || exit 1
	case $kind in
	zen5)
		for seed in 1 2 3 4 5 6; do
			OMPP_SAMPLE_PERIOD=144 OMPP_SAMPLE_SEED=$seed sample $kind$seed storm
		done
		OMPP_SAMPLE_PERIOD=144 OMPP_SAMPLE_SEED=1 sample ${kind}again storm
		;;
	hybrid) taskset -c 0 sh -c "OMPP_REPORTFILE=$kind regions plain" ;;
	*) sample $kind plain ;;
	esac
	if [ $kind = skylake ]; then
		for what in long fork wild off; do
			sample $what $what
		done
		OMPP_SAMPLE_KIND=loads sample storm storm
		OMPP_CLOCK=monotonic sample late late
		OMPP_OBJECTS=all sample blocks blocks
		OMPP_OBJECTS=all OMPP_CLOCK=monotonic sample blocks_monotonic blocks
		OMPP_SAMPLE=ibs sample ibs plain
		OMPP_TRACE=1 sample traced plain
		OMPP_TRACE=1 OMPP_CLOCK=monotonic sample traced_monotonic plain
		OMPP_SAMPLE_KIND=loads OMPP_SAMPLE_LATENCY=100 sample loads plain
		OMPP_SAMPLE_PERIOD=1000000000000 sample period plain
		user 'OMPP_REPORTFILE=user regions plain'
		OMPP_REPORTFILE=forbidden forbid /bin/regions plain
		echo 3 >$kernel/perf_event_paranoid
		user 'OMPP_REPORTFILE=rights regions plain'
		echo 2 >$kernel/perf_event_paranoid
		user 'OMPP_REPORTFILE=many regions many 24'
		echo 48 >$kernel/perf_event_mlock_kb # room for all of the first ring, for some of the second, and for no third
		# threads that open their rings at the same time may leave room for no part of another's
		for _ in 1 2 3 4 5; do
			user 'ulimit -l 64; OMPP_REPORTFILE=tight regions many 8'
			! grep -q 'Ring buffers of samples are smaller' tight || break
		done
		echo 516 >$kernel/perf_event_mlock_kb
	fi
	rmmod mem_pmu
done
END
vm_run machine run || { cat machine/log; tail -5 machine/dmesg; fail 'a run fails'; }
[ ! -s machine/log ] || { cat machine/log; fail 'programs say something'; }
! grep -E 'WARNING:|BUG:|Oops' machine/dmesg || fail 'the kernel complains'

# rows REPORT: object, kind, construct, name, thread and samples of each row.  What the module samples of the stack, so that
# a program which tries an event sees something, is not among them.
rows() {
	sed -n '/^##BEG sampled accesses by thread/,/^##END/p' "machine/$1" |
		awk -F, '!/^##/ && $1 != "object" && $1 !~ /^\(/ { print $1, $2, $4 == "" ? "serial" : $4, $8 == "" ? "-" : $8, $9, $10 }' |
		sort
}
# is REPORT: it has the rows that stand in the input
is() {
	rows "$1" >have
	sed 's/ *#.*//' | sort | diff - have >difference || { cat difference; grep '^Note' "machine/$1"; fail "$1: other samples than were planted"; }
}
# notes REPORT WORDS
notes() {
	grep "^Note.*$2" "machine/$1" >/dev/null || { grep '^Note' "machine/$1"; fail "$1: does not say: $2"; }
}
# share REPORT OBJECT COLUMN: of all its accesses
share() {
	sed -n '/^##BEG sampled accesses$/,/^##END/p' "machine/$1" |
		awk -F, -v object="$2" -v column="$3" '/^object/ { for (i = 1; i <= NF; i++) at[$i] = i }
			$1 == object { print $at[column]; exit }'
}

for report in skylake golden hybrid user; do
	is $report <<-'END'
		a loads serial - 0 7
		a loads PARALLEL - 0 10
		a loads PARALLEL - 1 11
		a loads PARALLEL - 2 12
		b stores LOOP - 0 20
		b stores LOOP - 1 21
		b stores LOOP - 2 22
		c loads CRITICAL one 0 3
		c loads CRITICAL one 1 3
		c loads CRITICAL one 2 3
		b loads PARALLEL - 0 5
		b loads PARALLEL - 1 5
	END
	[ "$(share $report c 'local memory') $(share $report c latency)" = '100.000000 500.000' ] || fail "$report: c is in memory"
	[ "$(share $report b L3) $(share $report b latency)" = '100.000000 40.000' ] || fail "$report: b is in the third level"
done
# Each access stands in the trace between the changes of its thread to its region and to the next one, whatever the clock.
for report in traced traced_monotonic; do
	ompp flow --view=events --format=csv machine/$report.ompp.flow >events 2>said || fail "$report: $(cat said)"
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["kind"] == "change" { place[$c["thread"]] = $c["region"]; n_changes++ }
		$c["kind"] ~ /^(load|store)$/ && $c["object"] ~ /^[abc]$/ {
			n++
			now = place[$c["thread"]]
			if (now == "") now = "-"
			if ($c["time"] == "-" || index($c["region"], now) != 1) { print "in " now ": " $0; bad = 1 }
		}
		END { if (n != 122 || n_changes < 8) print n " accesses, " n_changes " changes"; exit bad || n != 122 || n_changes < 8 }' events >wrong ||
		fail "$report: $(head -5 wrong)"
done
is loads <<-'END'
	a loads serial - 0 7
	c loads CRITICAL one 0 3
	c loads CRITICAL one 1 3
	c loads CRITICAL one 2 3
END
is late <<-'END'
	a loads PARALLEL - 0 1
	c loads PARALLEL - 0 2                  # when that region had ended
	c loads PARALLEL - 0 12
	old loads CRITICAL first 0 7            # when its memory had another name
	new loads CRITICAL second 0 1
	a loads CRITICAL first 0 5
	a loads CRITICAL second 0 6
	b loads CRITICAL first 0 9
	b loads CRITICAL second 0 8
	b loads PARALLEL - 0 10
END
# Lines come from where the blocks are allocated, as the machine has nobody who knows them.
for report in blocks blocks_monotonic; do
	rows $report | sed 's/^regions+0x\([0-9a-f]*\) /\1 /' >have
	cut -d' ' -f1 have | grep -v '^[abc]$' | while read -r address; do
		printf '%s %s\n' "$address" "$(addr2line -e regions "$(printf '%x' $((0x$address - 1)))" | sed 's/.*:\([0-9]*\).*/\1/')"
	done >places
	for block in kept:3 gone:4 again:8; do
		line=$(grep -n "malloc.*/\* ${block%:*} \*/" regions.c | cut -d: -f1)
		address=$(awk -v line="$line" '$2 == line { print $1 }' places)
		[ "$(awk -v address="$address" '$1 == address { print $2, $NF }' have)" = "loads ${block#*:}" ] ||
			{ cat have; grep '^Note' "machine/$report"; fail "$report: ${block%:*}"; }
	done
done
notes late '11 samples of memory accesses came too late'
is long <<-'END'
	a loads PARALLEL - 0 3000
	a loads PARALLEL - 1 3000
END
! grep '^Note.*dropped' machine/long || fail 'long: the helper does not take the samples of long regions'
lost=$(sed -n 's/^Note,"*\([0-9]*\) samples of memory accesses were dropped.*/\1/p' machine/storm)
[ $((${lost:-0} + $(rows storm | awk '{ n += $6 } END { print n }'))) -eq 40000 ] ||
	{ grep '^Note' machine/storm; rows storm; fail 'storm: samples are neither counted nor told to be lost'; }
is fork <<-'END'
	a loads serial - 0 9
END
mv machine/fork.* machine/child
is child <<-'END'
	b loads PARALLEL - 0 11
END
is wild <<-'END'
	a loads serial - 0 7
END
is off <<-'END'
	a loads serial - 0 5
END
# Of 20000 accesses by each thread one in about 144, a multiple of 16, is sampled, by a period that is drawn from the seed
# and that each sample stands for.
for seed in 1 2 3 4 5 6; do
	sed -n '/^##BEG sampled accesses by thread/,/^##END/p' machine/zen5$seed | awk -F, '
		$1 == "object" { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 == "a" && $2 == "loads" { print; n++; e = $at["accesses"]; s = $at["samples"]; p = e / s
			if (p % 16 || p < 126 || p > 162 + 15 || e > 20000 || e <= 20000 - p) bad = 1 }
		END { exit bad || n != 2 }' >rows || { cat rows; grep '^Note' machine/zen5$seed; fail "zen5, seed $seed: other samples than were planted"; }
	cat rows >>drawn
done
[ "$(cut -d, -f10 drawn | sort -u | wc -l)" -ge 2 ] || { cat drawn; fail 'zen5: one period in all processes'; }
rows zen51 >have
rows zen5again | diff have - || fail 'zen5: another period with the same seed'
is period </dev/null
for report in ibs rights forbidden silent; do
	is $report </dev/null
done
[ "$(rows many | awk '$6 == 6' | wc -l)" -eq 24 ] || fail 'many: not all threads have their samples'
notes tight 'Ring buffers of samples are smaller'
notes tight 'Samples of some threads are missing'
notes ibs 'OMPP_SAMPLE=ibs: no PMU ibs_op.*memory accesses are not sampled'
notes rights 'OMPP_SAMPLE=auto: kernel.perf_event_paranoid is 3; set it to 2'
notes forbidden "a security profile forbids perf_event_open.*container's profile"
notes silent 'OMPP_SAMPLE=auto: pebs opens here, but delivers no samples'
notes silent 'kinst --access'
