# probes: configure looks for nothing that nothing uses.  What it looks for is read from configure.ac.
. "$srcdir/tests/lib.sh"
cd "$srcdir"

# is_named WORD: a source, a test or a list of files, other than this one, has the word.
is_named() {
	grep -rqwF --exclude=probes.sh --exclude-dir='build*' -- "$1" opari reports runtime tests env Makefile.am
}

# Compilers and other programs: a test or a program runs one of the names, whatever the machine they are for.
sed -n 's/\${ompp_prefix}//; s/^AC_CHECK_PROGS\{0,1\}(\[[A-Z0-9]*\], \[\([^]]*\)\].*/\1/p' configure.ac >"$work/programs"
while read -r names; do
	found=
	for name in $names; do
		! is_named "$name" || found=yes
	done
	[ "$found" ] || fail "configure looks for $names, which nothing runs"
done <"$work/programs"

# Headers: a source includes them.  Functions of libraries: a source calls them.
sed -n 's/^AC_CHECK_HEADER(\[\([^]]*\)\].*/\1/p' configure.ac >"$work/headers"
while read -r header; do
	grep -rqF --include='*.[ch]' "#include <$header>" opari reports runtime ||
		fail "configure looks for $header, which no source includes"
done <"$work/headers"
sed -n 's/^AC_CHECK_LIB(\[[^]]*\], \[\([^]]*\)\].*/\1/p' configure.ac >"$work/functions"
while read -r function; do
	is_named "$function" || fail "configure looks for $function(), which no source calls"
done <"$work/functions"

# What configure hands on: a list of files asks each conditional and reads each variable.  A variable completiondir is read
# by automake, where a list is named completion_DATA.
sed -n 's/^AM_CONDITIONAL(\[\([^]]*\)\].*/\1/p; s/^AC_SUBST(\[\([^]]*\)\].*/\1/p' configure.ac >"$work/names"
while read -r name; do
	is_named "$name" || grep -rqF --include='*.mk' "_${name%dir}_DATA" env || fail "configure sets $name, which no Makefile reads"
done <"$work/names"
for list in programs headers functions names; do
	[ -s "$work/$list" ] || fail "no $list are found in configure.ac"
done
