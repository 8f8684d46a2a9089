# page_sizes: a trace of pages says which are parts of huge pages, as smaps has it, and `-` for memory that is gone.
. "$srcdir/tests/lib.sh"

export OMPP_OVERWRITE=1 OMPP_QUIET=1 OMPP_PAGES=hooks OMPP_PAGES_INTERVAL=86400s
cp "$srcdir/tests/runtime/page_sizes.c" .
kinst --access "$CC" -O1 -g -fopenmp -o sizes page_sizes.c
./sizes >huge || fail "exit status $?"

# sizes OBJECT: "pages bytes" for each size of its pages, in each of the views that have it.
sizes() {
	ompp pages --view=pages --format=csv --object="$1" sizes*.ompp.pages |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "page bytes") at = i; next } { n[$at]++ }
			END { for (size in n) print n[size], size }'
	ompp pages --csv --object="$1" sizes*.ompp.pages | cut -d, -f9 | grep -v PageSize | sort | uniq -c | awk '{ print $1, $2 }'
	ompp pages --view=history --format=csv --object="$1" sizes*.ompp.pages |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "page bytes") at = i; if ($i == "pages") many = i }; next }
			{ n[$at] += $many } END { for (size in n) print n[size], size }'
}

# thrice LINE: the same from each view.
thrice() {
	printf '%s\n%s\n%s\n' "$1" "$1" "$1"
}

sizes small >found
if [ "$(sort -u found)" = '512 -' ]; then # Linux 6.7 can tell
	major=$(uname -r | cut -d. -f1) minor=$(uname -r | cut -d. -f2)
	[ "$major" -lt 6 ] || [ "$major" = 6 ] && [ "$minor" -lt 7 ] || fail "no sizes: $(uname -r)"
	skip "the kernel does not tell the sizes of pages"
fi
thrice '512 4096' >expected
same 'pages that are not huge' expected found
[ "$(cat huge)" = 2048 ] && thrice '512 2097152' >expected || thrice '512 4096' >expected
sizes huge >found
same "pages of which $(cat huge) KiB are huge" expected found
thrice '511 -' >expected
sizes given >found
same 'pages that were given back' expected found
