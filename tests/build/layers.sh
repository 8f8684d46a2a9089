# layers: a lower folder never includes a higher one, no folder is too large, what a header declares is used elsewhere,
# and the text names no machine.
. "$srcdir/tests/lib.sh"
cd "$srcdir"

# A file's rank is that of its folder among the folders of its tree, from below.  Across trees: opari and reports use
# what is below the runtime's data; ompp itself also samples, as it tries what works, and names what a program that was
# ended could not, as the runtime does; the runtime, in sums, data_sums and collect alone, fills a report's profile.
awk '
	BEGIN {
		ranks("runtime", "base=0 host=1 terms=2 counters=3 program=3 data=4 ranges=5 samples=4 span=5 statistics=5 helpers/papi=4 helpers/symbols=4 sources=6 core=7 memory=8 events=9 access=10 session=11 sums=12 data_sums=13 collect=14 interpose=15 emulator=15 adapters=16 mem=15 kokkos=15 caliper=15")
		ranks("reports", "flow=1 profile=1 sensors=1 analysis=2 bounds=3 placing=3 lines=4 findings=4 tables=5 ranks=6 views=7 writers=8 =9 exchange=9 web=9 compare=10 command=10 traces=11 watch=11 roofs=11 pages=12 show=13 tui=14 ompp=15")
		ranks("opari", "base=1 read=2 command=3 data=4 hooks=4 emit=5 opari2=6 source=7 build=8")
	}
	function ranks(tree, list,    i, n, pairs, pair) {
		n = split(list, pairs, " ")
		for (i = 1; i <= n; i++) {
			split(pairs[i], pair, "=")
			rank[pair[1] == "" ? tree : tree "/" pair[1]] = pair[2]
		}
	}
	function folder(path) { sub("/[^/]*$", "", path); return path }
	function tree(path) { sub("/.*", "", path); return path }
	# May a file of the folder `from` include one of another folder of the same tree?  Folders of one rank do not know
	# each other.
	function may(from, to) {
		return (from in rank) && (to in rank) && rank[to] < rank[from]
	}
	function is_library(to) { return to ~ /^runtime\/(base|host|terms|counters|program)$/ }
	/^#include "/ {
		split($0, quoted, "\"")
		to = folder(quoted[2]); from = folder(FILENAME)
		if (quoted[2] !~ /\// || quoted[2] ~ /^env\/[a-z]*\.def$/ || quoted[2] ~ /^(runtime\/ompp(_mem|_sensor)?|reports\/ompp_flow)\.h$/ || to == from)
			next
		if (tree(to) == "tests" || tree(to) == "examples")
			ok = tree(from) == "tests"
		else if (tree(from) == tree(to))
			ok = may(from, to)
		else if (tree(from) == "runtime")
			ok = from ~ /^runtime\/(collect|sums|data_sums)$/ && tree(to) == "reports"
		else if (tree(from) == "reports" || tree(from) == "opari")
			ok = is_library(to) || (from == "reports/ompp" && to == "runtime/samples") ||
				(from == "reports/traces" && quoted[2] == "runtime/data_sums/site_names.h")
		else
			ok = 1
		if (!ok) { print FILENAME ": includes " quoted[2] ", which is a higher layer"; bad = 1 }
	}
	END { exit bad }
' $(find runtime reports opari env -name '*.[ch]') || fail "layers"

# a file's name is that of no other folder's, but for the programs' main and the same parts of both plug-ins
git -C . ls-files runtime reports opari 2>/dev/null | grep -E '\.(c|h|cc)$' | grep -v '^opari/hooks/plugin/' >"$work/files" || :
[ -s "$work/files" ] || find runtime reports opari -name '*.[ch]' ! -path 'opari/hooks/plugin/*' >"$work/files"
awk -F/ '
	{
		name = $NF; sub(/\.[a-z]*$/, "", name); folder = $0; sub(/\/[^\/]*$/, "", folder)
		if (name ~ /^(main|ompp|view)$/)
			next
		if (name in of && of[name] != folder) { print folder "/" name ": stands in " of[name] ", too"; bad = 1 }
		of[name] = folder
	}
	END { exit bad }
' "$work/files" || fail "names of files"

# a folder has at most 45 sources, so that a reader sees what it is about
awk -F/ '
	{ folder = $0; sub(/\/[^\/]*$/, "", folder); n[folder]++ }
	END { for (folder in n) if (n[folder] > 45) { print folder ": " n[folder] " files"; bad = 1 }; exit bad }
' "$work/files" || fail "folders of more than 45 files"

# a function that a header declares is used by another file, or by the header's own inline functions: else it is static,
# or dead
awk '
	function stem(path) { sub(/[.][a-z]*$/, "", path); return path }
	{ line = $0 }
	FILENAME ~ /^(runtime|reports|opari).*[.]h$/ && /^[a-z]/ && !/static/ && match(line, /(ompp|kinst)_[a-z0-9_]+\(/) {
		header[substr(line, RSTART, RLENGTH - 1)] = FILENAME
	}
	{
		while (match(line, /(ompp|kinst)_[A-Za-z0-9_]+/)) {
			name = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			n[name, FILENAME]++
			if (!(name in of))
				of[name] = stem(FILENAME)
			else if (of[name] != stem(FILENAME))
				is_shared[name] = 1
		}
	}
	END {
		for (name in header) {
			looked_at++
			if (!is_shared[name] && n[name, header[name]] < 2) {
				print header[name] ": " name "() is used by no other file"
				bad = 1
			}
		}
		exit bad || looked_at < 1000
	}
' $(find runtime reports opari env tests -type f '(' -name '*.[ch]' -o -name '*.cc' -o -name '*.def' \
	-o -name '*.map' ')') || fail "functions that need no header"

# include paths start at the top of the source
if grep -n '#include "\.\./' $(find runtime reports opari -name '*.[ch]'); then
	fail "relative include"
fi

# the text names no folder of one machine; the pattern does not find itself
if grep -rnE --include='*' '(^|[^[:alnum:]_.$}])/(root|work|home|opt/[a-z]|mnt)/[[:alnum:]]' README HACKING GLOSSARY NEWS \
	configure.ac Makefile.am env examples opari reports runtime tests 2>/dev/null | grep -v 'layers\.sh:'; then
	fail "a path of one machine"
fi

# no file that people write is longer than 700 lines, so that it has one subject: sources, scripts, styles, tables, pages
# of the manual; what make writes is no such file, and neither is what reports are compared with; three programs of tests
# grow by a function for each case
git -C . ls-files env examples opari reports runtime tests 2>/dev/null >"$work/written" || :
[ -s "$work/written" ] || find env examples opari reports runtime tests -type f ! -path reports/web/assets.c \
	! -path reports/web/report.js ! -path reports/web/live.js >"$work/written"
grep -E '[.](c|h|cc|def|js|css|sh|py|awk|mk|in|f90|F90)$' "$work/written" | grep -v \
	-e '^tests/unit/test_breakpoint[.]c$' -e '^tests/access/shapes[.]c$' -e '^tests/corpus/mutate[.]c$' >"$work/sources"
for kind in c h def js css sh py; do
	grep -q "[.]$kind\$" "$work/sources" || fail "no file of the kind $kind was looked at"
done
while read -r file; do
	[ ! -f "$file" ] || wc -l "$file"
done <"$work/sources" | awk '$1 > 700 { print $2 ": " $1 " lines"; bad = 1 } END { exit bad }' || fail "files of more than 700 lines"
