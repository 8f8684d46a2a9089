# samples_levels: latencies and levels that hooks sample, where they are known: pointer chases through memory that fits a
# cache or none, lines that were flushed, and kernels whose misses OMPP_CACHE's model knows.
. "$srcdir/tests/lib.sh"
has_sample_clock || skip "this processor has no clock for it"
grep -q clflush /proc/cpuinfo || skip "this processor cannot flush a line"
export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=report.csv OMPP_QUIET=1 OMPP_SAMPLE=hook
kinst --no-access gcc -O2 -c "$srcdir/tests/runtime/samples_levels_setup.c" -o setup.o || fail "setup"
kinst --access gcc -O2 -fopenmp "$srcdir/tests/runtime/samples_levels.c" setup.o -o levels || fail "levels"

# column OBJECT NAME: a column of the object's sampled loads
column() {
	awk -F, -v o="$1" -v name="$2" '
		$0 == "##BEG sampled accesses" { on = 1; getline; for (i = 1; i <= NF; i++) at[$i] = i; next }
		/^##END/ { on = 0 }
		on && $1 == o && $2 == "loads" { print $at[name] }' report.csv
}

# holds A CONDITION B: compares two sums
holds() {
	awk "BEGIN { exit !(($1) $2 ($3)) }"
}

# The caches may be others' as well, on a busy machine; so each try is one of three.
l1=$(($(getconf LEVEL1_DCACHE_SIZE) / 2048)) l2=$(($(getconf LEVEL2_CACHE_SIZE) / 2048))
[ $l1 -ge 4 ] || l1=16
[ $l2 -ge $((4 * l1)) ] || l2=
free=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)
big=262144 huge=1048576
[ "$free" -gt 1500000 ] || big=65536
[ "$free" -gt 3000000 ] || huge=
chases() {
	OMPP_SAMPLE_PERIOD=200 ./levels chase $l1 $l2 $big $huge >/dev/null || fail "chase: ends with $?"
	for size in $l1 $l2 $big $huge; do
		echo "chase through $size KiB: median $(column $size "median at least") to $(column $size "median at most"), mean $(column $size latency)"
	done
	# a clock may be too coarse for the medians of L1 and L2, but not for their means
	[ -z "$l2" ] || {
		holds "$(column $l1 "median at most")" '<=' "$(column $l2 "median at most")" &&
			holds "$(column $l1 latency)" '<' "$(column $l2 latency)" || return 1
	}
	holds "$(column ${l2:-$l1} "median at most")" '<' "$(column $big "median at least")" &&
		holds "$((2 * $(column $l1 "median at most")))" '<' "$(column $big "median at least")" || return 1
	# a gigabyte is memory as well, and its pages are in no TLB
	[ -z "$huge" ] || holds "$((2 * $(column $l1 "median at most")))" '<' "$(column $huge "median at least")"
}
retry 3 chases || fail "medians do not tell L1, L2 and memory apart"

# With levels that are certain, flushed lines come from memory and what fits L1 does not, and memory's share is at most
# the model's misses of the last cache (a processor fetches ahead what comes in order, the model does not), and about
# theirs where nothing can be guessed.
certain() {
	grep -q '^Latencies,.* up to [0-9]*, memory above' report.csv
}
grep '^Latencies' report.csv || fail "no latencies in the header"

flushes() {
	OMPP_SAMPLE_PERIOD=50 ./levels flushed >/dev/null || fail "flushed: ends with $?"
	certain || { echo "a cache and memory are not told apart"; return 0; }
	share=$(column flushed "local memory") remote=$(column flushed "remote memory")
	echo "flushed: $share + $remote % from memory"
	holds "$share + $remote" '>=' 97
}
retry 3 flushes || fail "flushed lines do not come from memory"

kernels() {
	OMPP_CACHE=1 OMPP_SAMPLE_PERIOD=200 ./levels kernels >/dev/null || fail "kernels: ends with $?"
	certain || return 0
	for kernel in stream rows columns gather; do
		modelled=$(awk -F, -v o=$kernel '$0 == "##BEG data objects" { getline; for (i = 1; i <= NF; i++) at[$i] = i; on = 1; next }
			/^##END/ { on = 0 } on && $1 == o { print 100 * $at["L3 misses"] / $at["loads"] }' report.csv)
		sampled=$(awk "BEGIN { print $(column $kernel "local memory") + $(column $kernel "remote memory") }")
		error=$(column $kernel "levels +-")
		echo "$kernel: $sampled % from memory, within $error; modelled misses of the last level: $modelled %"
		# 2 more, as another program's lines push ours out of a shared cache
		[ $kernel = gather ] || holds "$sampled" '<=' "$modelled + 3 * $error + 2" || return 1
	done
	# the rest of the loads find their lines in the last cache, where the model does; but their pages are in no TLB
	holds "$sampled" '>=' "$modelled - 3 * $error - 2" && holds "$sampled" '<=' "$modelled + 3 * $error + 8"
}
l3=$(cat /sys/devices/system/cpu/cpu0/cache/index3/size 2>/dev/null) # "32768K", which the model uses, too
l3=${l3%K}
if [ "${l3:-0}" -gt 0 ] && [ "$l3" -le 40960 ] && [ "$free" -gt 1500000 ]; then # gather's 512 MiB are far more
	retry 3 kernels || fail "levels are not those of the model"
fi
