# layers: a lower folder never includes a higher one, and the text names no machine.
. "$srcdir/tests/lib.sh"
cd "$srcdir"

# A file's rank is that of its folder among the folders of its tree, from below.  Across trees: opari uses the runtime's
# libraries of base, counters and program; reports use these too, and ompp itself also samples, as it tries what works, reads sensors,
# and names what a program that was ended could not, as the runtime does;
# the runtime, in collect alone, fills a report's profile.  The helpers (papi, symbols) are programs of their own, above base, counters and program.
awk '
	BEGIN {
		ranks("runtime", "base=0 counters=1 program=1 data=2 samples=2 sensors=2 sources=3 core=4 collect=5 adapters=6 mem=6 papi=2 symbols=2")
		ranks("reports", "flow=1 profile=1 analysis=2 findings=3 views=4 writers=5 =6 exchange=6 web=6 compare=7 command=7 traces=8 watch=8 pages=9 show=10 tui=11 ompp=12")
		ranks("opari", "base=1 read=2 command=3 data=4 hooks=4 emit=5 opari2=6 build=7")
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
	function is_library(to) { return to ~ /^runtime\/(base|counters|program)$/ }
	/^#include "/ {
		split($0, quoted, "\"")
		to = folder(quoted[2]); from = folder(FILENAME)
		if (quoted[2] !~ /\// || quoted[2] ~ /\.def$/ || quoted[2] ~ /^(runtime\/ompp(_mem|_sensor)?|reports\/ompp_flow)\.h$/ || to == from)
			next
		if (tree(to) == "tests" || tree(to) == "examples")
			ok = tree(from) == "tests"
		else if (tree(from) == tree(to))
			ok = may(from, to)
		else if (tree(from) == "runtime")
			ok = from == "runtime/collect" && tree(to) == "reports"
		else if (tree(from) == "reports" || tree(from) == "opari")
			ok = is_library(to) || (from == "reports/ompp" && to ~ /^runtime\/(samples|sensors)$/) ||
				(from == "reports/watch" && to == "runtime/sensors") || (from == "reports/traces" && quoted[2] == "runtime/collect/site_names.h")
		else
			ok = 1
		if (!ok) { print FILENAME ": includes " quoted[2] ", which is a higher layer"; bad = 1 }
	}
	END { exit bad }
' $(find runtime reports opari env -name '*.[ch]') || fail "layers"

# include paths start at the top of the source
if grep -n '#include "\.\./' $(find runtime reports opari -name '*.[ch]'); then
	fail "relative include"
fi

# the text names no folder of one machine; the pattern does not find itself
if grep -rnE --include='*' '(^|[^[:alnum:]_.$}])/(root|work|home|opt/[a-z]|mnt)/[[:alnum:]]' README HACKING GLOSSARY NEWS \
	configure.ac Makefile.am env examples opari reports runtime tests 2>/dev/null | grep -v 'layers\.sh:'; then
	fail "a path of one machine"
fi
