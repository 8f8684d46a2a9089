# page_writers: of pages that the kernel tells to be written (OMPP_PAGES=uffd) the trace has who wrote to each one first in an
# interval: thread, processor and region, as the program itself says.
. "$srcdir/tests/lib.sh"

export OMPP_OVERWRITE=1 OMPP_QUIET=1 OMPP_PAGES=uffd
cp "$srcdir/tests/runtime/page_writers.c" .
kinst --no-access "$CC" -w -O1 -g -fopenmp -o writers page_writers.c

OMP_NUM_THREADS=2 ./writers 0 >said || fail "exit status $?"
tr -s ' \n' ' ' <"$(ls writers*.txt)" >report
reason=$(grep -oE '(without access hooks|which thread writes a page) are? not known[^;]*' report | head -n 1)
[ -z "$reason" ] || skip "$reason"
ompp pages writers*.pages | tr -s ' \n' ' ' >heading
grep -q 'not seen: reads, who writes to a page after its first writer' heading || fail "heading: $(cat heading)"

# The kernel tells faults in its own code to root, and to others where they may see its samples.
sees_kernel=0
[ "$(id -u)" != 0 ] || sees_kernel=1

# The line at which each phase's construct begins.
awk '/^static void [a-z_]*\(int p\)/ { split($3, f, "("); name = f[1] } /#pragma omp parallel/ && name { print name, FNR; name = "" }' \
	page_writers.c >constructs
[ "$(wc -l <constructs)" = 5 ] || fail "constructs: $(cat constructs)"

# judge: compares the rows of the trace with what the program said.
judge() {
	rm -f rows
	ompp pages --csv writers*.pages >rows || fail 'ompp pages'
	awk -v sees_kernel=$sees_kernel -v threads="$1" '
		function hex(text,    i, n) {
			for (i = 3; i <= length(text); i++)
				n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
			return n
		}
		function wrong(what) { print what; bad = 1; exit 1 }
		FILENAME == "constructs" { line[$1] = $2; next }
		FILENAME == "said" && $1 == "memory" { base = hex($2); next }
		FILENAME == "said" { key = $1 " " $2; order[++n] = key; who[key] = $3; cpu[key] = $4; next }
		FNR == 1 { FS = ","; split($0, head, ","); if (head[5] != "CPUMask" || head[8] != "TaskId" || head[10] != "Region") wrong("head: " $0) }
		/^0x/ {
			split($0, f, ",")
			if (!(f[11] in line) || f[10] !~ ("page_writers.c:" line[f[11]] "$"))
				next
			key = f[11] " " (hex(f[1]) - base) / 4096 % 64
			if (key in start && start[key] <= f[6])
				next
			start[key] = f[6]; found[key] = f[8]; mask[key] = f[5]
		}
		END {
			if (bad)
				exit 1
			for (i = 1; i <= n; i++) {
				key = order[i]
				if (key ~ /^system_calls/ && !sees_kernel) {
					if (key in found)
						wrong(key ": thread " found[key] " by what only root is told")
					continue
				}
				if (!(key in found) || found[key] == "")
					wrong(key ": the writer is not known")
				if (who[key] in slot && slot[who[key]] != found[key])
					wrong(key ": thread " found[key] ", not " slot[who[key]])
				if (!(who[key] in slot) && taken[found[key]]++)
					wrong(key ": thread " found[key] " is another one, too")
				slot[who[key]] = found[key]
				if (threads == 2 && who[key] != found[key])
					wrong(key ": thread " found[key] ", not " who[key])
				m = 2 ^ cpu[key]
				if (hex(mask[key]) != m)
					wrong(key ": processors " mask[key] ", not " cpu[key])
				delete found[key]
			}
			for (key in found)
				wrong(key ": nobody wrote it")
			print n " pages" }' constructs said rows >verdict || fail "$1 threads: $(head -n 3 verdict)"
}

for threads in 2 4; do
	rm -f writers.*
	OMP_NUM_THREADS=$threads ./writers 150 >said || fail "exit status $?"
	judge $threads
	! grep -q 'page faults were lost' writers*.txt || fail 'faults were lost'
	echo "$threads threads: $(cat verdict), whose first writers are as the program says"
done

# ---- views ----

rm -f writers.*
OMP_NUM_THREADS=2 ./writers 150 >said
ompp pages --view=regions --format=csv writers*.pages >found
line=$(sed -n 's/^turns //p' constructs)
grep -q "page_writers.c:$line,turns,64,-,-," found || fail "regions: $(cat found)"
for thread in 0 1; do
	[ "$(ompp pages --format=csv --thread=$thread --object=turns --view=objects writers*.pages | sed -n 's/^turns,\([0-9]*\),.*/\1/p')" = \
		$((64 - 32 * thread)) ] || fail "pages of thread $thread: $(ompp pages --format=csv --thread=$thread --object=turns writers*.pages)"
done
ompp pages --producers --object=turns --format=csv writers*.pages | awk -F, '/^0x/ { n[$3]++ } END { exit !(n["0 1"] == 32 && n["0"] == 32) }' ||
	fail "producers: $(ompp pages --producers --object=turns --format=csv writers*.pages)"
ompp report --view=pages --format=csv writers*.ompp >found
sed -n '/^##BEG pages by region/,/^##END/p' found | grep '^turns,64,-,.*,64,' | grep -q "page_writers.c,$line," || fail "regions of the report: $(cat found)"
