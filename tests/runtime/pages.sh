# pages: OMPP_PAGES=auto writes which thread used which page, when and in which region; ompp pages shows it.
. "$srcdir/tests/lib.sh"

export OMPP_OVERWRITE=1 OMPP_QUIET=1 OMPP_PROFILE=1 OMPP_PAGES=auto
cp "$srcdir/tests/runtime/pages.c" .
kinst --access "$CC" -O1 -g -fopenmp -o pages pages.c
"$CC" -O1 -fopenmp -o plain pages.c 2>/dev/null

# rows VIEW FILE [OPTION…]: a view without its frame, in the file `rows`.
rows() {
	view=$1
	shift
	ompp pages --view="$view" --format=csv "$@" >said 2>&1 || fail "$view: $(cat said)"
	sed 1d said >rows
}

# fits WHAT PATTERN: one row is that.
fits() {
	[ "$(grep -cE "$2" rows)" = 1 ] || fail "$1: no row $2: $(cat rows)"
}

# ---- what arithmetic says ----

./plain >expected
./pages >found 2>messages
same 'what it prints' expected found
[ ! -s messages ] || fail "said: $(cat messages)"
file=$(echo pages.*.ompp.pages)
# 64 pages of 512 doubles.  Of a, 64 * 512 stores, and two loads each; b: one store, one load; c: one store a page.
rows objects "$file"
fits a '^a,64,4,0,0,64,0,64,100.00+,65536,32768,'
fits b '^b,64,4,64,0,0,0,[0-9]+,100.00+,32768,32768,'
fits c '^"<c> & ""d""",64,1,64,0,0,0,64,1.5625.*,1,64,'
rows regions "$file"
fits 'a when it is copied' '^PARALLEL LOOP pages.c:85,a,64,4,64,0,0,64,0,100.00+,32768,0,'
fits 'b when it is copied' '^PARALLEL LOOP pages.c:85,b,64,4,64,0,0,0,64,100.00+,0,32768,'
fits 'b when it is read' '^PARALLEL LOOP pages.c:88,b,64,4,64,0,0,64,0,100.00+,32768,0,'
# Each of four threads has 16 pages of b, one after the other.
rows history "$file" --object=b --region=pages.c:88
[ "$(awk -F, '{ pages[$3] += $6 } END { for (t in pages) print pages[t] }' rows | tr '\n' ' ')" = '16 16 16 16 ' ] ||
	fail "b by threads: $(cat rows)"
# Of a, thread t has pages from 16 t on and those from 48 - 16 t on, and thread 0 stored to all.
rows sharing "$file" --object=a
[ "$(cut -d, -f3,4 rows | sort | tr '\n' ' ')" = '32,0 32,32 32,32 32,32 ' ] || fail "sharing: $(cat rows)"
rows nodes "$file" --object=a
[ "$(awk -F, '{ n += $4; m += $5 } END { print n, m }' rows)" = '65536 32768' ] || fail "nodes: $(cat rows)"
rows time "$file" --object=a
[ "$(awk -F, '{ new += $4; n += $7; m += $8 } END { print new, n, m }' rows)" = '64 65536 32768' ] || fail "time: $(cat rows)"
# Two other threads used each page of the middle: first the one that copied it, where the order is known (no ~), as it is
# on a slow machine; else it is that of their numbers.
rows producers "$file" --object=a --region=pages.c:85
mv rows copied
rows producers "$file" --object=a
awk -F, '
	NR == FNR { copied[$1] = $3; next }
	{ n = split($3, thread, " "); pages[n]++ }
	thread[1] != 0 { bad = 1 }
	n == 3 && $4 !~ / ~[0-9]+$/ && thread[2] != copied[$1] { bad = 1 }
	END { exit bad || NR != 128 || pages[2] != 32 || pages[3] != 32 }' copied rows ||
	fail "producers: $(cat copied rows)"
rows pages "$file" --shared --object=a
[ "$(wc -l <rows)" = 64 ] || fail "shared pages of a: $(wc -l <rows)"
rows pages "$file" --shared --object='<c> & "d"'
[ ! -s rows ] || fail "shared pages of c: $(cat rows)"

# Uses with loads, and with stores: b is written in one loop, and read in the other one.
rows regions "$file" --kind=stores --object=b
[ "$(cut -d, -f1-3 rows)" = 'PARALLEL LOOP pages.c:85,b,64' ] || fail "stores to b: $(cat rows)"
rows regions "$file" --kind=loads --object=b
[ "$(cut -d, -f1-3 rows)" = 'PARALLEL LOOP pages.c:88,b,64' ] || fail "loads from b: $(cat rows)"
rows objects "$file" --kind=loads,stores
fits 'b with both kinds' '^b,64,4,64,'

# Moca's columns, and those for Framesoc.
ompp pages --csv --object=a "$file" >moca.csv
head -n 1 moca.csv | grep -q "@Virt,'*@Phy,Nreads,Nwrites,CPUMask,Start,End,TaskId" || fail "Moca: $(head -n 1 moca.csv)"
[ "$(awk -F, '/^0x/ { n += $3; m += $4; if ($7 < $6) exit } END { print n, m }' moca.csv)" = '65536 32768' ] || fail 'sums of Moca'
ompp pages --framesoc --object=a "$file" | grep -q ',Shared,' || fail 'no column Shared'

# ---- the report ----

# section TABLE COLUMNS RESULT PROFILE: these columns of a table of the report's section.
section() {
	ompp report --view=pages --format=csv "$4" |
		awk -v name="$1" -F, '$0 == "##BEG " name { inside = 1; getline; next } $0 == "##END " name { exit } inside' |
		grep -v '^(all),' | cut -d, -f"$2" | sort >"$3"
}
# alike PROFILE: its section on pages is what the trace says that was written with it.
alike() {
	rows objects "$1.pages"
	cut -d, -f1-11 rows | sort >in_trace
	[ -s in_trace ] || fail "$1.pages: empty"
	section 'pages by object' 1-11 in_report "$1"
	same "the pages of objects in $1 and in its trace" in_trace in_report
	rows regions "$1.pages"
	sed 's/^[A-Z ]* pages.c:\([0-9]*\),\(.*\),[0-9]*,-$/\2,\1/; s/^-,\(.*\),[0-9]*,-$/\1,/' rows | sort >in_trace
	section 'pages by region' 1-11,16 in_report "$1"
	same "the pages of regions in $1 and in its trace" in_trace in_report
}
alike pages.*.ompp
rows pages "$file"
awk -F, '{ print $6 + $7 }' rows | sort -rn | head -n 20 >in_trace
ompp report --view=pages --format=csv pages.*.ompp | awk -F, '$0 == "##BEG hot pages" { inside = 1; getline; next }
	$0 == "##END hot pages" { exit } inside { print $5 + $6 }' >in_report
same 'the hot pages of the report and of the trace' in_trace in_report
# The page for a browser has pictures of all memory, and then of objects, those with most accesses first.
ompp report --format=html pages.*.ompp >page.html
[ "$(grep -o '"object":[^,]*,"time"' page.html | cut -d: -f2 | grep -x 'null.*\|"[ab]".*\|.*c.*d.*' | cut -c2-3 | tr '\n' ' ')" = 'ul a" b" \u ' ] ||
	fail "pictures of $(grep -o '"object":[^,]*,"time"' page.html)"

# ---- pictures ----

ompp pages --view=heat "$file" | grep -q '^0x.* b  *[0-9]* |.*[@%#].*|$' || fail "heat: $(ompp pages --view=heat "$file")"
for view in heat threads; do
	ompp pages --view=$view --svg=$view.svg "$file"
	grep -q '<title>b, 0x' $view.svg && grep -q '&lt;c&gt; &amp; &quot;d&quot;' $view.svg && ! grep -q '<c>' $view.svg ||
		fail "$view.svg: $(grep -c title $view.svg) titles"
	# axes: each address is that of a row's first page, as the cells say; columns are times or threads
	sed -n 's|.*<title>.*, \(0x[0-9a-f]*\) to 0x.*|\1|p' $view.svg | sort -u >firsts
	sed -n 's|.*text-anchor="end">\(0x[0-9a-f]*\)</text><path.*|\1|p' $view.svg | sort -u >axis
	[ "$(wc -l <axis)" -gt 1 ] && [ -z "$(comm -23 axis firsts)" ] || fail "$view.svg: addresses: $(comm -23 axis firsts)"
	case $view in
	heat) grep -q '>seconds of the run</text>' heat.svg && grep -q 'text-anchor="middle">[0-9]*[.][0-9][0-9][0-9]</text>' heat.svg || fail 'heat.svg: no axis of times' ;;
	*) grep -q '>thread</text>' $view.svg && grep -q 'text-anchor="middle">0</text>' $view.svg || fail "$view.svg: no axis of threads" ;;
	esac
	if command -v xmllint >/dev/null; then xmllint --noout $view.svg || fail "$view.svg is no XML"; fi
done

# titles FILE: the pairs that a picture of the matrix has cells for, as "thread,and,pages,written,together".
titles() {
	if command -v xmllint >/dev/null; then xmllint --noout "$1" || fail "$1 is no XML"; fi
	sed -n 's/.*<title>threads \([0-9]*\) and \([0-9]*\): \([0-9]*\) pages, \([0-9]*\) of them written, \([0-9]*\) times together<.*/\1,\2,\3,\4,\5/p' "$1"
}
# Each pair is in the picture twice, on both sides of the diagonal, with the numbers of the table.
for object in a b '<c> & "d"'; do
	ompp pages --view=sharing --object="$object" --svg=matrix.svg "$file"
	titles matrix.svg | sort >found
	rows sharing "$file" --object="$object"
	awk -F, '{ print $1 "," $2 "," $3 "," $4 "," $5; print $2 "," $1 "," $3 "," $4 "," $5 }' rows | sort >expected
	same "the picture of the matrix of $object" expected found
	[ "$(grep -c 'fill="#d5d9e0"' matrix.svg)" = 4 ] || fail "diagonal: $(cat matrix.svg)"
done
ompp pages --view=sharing --object=a --svg=matrix.svg "$file"
[ "$(titles matrix.svg | wc -l)" = 8 ] && [ "$(grep -c 'fill-opacity="1.00"' matrix.svg)" = 8 ] && grep -q 'the darkest: 32 pages' matrix.svg || fail "matrix of a: $(cat matrix.svg)"
# matrix [OPTION…]: that of text, a line for each thread
matrix() {
	ompp pages --view=sharing "$@" "$file" | sed -n 's/^ *[0-9]* |\(.*\)|.*/\1/p' | tr '\n' '/'
}
# In the text a thread's row has the mark of most pages for two others, and none for the one without common pages.
ompp pages --view=sharing --format=csv --object=a "$file" | awk -F, 'NR > 1 { is[$1, $2] = is[$2, $1] = 1 } END {
	for (a = 0; a < 4; a++) { for (b = 0; b < 4; b++) printf "%s", a == b ? "\\" : is[a, b] ? "@" : " "; printf "/" } }' >expected
[ "$(matrix --object=a)" = "$(cat expected)" ] || fail "matrix: $(ompp pages --view=sharing --object=a "$file")"
ompp pages --view=sharing --object=b --svg=matrix.svg "$file"
grep -q 'no two threads are known to use the same page' matrix.svg || fail "matrix of b: $(cat matrix.svg)"
[ -z "$(matrix --object=b)" ] || fail "a matrix where no two threads have pages in common: $(matrix --object=b)"

# Many threads: text says what writes the matrix, and a cell is for several threads where there is no room for all.
cat >many.c <<'C'
static volatile int data[2 * 1024] __attribute__((aligned(4096)));
int main(void)
{
	int sum = 0;
	data[0] = data[1024] = 1;
#pragma omp parallel num_threads(300) reduction(+ : sum)
#pragma omp for schedule(static, 1)
	for (int i = 0; i < 300; i++)
		sum += data[i < 150 ? 0 : 1024];
	return sum != 300;
}
C
kinst --access "$CC" -O1 -g -fopenmp -o many many.c
./many || fail "many: $?"
many=$(echo many.*.ompp.pages)
ompp pages --view=sharing "$many" >shown
grep -q 'The matrix of 300 threads is too wide for text; --svg=FILE' shown && ! grep -q '^ *[0-9]* |' shown || fail "300 threads: $(tail -n 3 shown)"
ompp pages --view=sharing --svg=many.svg "$many"
rows sharing "$many"
# which threads have which half is for the number of a thread in the trace to say
awk -F, '{ a = int($1 / 2); b = int($2 / 2); most[a, b] = most[b, a] = $3 > most[a, b] ? $3 : most[a, b] } END {
	for (p in most) { split(p, t, SUBSEP); print 2 * t[1], 2 * t[1] + 1, 2 * t[2], 2 * t[2] + 1, most[p] } }' rows | sort >expected
sed -n 's/.*<title>threads \([0-9]*\) to \([0-9]*\) and \([0-9]*\) to \([0-9]*\): each two at most \([0-9]*\) pages.*/\1 \2 \3 \4 \5/p' many.svg | sort >found
[ "$(wc -l <expected)" -gt 10000 ] || fail "pairs of 300 threads: $(wc -l <expected)"
same 'the picture of the matrix of 300 threads' expected found

# A trace that ends anywhere is shown up to there.
for n in 64 100 $(($(wc -c <"$file") / 2)) $(($(wc -c <"$file") - 1)); do
	head -c "$n" "$file" >cut.pages
	for view in objects regions pages history time heat threads sharing nodes producers csv framesoc; do
		ompp pages --view=$view cut.pages >shown 2>said || fail "$view of $n bytes: $? $(cat said)"
		grep -q 'was cut off' said || fail "$view of $n bytes: not said to be cut: $(cat said)"
	done
done

# ---- time ----

rm -f pages.*
./pages phases >times
read -r begin_a end_a begin_b end_b <times
ompp pages --view=history --format=csv pages.*.ompp.pages >history || fail 'history of phases'
start=$(ompp flow --view=events --format=csv --top=1 pages.*.ompp.pages | awk -F, 'NR == 2 { printf "%.9f", $2 / 1e9 - $1 }')
awk -F, -v start="$start" -v a="$begin_a" -v a_end="$end_a" -v b="$begin_b" -v b_end="$end_b" '
	($11 == "a" || $11 == "b") && $12 ~ /PARALLEL/ {
		from = $1 + start; to = $2 + start; n[$11]++
		begin = $11 == "a" ? a : b; end = $11 == "a" ? a_end : b_end
		# an interval ends when the thread next looks at the clock, at an access
		if (to < begin || from > end) { print $0; bad = 1 }
	}
	END { exit bad || n["a"] < 3 || n["b"] < 3 }' history >wrong || fail "times: $(cat times) start $start $(cat wrong)"

# ---- by regions ----

rm -f pages.*
OMPP_PAGES_INTERVAL=region ./pages >found
rows regions pages.*.ompp.pages
alike pages.*.ompp
rows regions pages.*.ompp.pages
fits 'a when it is copied, by regions' '^PARALLEL LOOP pages.c:85,a,64,4,64,0,0,64,0,100.00+,32768,0,'
rows history pages.*.ompp.pages
awk -F, '{ key = $3 " " $1; if (key in region && region[key] != $12) exit 1; region[key] = $12 }' rows ||
	fail "an interval has several regions: $(cat rows)"

# Stays in regions that are short and many are written together.
cat >short.c <<'C'
static volatile int data[1024] __attribute__((aligned(4096)));
int main(void)
{
	for (int i = 0; i < 10000; i++) {
#pragma omp critical(one)
		data[i % 1024]++;
#pragma omp critical(another)
		data[i % 1024]++;
	}
	return 0;
}
C
kinst --access "$CC" -O1 -g -fopenmp -o short short.c
OMPP_PAGES_INTERVAL=region ./short || fail "short: $?"
[ "$(ompp pages --view=history --format=csv short.*.ompp.pages | grep -c ',CRITICAL ')" = 20000 ] ||
	fail "stays: $(ompp pages --view=history --format=csv short.*.ompp.pages | head -n 5)"
n_bytes=$(wc -c <"$(echo short.*.ompp.pages)")
[ "$n_bytes" -lt $((20000 * 100)) ] || fail "20,000 stays take $n_bytes bytes"

# ---- physical addresses ----

rm -f pages.*
OMPP_PAGES_PHYSICAL=1 ./pages physical >found 2>messages
sed 1d found | sort >expected
if [ -s expected ]; then # the kernel tells them to root alone
	ompp pages --csv --object=b pages.*.ompp.pages | grep '^0x' | cut -d, -f1,2 | sort -u >found
	same 'physical addresses' expected found
	sed -n 9p expected >one
	page=$(cut -d, -f1 one)
	ompp pages --csv --object=b --address="$page:$page" pages.*.ompp.pages | grep '^0x' | cut -d, -f1,2 | sort -u >found
	same 'the physical address of one page' one found
	alike pages.*.ompp
	rm -f pages.*
	OMPP_PAGES_PHYSICAL=1 setpriv --bounding-set=-sys_admin ./pages physical >found
	sed 1d found >expected
fi
if [ ! -s expected ]; then
	grep -q 'OMPP_PAGES_PHYSICAL: the kernel tells this user no physical addresses' pages.*.txt || fail 'not told that it may not know'
	ompp pages --csv --object=b pages.*.ompp.pages | grep '^0x' | cut -d, -f2 | sort -u >found
	[ "$(cat found)" = - ] || fail "physical addresses that it may not know: $(head -n 3 found)"
fi
rm -f pages.*
./plain >expected

# ---- other allocators ----

for allocator in libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4; do
	library=$(ls /usr/lib/*/$allocator 2>/dev/null | head -n 1)
	[ "$library" ] || continue
	rm -f pages.*
	LD_PRELOAD=$library ./pages >found || fail "$allocator: exit status $?"
	same "what it prints with $allocator" expected found
	rows objects pages.*.ompp.pages
	fits "a with $allocator" '^a,6[45],4,0,0,6[45],0,6[45],.*,65536,32768,'
	alike pages.*.ompp
done

# ---- what goes wrong ----

rm -f pages.*
./pages killed >found && fail 'it was not killed' || :
rows objects pages.*.ompp.pages
grep -q 'was cut off' said || fail "killed: $(cat said)"
grep -q '^a,64,' rows || fail "killed: $(cat rows)"

rm -f pages.*
./pages forks >found
[ "$(ls pages.*.ompp.pages | wc -l)" = 2 ] || fail "files of a fork: $(ls pages.*)"
for f in pages.*.ompp.pages; do
	rows objects "$f" --object='<c> & "d"'
	awk -F, '{ print $2 "," $11 }' rows
done | sort | tr '\n' ' ' >found
[ "$(cat found)" = '3,3 64,64 ' ] || fail "c in the parent and the child: $(cat found)"
for f in pages.*.ompp; do
	alike "$f"
done

rm -f pages.*
OMPP_PAGES_LIMIT=4096 OMPP_PAGES_INTERVAL=1ms ./pages phases >found
grep -q 'uses of pages are not in the trace' pages.*.txt || fail 'the limit is not told'
[ "$(cat pages.*.ompp.pages | wc -c)" -le 4096 ] || fail 'the limit was not met'
ompp pages --format=csv pages.*.ompp.pages >rows 2>/dev/null && grep -q '^a,64,' rows || fail "up to the limit: $(cat rows)"
section 'pages by object' 1-5,8 in_report pages.*.ompp
grep -q '^b,64,2,0,0,' in_report || fail "the report beyond the limit of the trace: $(cat in_report)"
rm -f pages.*
OMPP_PAGES_INTERVAL=fifty ./pages >found
grep -q 'OMPP_PAGES_INTERVAL: not an interval' pages.*.txt || fail 'a bad interval is not told'
cat >bare.c <<'C'
int main(void)
{
#pragma omp parallel
	;
	return 0;
}
C
kinst "$CC" -O1 -fopenmp -o bare bare.c
OMPP_PAGES=hooks ./bare >found
grep -q 'has no access hooks' bare.*.txt || fail "no hooks: $(ls)"
ompp pages bare.*.ompp >/dev/null 2>messages && fail 'a profile is read as a trace' || :
grep -q 'not a trace' messages || fail "a profile: $(cat messages)"
ompp pages --view=haet x 2>messages && fail 'a view that is none' || :
grep -q 'heat' messages || fail "a misspelt view: $(cat messages)"
ompp pages --view=nodes --svg=none.svg "$0" 2>messages && fail 'a picture of a table' || :
grep -q 'the view nodes is no picture' messages && [ ! -e none.svg ] || fail "no picture: $(cat messages)"
ompp pages --color=red x 2>messages && fail 'a colour' || :
grep -q "'red'" messages || fail "a bad colour: $(cat messages)"
