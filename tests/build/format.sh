# format: the C sources are as clang-format writes them by .clang-format (`make format`).  Programs that tests build as users
# do are not among them: their lines are what reports must show.
. "$srcdir/tests/lib.sh"
need clang-format
clang-format --version | grep -q 'version 14\.' || skip "clang-format is not version 14, whose style .clang-format is made for"
cd "$srcdir"
"$MAKE" -s --no-print-directory -C "$builddir" list-formatted | grep "[.]\(c\|h\|cc\)$" >"$work/list"
[ "$(wc -l <"$work/list")" -gt 300 ] || fail "the list of sources: $(head "$work/list")"
xargs clang-format --style=file --dry-run --Werror <"$work/list" >"$work/said" 2>&1 || {
	head -n 20 "$work/said"
	fail "not as .clang-format says (make format): $(sed -n 's/^\([^ :]*\):[0-9]*:.*/\1/p' "$work/said" | sort -u | tr '\n' ' ')"
}

# The check itself must find what differs.
printf 'int  main( void ) {\n    return 0;\n}\n' >"$work/wrong.c"
! clang-format --style="file:$srcdir/.clang-format" --dry-run --Werror "$work/wrong.c" >/dev/null 2>&1 ||
	fail "clang-format finds nothing"
