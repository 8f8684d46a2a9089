# colors: pages and pictures have the colours of color.def alone, each with one meaning, and what they use is there
. "$srcdir/tests/lib.sh"
def=$srcdir/reports/web/color.def

# A literal is #rgb to #rrggbbaa, or rgb() or hsl() of numbers; a hue that is computed for one of many is none.
literals() {
	grep -nE '#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})($|[^0-9a-zA-Z_-])|(rgb|hsl)a?\([0-9]|(fill|stroke)=\\?"(black|white|gr[ae]y|red|green|blue)' "$@"
}
printf '%s\n' 'a { color: #fff; }' 'rgba(1, 2, 3)' 'fill=\"black\"' >wrong.css
printf '%s\n' '#tip { color: var(--ink); }' 'fill=\"%s\"' 'fill=\"none\"' 'the #summary' >right.css
[ "$(literals wrong.css | wc -l)" = 3 ] && ! literals right.css || fail 'the search for colours itself'
find "$srcdir/reports" -name '*.css' -o -name '*.js' -o -name '*.[ch]' >files
[ "$(wc -l <files)" -gt 100 ] || fail 'no sources'
! literals $(cat files) >found || fail "colours beside color.def: $(cat found)"

# one meaning each, in the light and in the dark
sed -n 's/^OMPP_COLOR(\([a-z]*\), "\(.*\)", "\(.*\)")$/\1 \2 \3/p; s/^OMPP_COLOR_OF_ONE(\([0-9]*\), "\(.*\)")$/one-\1 \2 \2/p' "$def" >colors
[ "$(wc -l <colors)" -eq "$(grep -c '^OMPP_COLOR' "$def")" ] || fail 'a line of color.def is of another form'
for column in 1 2 3; do
	[ -z "$(cut -d' ' -f$column colors | sort | uniq -d)" ] || fail "twice: $(cut -d' ' -f$column colors | sort | uniq -d)"
done

# what styles and scripts name is in color.css, which has all of them, or is a size
sed -n 's/^\t--\([a-z0-9-]*\): .*/\1/p' "$builddir/reports/web/color.css" | sort -u >have
cut -d' ' -f1 colors | sort | cmp -s - have || fail "color.css: $(cut -d' ' -f1 colors | sort | diff - have)"
grep -ohE 'var\(--[a-z0-9-]+' $(grep -E '[.](css|js)$' files) | sed 's/.*--//' | sort -u >use
[ "$(wc -l <use)" -gt 10 ] || fail 'no colours are used'
[ "$(comm -23 use have | grep -vx light)" = "" ] || fail "no such colour: $(comm -23 use have)"

# whoever builds it, also where [a-z] has not all of those letters
mkdir locales
if localedef -i tr_TR -f UTF-8 locales/tr_TR.UTF-8 >/dev/null 2>&1; then
	env -u MAKEFLAGS -u MFLAGS make -n -s -C "$builddir" srcdir="$srcdir" -W "$srcdir/reports/web/color.def" \
		reports/web/color.css >recipe || fail 'the rule of color.css'
	LOCPATH=$work/locales LC_ALL=tr_TR.UTF-8 sh recipe >said 2>&1 || fail "color.css in a Turkish locale: $(cat said)"
	same 'color.css of a Turkish locale' "$builddir/reports/web/color.css" reports/web/color.css
fi
