# hooks: for the kernels of tests/access/kernels, emulation of the plain build counts the same of each object as the hooks
# of kinst do, or the difference has a reason: the same bytes in other widths (vectors); what libraries do; registers that are
# kept on the stack; or a row of DIFFERENCES.  Each second kernel once, compilers and levels in turn (hooks_all.sh: all of
# them, in slices).
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/emulation.sh"
. "$srcdir/tests/access/kernels.sh"

table=$srcdir/tests/interpose/DIFFERENCES
fits_compilers "$table"

# counts NAME COMMAND…: runs it; NAME.json gets its profile.
counts() {
	name=$1
	shift
	rm -f ./*.ompp
	OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0 OMPP_OBJECTS=all OMPP_OBJECT_MIN=1 \
		"$@" >"$name.out" 2>"$name.err" || fail "$what: $*: $(cat "$name.err")"
	ompp report --format=json ./*.ompp >"$name.json" || fail "$what: no profile"
}

frame
nm kernel.o | awk '$2 ~ /[bBdD]/ { sub(/[.][0-9]+$/, "", $3); print $3 }' >frame
combinations ${ALL:+all} | awk -v all="${ALL:-}" 'all || NR % 2' >todo
while read -r source compiler level; do
	what="$source, $compiler $level"
	compiler_name=$(basename "$compiler")
	sed '/pomp.*inst data/Id' "$kernels/$source" >"$source" # the plain build cannot know these names
	"$compiler" -w "$level" -g -fopenmp -I"$kernels" "$source" kernel.o -lm -o plain || fail "$what"
	kinst --access=hooks "$compiler" -w "$level" -g -fopenmp -I"$kernels" "$source" kernel.o -lm -o hooked \
		2>hooked.err || fail "$what: $(cat hooked.err)"
	counts plain ompp run --emulate ./plain
	counts hooked ./hooked
	grep '^sum' plain.out >plain.sum
	grep '^sum' hooked.out >hooked.sum
	[ "${source%.*}" = histogram ] || same "$what: result" plain.sum hooked.sum # its threads add in any order
	$emulate_py hooks plain.json hooked.json frame "$table" "${source%.*}" "$compiler_name" \
		"$level" >said || { grep '^unexplained' said; fail "$what: counts by emulation and by hooks differ"; }
	cat said >>all
done <todo
cut -d'|' -f1 all | LC_ALL=C sort | uniq -c
[ "$(grep -c '^same' all)" -ge "$(wc -l <todo)" ] || fail "hardly anything was compared"
