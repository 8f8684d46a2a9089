#!/bin/sh
# sensors.sh: what watching costs: ompp record of all that is usual ten times a second, and of a dozen events a thousand
# times; and how long a program takes beside it, in turn with the same program alone.
# Usage: sensors.sh [ROUNDS [SECONDS OF THE SOAK]]      Environment: CC, srcdir, builddir.
set -eu
: "${CC:=gcc}" "${srcdir:=.}" "${builddir:=.}"
rounds=${1:-9}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# watch SECONDS OPTION …: per cent of a processor, KiB resident, bytes a second without headings, samples a second.
watch() {
	seconds=$1
	shift
	rm -f "$work/r"
	"$builddir/ompp" record -o "$work/r" "$@" &
	pid=$!
	sleep "$seconds"
	cut -d' ' -f14,15 /proc/$pid/stat >"$work/ticks"
	kb=$(awk '/^VmHWM/ { print $2 }' /proc/$pid/status)
	kill -INT $pid
	wait $pid
	grep '^{"t"' "$work/r" | awk -v s="$seconds" -v hz="$(getconf CLK_TCK)" -v ticks="$(cat "$work/ticks")" -v kb="$kb" '
		{ bytes += length($0) + 1 }
		END { split(ticks, t, " "); printf "%.2f %% of a processor, %d KiB, %.1f KiB/s, %.0f samples/s\n",
			100 * (t[1] + t[2]) / hz / s, kb, bytes / s / 1024, NR / s }'
}
printf 'all that is usual, 10 Hz:    '
watch 20
printf 'a dozen events, 1 kHz:       '
watch 10 --interval=1ms -e 'stat:user,stat:system,stat:idle,stat:switches,node:numa_hit,node:numa_miss,node:numa_foreign,node:local_node,node:other_node,net:received,net:sent,net:rx_packets'

# Does it grow?  KiB resident after a twentieth of the time, and at its end.
printf 'all that is usual, 1 kHz, %s s: ' "${2:-60}"
"$builddir/ompp" record -o - --interval=1ms >/dev/null &
pid=$!
sleep $((${2:-60} / 20))
awk '/^VmRSS/ { printf "%d KiB, ", $2 }' /proc/$pid/status
sleep $((${2:-60} - ${2:-60} / 20))
awk '/^VmRSS/ { printf "%d KiB at the end\n", $2 }' /proc/$pid/status
kill -INT $pid
wait $pid

cat >"$work/work.c" <<'C'
int main(void)
{
	static volatile double a[2][64];
#pragma omp parallel for num_threads(2)
	for (int t = 0; t < 2; t++)
		for (long i = 0; i < 150000000; i++)
			a[t][0] += (double)i;
	return 0;
}
C
$CC -O1 -fopenmp "$work/work.c" -o "$work/work"
took() {
	begin=$(date +%s%N)
	"$@" >"$work/out" 2>&1
	end=$(date +%s%N)
	echo $((end - begin))
}
for interval in 100ms 1ms; do
	n=0
	: >"$work/ratios"
	while [ $n -lt "$rounds" ]; do
		rm -f "$work/r"
		alone=$(took "$work/work")
		beside=$(took "$builddir/ompp" record -o "$work/r" --interval=$interval -- "$work/work")
		echo "$alone $beside" | awk '{ print $2 / $1 }' >>"$work/ratios"
		n=$((n + 1))
	done
	printf 'a program on 2 processors beside all that is usual, %s: ' $interval
	sort -n "$work/ratios" | awk '{ r[NR] = $1 } END { printf "%.3f times as long (median of %d)\n", r[int((NR + 1) / 2)], NR }'
done
