# layers: a lower folder never includes a higher one, and the text names no machine.
. "$srcdir/tests/lib.sh"
cd "$srcdir"

# level of a file: the layers of the runtime from below; reports may use base and the CTC parser alone
awk '
	function level(path) {
		if (path ~ /^runtime\/base\//) return 0
		if (path ~ /^runtime\/data\//) return 1
		if (path ~ /^runtime\/sources\//) return 2
		if (path ~ /^runtime\/core\//) return 3
		if (path ~ /^runtime\/collect\//) return 5
		if (path ~ /^runtime\/adapters\//) return 6
		return -1
	}
	function room(path,    i, n, rooms) {
		n = split("base read command data hooks emit opari2 build", rooms, " ")
		for (i = 1; i <= n; i++)
			if (index(path, "opari/" rooms[i] "/") == 1) return i
		return 0
	}
	/^#include "/ {
		split($0, q, "\"")
		to = q[2]; from = FILENAME; ok = 1
		if (from ~ /^runtime\// && to ~ /^runtime\//) {
			if (level(to) > level(from) && level(from) >= 0 && to != "runtime/ompp.h") ok = 0
		} else if (from ~ /^runtime\// && to ~ /^reports\//) {
			ok = from ~ /^runtime\/collect\//
		} else if (from ~ /^reports\// && to ~ /^runtime\//) {
			ok = to ~ /^runtime\/base\// || to == "runtime/core/ctc.h"
		} else if (from ~ /^opari\// && to ~ /^(runtime|reports)\//) {
			ok = to ~ /^runtime\/base\//
		} else if (from ~ /^opari\// && to ~ /^opari\//) {
			ok = room(from) && room(to) && room(to) <= room(from)
		} else if (to ~ /^(tests|examples)\//) {
			ok = from ~ /^tests\//
		}
		if (!ok) { print from ": includes " to ", which is a higher layer"; bad = 1 }
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
