# differences: compares the bytes that the plain build accesses (valgrind's trace) with the bytes that the hooks of the
# --access build count.  Where they differ, the table DIFFERENCES says by how much, and which pass of the compiler makes it.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/access/kernels.sh"

table=$srcdir/tests/access/DIFFERENCES
fits_compilers "$table"

frame
lackey_reader
combinations all >todo
: >found
while read -r source compiler level; do
	name=${source%.*}.$(basename "$compiler")$level
	"$compiler" -w $level -fopenmp "$kernels/$source" kernel.o -lm -o "$name.plain" || fail "$name"
	traced "$name.plain"
	build "$name" "$source" "$compiler" --access
	told "$name"
	reported "$name" >"$name.counts"
	while read -r array _ _ _ bytes loaded stored; do
		counted=$(awk -v name="$array" '$1 == name { print $5 }' "$name.counts")
		[ "$counted" = $((bytes + loaded + stored)) ] ||
			echo "${source%.*} $array $(basename "$compiler") $level $((bytes + loaded + stored)) ${counted:--}" \
				>>found
	done <"$name.plain.trace"
done <todo
# The rows of the combinations that were looked at.
sed -n '/^kernel/,$p' "$table" | awk '
	FILENAME == "todo" { sub("[.][^.]*$", "", $1); sub(".*/", "", $2); there[$1, $2, $3] = 1; next }
	$5 ~ /^[0-9]+$/ && ($1, $3, $4) in there { print $1, $2, $3, $4, $5, $6 }' todo - >listed
LC_ALL=C sort found >found.sorted
LC_ALL=C sort listed | diff - found.sorted >changed || { cat changed; fail "differences that DIFFERENCES does not list as they are"; }
