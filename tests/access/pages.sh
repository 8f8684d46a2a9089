# pages: a trace of pages (OMPP_PAGES) has all pages that valgrind's trace of all addresses of the same run has, read and
# written, of each array, and no others; its counts are those of the report.
# PART=1/3 takes the first third of the kernels and walks (tests/slices).
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/access/kernels.sh"

# pages_of NAME: the file NAME.ours gets a line for each page of each array that was loaded (r) or stored to (w), from the
# trace of pages; NAME.sums the sums of accesses of each array.
pages_of() {
	set -- "$1" "$(ls "$1"*.ompp.pages)"
	ompp pages --csv "$2" >"$1.uses" || fail "$1: ompp pages"
	awk -F, '/^0x/ { n = split($0, f, ","); n = split(f[n], names, " [+] ")
		for (i = 1; i <= n; i++) { if ($3) print names[i], $1, "r"; if ($4) print names[i], $1, "w" } }' "$1.uses" |
		sort -u >"$1.ours"
	awk -F, '/^0x/ { n = split($0, f, ","); n = split(f[n], names, " [+] ")
		for (i = 1; i <= n; i++) { loads[names[i]] += $3; stores[names[i]] += $4 } }
		END { for (name in loads) print name, loads[name], stores[name] }' "$1.uses" | sort >"$1.sums"
}

# check NAME: compares the pages of each array, and the accesses with those of the report where none lies in two pages.
check() {
	pages_of "$1"
	cut -d' ' -f1 "$1.trace" | sort >"$1.arrays"
	awk 'NR == FNR { is[$1]; next } $1 in is' "$1.arrays" "$1.ours" | sort >"$1.of_arrays"
	grep ' [rw]$' "$1.pages" | sort >"$1.program"
	tr RW rw <"$1.pages" | sort -u >"$1.all"
	comm -13 "$1.of_arrays" "$1.program" >"$1.missing"
	comm -23 "$1.of_arrays" "$1.all" >"$1.beyond"
	[ ! -s "$1.missing" ] || fail "$1: $(wc -l <"$1.missing") pages of the program are missing: $(head -n 3 "$1.missing")"
	[ ! -s "$1.beyond" ] || fail "$1: $(wc -l <"$1.beyond") pages that nobody used: $(head -n 3 "$1.beyond")"
	n_pages=$((n_pages + $(wc -l <"$1.program")))
}

# same_sums NAME: the accesses by page are those of the report; atomic updates are a load and a store.
same_sums() {
	awk 'NR == FNR { sums[$1] = $2 " " $3; next }
		{ want = $2 + $4 " " $3 + $4; if (want != "0 0" && sums[$1] != want) { print $1 ": " sums[$1] ", and the report has " want; exit 1 } }' \
		"$1.sums" "$1.counts" >"$1.wrong" || fail "$1: $(cat "$1.wrong")"
}

# kernel NAME SOURCE COMPILER: one of tests/access/kernels.
kernel() {
	build "$1" "$2" "$3" --access
	traced "$1"
	check "$1"
	reported "$1" | sort >"$1.counts"
	[ "$1" = copies ] || [ "$1" = strings ] || same_sums "$1" # blocks count on each of their pages
	# the same accesses whatever else is measured, and however the loops are counted
	rm -f "$1"*.ompp.pages
	cp "$1.sums" "$1.alone"
	OMPP_CACHE=1 OMPP_SHARING=1 told "$1"
	pages_of "$1"
	same "$1: accesses with a cache model" "$1.alone" "$1.sums"
	rm -f "$1"*.ompp.pages
}

# walks THREADS: ways to walk through memory (pages.c).
walks() {
	kinst --access "${CC:-gcc}" -w $level -g -fopenmp -I"$srcdir/tests/access" "$srcdir/tests/access/pages.c" kernel.o \
		-o walks || fail 'pages.c'
	OMP_NUM_THREADS=$1 traced walks
	check walks
	reported walks | grep -v '^unaligned ' | sort >walks.counts # whose accesses lie in two pages
	same_sums walks
	for used in pixels:50 from:100 to:100; do
		awk -F, -v name="${used%:*}" -v percent="${used#*:}" '
			/^##BEG pages by object/ { getline; for (i = 1; i <= NF; i++) column[$i] = i; inside = 1 }
			/^##END/ { inside = 0 }
			inside && $1 == name { found = $column["used %"] }
			END { if (found != percent) { print found; exit 1 } }' walks.csv ||
			fail "${used%:*}: not ${used#*:} % of its lines are used"
	done
	rm -f walks*.ompp.pages
}

frame
lackey_reader
{
	every_combination
	for level in -O0 -O2; do
		for threads in 1 2 16; do
			echo "walks $threads $level"
		done
	done
} | of_part >todo
n_pages=0
export OMPP_PAGES=auto OMPP_OVERWRITE=1 OMPP_PAGES_INTERVAL=5ms
while read -r source what level; do
	case $source in
	walks) walks "$what" ;;
	*) kernel "${source%.*}" "$source" "$what" ;;
	esac
done <todo
echo "$n_pages pages, read or written: all of them in the traces, and no others"
