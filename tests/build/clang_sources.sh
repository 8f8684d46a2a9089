# clang_sources: clang compiles each source that make builds, a third of them each time, with the build's own flags, and warnings are errors: those of
# the parser and of the analyser of flow, what its code generator refuses, and what its assembler says.  It has no other
# ones without optimisation, which takes half of the time.  What clang links, and whether that runs, env/check's suite
# clang sees.
. "$srcdir/tests/lib.sh"
need clang
cd "$builddir"

# The commands are those that make would run by clang if each source had changed.
top=$("$MAKE" -s --no-print-directory list-tests LIST='$(srcdir)' | tail -n 1)
find "$top/opari" "$top/reports" "$top/runtime" -name '*.c' >"$work/sources"
"$MAKE" -n V=1 CC=clang $(sed 's/^/-W /' "$work/sources") all-am >"$work/made" 2>&1 || fail "make -n: $(tail -n 3 "$work/made")"
sed -e ':line' -e '/\\$/{N;s/\\\n//;b line' -e '}' "$work/made" | sed -n '
	s/^\(.*--mode=compile \|.*`;\)\{0,1\}\(clang .*\) -MT .* -c -o [^ ]* \(.*\)$/\2 -Werror -O0 -g0 -c -o \/dev\/null \3/
	t compile
	b
	:compile
	s/ &&.*//
	s/$/ || failed=1/p' | sort -u >"$work/commands"
# All but what --enable-debug has (check.c, *_check.c), what is built with shared libraries alone, and helpers for libraries
# that are not here.
sed "s|^$top/||" "$work/sources" | grep -v -e '[_/]check\.c$' -e '^runtime/emulator/' -e '^runtime/kokkos/' -e '^runtime/helpers/' |
	sort >"$work/wanted"
sed -n 's#.*\(\(opari\|reports\|runtime\)/[^ ]*\.c\) .*#\1#p' "$work/commands" | sort -u >"$work/compiled"
comm -23 "$work/wanted" "$work/compiled" >"$work/missing"
[ -s "$work/wanted" ] && [ ! -s "$work/missing" ] || fail "make does not compile $(tr '\n' ' ' <"$work/missing")"
while read -r command; do
	! in_part 3 || printf '%s\n' "$command"
done <"$work/commands" >"$work/part"
failed=
. "$work/part" >"$work/said" 2>&1
[ ! "$failed" ] || { head -n 40 "$work/said"; fail "clang does not compile all sources without a warning"; }
