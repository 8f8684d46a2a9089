# page_writes: OMPP_PAGES=uffd, and auto without access hooks, tells all pages that are written, by whomever, when they are:
# what valgrind's trace of all stores of the same program has, no others, and in their intervals.
. "$srcdir/tests/lib.sh"

export OMPP_OVERWRITE=1 OMPP_QUIET=1 OMPP_PAGES=auto
cp "$srcdir/tests/runtime/page_writes.c" .
kinst --no-access "$CC" -w -O1 -g -fopenmp -o writes page_writes.c
"$CC" -w -O1 -fopenmp -o plain page_writes.c

# pages LEFT: the file `ours` gets a line for each page of an array, with its number in the array and the interval; the rest
# is in `others`.
pages() {
	rm -f rows
	ompp pages --csv writes*.ompp.pages >rows 2>said || fail "ompp pages: $(cat said)"
	awk -F, -v phases="$1" '
		function hex(text,    i, n) {
			for (i = 3; i <= length(text); i++)
				n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
			return n
		}
		BEGIN { while ((getline line <phases) > 0) { split(line, f, " "); base[f[1]] = hex(f[2]) } }
		/^0x/ && $NF in base { print $NF, (hex($1) - base[$NF]) / 4096, $6, $7, $3 $4 $5 $8; next }
		/^0x/ { print >"others" }' rows >ours
}

# ---- does the kernel tell? ----

: >others
OMP_NUM_THREADS=2 ./writes 0 2>phases || fail "exit status $?"
if grep -q 'without access hooks are not known' writes*.txt; then
	grep -qE 'not known: (userfaultfd is refused|the kernel does not tell|the kernel gives no thread|no thread can be)' writes*.txt ||
		fail "no reason: $(grep -a 'not known' writes*.txt)"
	skip "$(grep -a -A 2 'not known' writes*.txt | tr -s ' \n' ' ')"
fi

# A kernel without a page of zeros gives memory to pages that are only read; then these are told, too.
loads=
! tr -s ' \n' ' ' <"$(ls writes*.txt)" | grep -q 'no page of zeros, so that fresh memory which is only read counts' || loads=L

# ---- valgrind is the judge ----

# lackey THREADS: the file `judge` gets the pages of arrays that are stored to, by the program or a library.
lackey() {
	ALL_BY_THE_PROGRAM=1 OMP_NUM_THREADS=$1 valgrind --tool=lackey --trace-mem=yes --fair-sched=yes --log-fd=9 ./plain 9>&1 2>judged |
		awk -v loads="$loads" '$1 == "S" || $1 == "M" || $1 == loads { split($2, f, ","); n = length(f[1]); print substr(f[1], 1, n - 3)
			if (substr(f[1], n - 2) >= "f80") print f[1], f[2] }' | sort -u >stores
	awk '
		function hex(text,    i, n) {
			for (i = 1; i <= length(text); i++)
				n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
			return n
		}
		NR == FNR { base[$1] = hex(substr($2, 3)) / 4096; next }
		{ page = NF == 1 ? hex($1) : int((hex($1) + $2 - 1) / 4096)
		  for (name in base) if (page >= base[name] && page < base[name] + 256) print name, page - base[name] }' judged stores |
		grep -v '^reads ' | sort -u >judge # its array is written before its phase, and then one page of it
	echo reads 7 >>judge
}

n_pages=0
programs='2:writes 16:writes'
if kinst --no-access "$CC" -w -O1 -g -static -fopenmp -o static page_writes.c 2>/dev/null; then
	programs="$programs 2:static"
fi
if command -v valgrind >/dev/null; then
	for program in $programs; do
		threads=${program%:*}
		lackey $threads
		[ "$(cut -d' ' -f1 judge | sort -u | wc -l)" = 9 ] || fail "the judge: $(cut -d' ' -f1 judge | uniq -c)"
		rm -f writes.*
		OMPP_APPNAME=writes OMP_NUM_THREADS=$threads "./${program#*:}" 120 2>phases || fail "exit status $?"
		pages phases
		start=$(ompp flow --view=events --format=csv --top=1 writes*.ompp.pages | awk -F, 'NR == 2 { printf "%.9f", $2 / 1e9 - $1 }')
		# what an array is written in its phase, and what at other times
		awk -v start="$start" '
			NR == FNR { begin[$1] = $3; end[$1] = $4; next }
			{ during = $3 / 1e9 + start <= end[$1] && $4 / 1e9 + start >= begin[$1]; print $1, $2 >(during ? "during" : "apart") }
			$5 !~ /^--(--|0x[0-9a-f]*[0-9])$/ { print "what cannot be known: " $0; exit 1 }' phases ours >wrong || fail "$(cat wrong)"
		touch apart
		# the array that is read was written in the beginning; the judge says what is written of the others, at all times
		[ "$(grep -c '^reads ' apart)" = 256 ] || fail "the array that is read, before: $(grep -c '^reads ' apart)"
		! grep -v '^reads ' apart >beyond || fail "written when nobody did: $(head -n 3 beyond)"
		sort -u during >found
		sort judge >wanted
		comm -23 wanted found >missing
		comm -13 wanted found >beyond
		[ ! -s missing ] || fail "$program: $(wc -l <missing) of $(wc -l <wanted) pages are missing: $(head -n 3 missing)"
		[ ! -s beyond ] || fail "$program: $(wc -l <beyond) pages that nobody wrote: $(head -n 3 beyond)"
		n_pages=$((n_pages + $(wc -l <wanted)))
		rm -f during apart
	done
fi

# ---- what it says ----

# How many pages of the stream were written in one interval only, and in how many all of them together: an interval may end
# within its phase.
ompp pages --csv writes*.ompp.pages | awk -F, '
	/^0x/ && $NF == "stream" { n[$1]++; all++ }
	END { for (page in n) { pages++; once += n[page] == 1 }; print pages, once, all }' >counted
read -r pages once intervals <counted
[ "$pages" = 256 ] && [ "$once" -ge 128 ] || fail "the stream: $(cat counted)"
ompp pages --format=csv writes*.ompp.pages >said
grep -q "^stream,256,-,-,-,-,-,$once,-,-,-,$intervals,256\$" said || fail "objects: $(cat said), not $(cat counted)"
ompp pages writes*.ompp.pages >said
grep -q 'by the kernel (userfaultfd)' said && grep -q '^not seen: reads' said || fail "heading: $(cat said)"
ompp report --view=pages --format=csv writes*.ompp | grep -q "^stream,256,-,-,-,-,-,$once,-,-,-,256\$" ||
	fail "report: $(ompp report --view=pages --format=csv writes*.ompp)"
ompp report --view=pages writes*.ompp | tr -s ' \n' ' ' | grep -q 'and that no access hook stored to' || fail 'remark'
for view in regions pages time heat threads sharing nodes history producers csv framesoc; do
	ompp pages --view=$view writes*.ompp.pages >said 2>&1 || fail "$view: $(cat said)"
done
ompp pages --view=heat --svg=heat.svg writes*.ompp.pages
grep -q 'thread not known</text>' heat.svg || fail 'legend of heat'
ompp pages --view=time --format=csv writes*.ompp.pages | awk -F, 'NR > 1 && ($3 != $5 || $6 $7 $8 != "---") { exit 1 }' || fail 'time'
[ "$(ompp pages --format=csv --kind=loads writes*.ompp.pages | wc -l)" = 1 ] || fail 'loads without hooks'

# ---- with hooks: what they count stays, and what was written beyond them is told ----

kinst --access "$CC" -w -O1 -g -fopenmp -o hooked page_writes.c
mkdir hooks both
for how in hooks uffd; do
	(cd $([ $how = hooks ] && echo hooks || echo both) && OMPP_PAGES=$how OMP_NUM_THREADS=2 ../hooked 60 2>phases)
done
for from in hooks both; do
	ompp pages --view=regions --format=csv $from/hooked*.pages | grep -v '^-,' | grep -vE ',\((other|stack)\),' | cut -d, -f1-3,10-12 | sort >$from.regions
done
[ -s hooks.regions ] || fail 'no regions'
same 'what hooks see of pages, with and without the kernel' hooks.regions both.regions
ompp pages --format=csv both/hooked*.pages >said
grep -q '^stream,256,.*,0$' said || fail "stream: $(cat said)"
# hooks see memset() and memmove() of the program; snprintf() and what the kernel writes are the library's
n_unhooked=1
[ -z "$loads" ] || n_unhooked=30 # and the pages that memmove() reads
grep -q "^library,.*,$n_unhooked\$" said || fail "library: $(cat said)"
grep -q '^calls,4,-,.*,4$' said || fail "calls: $(cat said)"
ompp report --view=pages --format=csv both/hooked*.ompp >said
grep -q '^calls,4,-,.*,4$' said && grep -q "^library,.*,$n_unhooked\$" said && grep -q '^stream,256,.*,0$' said || fail "report: $(cat said)"
grep -q 'access hooks; pages written without them: the kernel' both/hooked*.txt || fail 'method of both'
OMPP_PAGES=auto ./hooked 0 2>phases
ompp pages hooked*.pages | grep -q '^(exact, by access hooks; ' || fail "auto with hooks: $(ompp pages hooked*.pages | head -n 2)"

# ---- what it costs: page faults keep to their share, as intervals become longer ----

"$CC" -w -O2 -fopenmp -o passes.plain "$srcdir/tests/bench/pages.c"
kinst --no-access "$CC" -w -O2 -fopenmp -o passes "$srcdir/tests/bench/pages.c"
# seconds PROGRAM: the CPU time of a pass over 64 MiB, in the middle of three runs
seconds() {
	for i in 1 2 3; do
		OMPP_PAGES_INTERVAL=1ms OMP_NUM_THREADS=1 "./$1" stream 64 2 | cut -d' ' -f1
	done | sort -n | sed -n 2p
}
costs() {
	plain=$(seconds passes.plain)
	traced=$(seconds passes)
	awk -v a="$traced" -v b="$plain" 'BEGIN { exit !(a < 2.5 * b) }' || fail "$traced s with a trace, $plain s without"
}
retry 4 costs || fail 'what a trace costs'
tr -s ' \n' ' ' <"$(ls passes*.txt)" | grep -qE 'intervals of written pages were up to [0-9]+ ms long, as page faults' ||
	fail 'nothing is said of intervals that were longer'

# ---- what goes wrong ----

rm -f writes.*
./writes 120 killed 2>phases && fail 'it was not killed' || :
pages phases
grep -q 'was cut off' said || fail "killed: $(cat said)"
[ "$(grep -c '^data ' ours)" -ge 85 ] || fail "killed: $(cut -d' ' -f1 ours | uniq -c)"

rm -f writes.*
./writes 60 execs 2>phases
pages phases
[ "$(grep -c '^bss ' ours)" = 52 ] || fail "exec: $(cut -d' ' -f1 ours | uniq -c)"

rm -f writes.*
./writes 200 off 2>phases
pages phases
n=$(grep '^strided ' ours | cut -d' ' -f2 | sort -u | wc -l)
[ "$n" = 86 ] || fail "$n pages while measuring is off"

rm -f writes.*
./writes 60 forks 2>phases
[ "$(ls writes.*.pages | wc -l)" = 2 ] || fail "files of a fork: $(ls writes.*)"
for f in writes.*.pages; do
	ompp pages --format=csv --object=strided "$f" | sed -n 's/^strided,\([0-9]*\),.*/\1/p'
done | sort -n | tr '\n' ' ' >found # 86 pages of the phase, and one more
[ "$(cat found)" = '3 87 ' ] || fail "pages of the child and the parent: $(cat found)"

rm -f writes.*
OMPP_PAGES_INTERVAL=region ./writes 0 2>phases
grep -q 'OMPP_PAGES_INTERVAL=region: ' writes*.txt || fail 'regions: not told'

rm -f writes.*
OMPP_SAMPLE=touch ./writes 0 2>phases
tr -s ' \n' ' ' <"$(ls writes*.txt)" | grep -q 'are not known: first touches are looked for (OMPP_SAMPLE)' || fail 'first touches: not told'

rm -f writes.*
OMPP_PAGES_LIMIT=4096 OMPP_PAGES_INTERVAL=1ms ./writes 60 2>phases
grep -q 'uses of pages are not in the trace' writes*.txt || fail 'the limit is not told'
ompp report --view=pages --format=csv writes*.ompp | grep -q '^bss,52,-,' || fail 'the report beyond the limit of the trace'

cat >refuse.c <<'C'
/* refuse CALL COMMAND…: userfaultfd, or perf_event_open, is refused, as in a container. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	unsigned int call = argc > 2 && !strcmp(argv[1], "perf_event_open") ? SYS_perf_event_open : SYS_userfaultfd;
	struct sock_filter code[] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		                      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		                      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		                      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 77;
	execv(argv[2], argv + 2);
	return 2;
}
C
"$CC" -o refuse refuse.c
rm -f writes.*
status=0
OMPP_PAGES=uffd ./refuse userfaultfd ./writes 0 2>phases || status=$?
if [ $status != 77 ]; then
	[ $status = 0 ] || fail "refused: exit status $status"
	tr -s ' \n' ' ' <"$(ls writes*.txt)" | grep -q 'are not known: userfaultfd is refused here' || fail "refused: $(cat writes*.txt)"
	rm -f writes.*
	OMPP_PAGES=uffd ./refuse perf_event_open ./writes 60 2>phases || fail "without page faults: exit status $?"
	ompp pages writes*.pages >said
	grep -q '^not seen: reads, which thread writes, how often' said || fail "without page faults: $(cat said)"
	ompp pages --csv writes*.pages | awk -F, '/^0x/ { n++ } /^0x/ && $3 $4 $5 $8 $10 != "-----" { exit 1 } END { exit !n }' ||
		fail 'a thread without page faults'
fi

# ---- it behaves as the plain build ----

cp "$srcdir/tests/runtime/page_tricks.c" "$srcdir/tests/runtime/raw_fork.h" .
"$CC" -w -O1 -fopenmp -o tricks.plain page_tricks.c
kinst --no-access "$CC" -w -O1 -fopenmp -o tricks page_tricks.c
./tricks.plain >expected || fail "tricks: exit status $?"
for objects in named all; do
	rm -f tricks.*.ompp*
	OMPP_OBJECTS=$objects OMPP_PAGES_INTERVAL=5ms ./tricks >found || fail "tricks: exit status $?"
	same "what tricks print, with OMPP_OBJECTS=$objects" expected found
	if grep -q '^userfaultfd' expected; then
		tr -s ' \n' ' ' <"$(ls tricks.*.txt | head -n 1)" | grep -q 'the program began to use userfaultfd itself' || fail 'its own userfaultfd: not told'
	fi
done
rm -f tricks.*.ompp*
OMPP_PAGES_INTERVAL=5ms ./tricks keep >found || fail "tricks: exit status $?"
./tricks.plain keep >expected
same 'what tricks print that do without userfaultfd' expected found
! grep -q 'up to a point' tricks.*.txt || fail 'it ended early'
# the pages of a program that has no name for anything are in its report, too
ompp report --view=pages --format=csv tricks.*.ompp | sed -n '/^##BEG pages by object/,/^##END/p' | grep '^(other),' | cut -d, -f1-12 >found
ompp pages --format=csv tricks.4.ompp.pages | grep '^(other),' | cut -d, -f1-11,13 >expected
[ -s expected ] || fail 'no pages without names'
same 'pages without names in the report and in the trace' expected found
! ompp report --view=summary tricks.*.ompp | grep '^data' || fail 'the summary says what was not measured'
echo "$n_pages pages, all of them in the traces, and no others"

# ---- beside sanitizers, which have memory and a SIGSEGV handler of their own ----

# arrays PROGRAM: the arrays and how many of their pages are written.
arrays() {
	rm -f "$1".*
	OMP_NUM_THREADS=1 "./$1" 60 2>phases || fail "$1: exit status $?: $(tail -n 3 phases)"
	ompp pages --format=csv "$1".*.pages | sed -n 's/^\([a-z]*,[0-9]*\),.*/\1/p' | sort
}
arrays writes >expected
[ -z "$loads" ] || export ASAN_OPTIONS=detect_leaks=0 # which reads all memory at the end
[ "$(wc -l <expected)" = 9 ] || fail "arrays: $(cat expected)"
for what in address thread; do
	"$CC" -w -O1 -fopenmp -fsanitize=$what -o plain_$what page_writes.c 2>messages && OMP_NUM_THREADS=1 ./plain_$what 0 2>messages || continue
	kinst --no-access "$CC" -w -O1 -g -fopenmp -fsanitize=$what -o writes_$what page_writes.c
	arrays writes_$what >found
	same "pages that are written beside the $what sanitizer" expected found
done
