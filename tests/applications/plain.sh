#!/bin/sh
# plain: a compiler, for the plain side of application.sh.  Its name is plain- and the compiler's.  With KINST_PLACES, a
# folder, in the environment, it keeps there the places of the OpenMP constructs of what it compiles, as "file:line".  Of
# C and C++ they are what gcc goes on with, by the awk program KINST_CONSTRUCTS.  Of Fortran, where gcc gives other lines
# to some, and where there are neither templates nor macros, they are the directives of the preprocessed text.
compiler=${0##*/plain-}
case " $* " in
*' conftest.'*) exec "$compiler" "$@" ;;
*' -c '*) [ -n "${KINST_PLACES-}" ] || exec "$compiler" "$@" ;;
*) exec "$compiler" "$@" ;;
esac
file=$(mktemp "$KINST_PLACES/XXXXXX")
trap 'rm -f "$file.dump" "$file.text"' EXIT
if [ "$compiler" = gfortran ]; then
	"$compiler" "$@" || exit
else
	"$compiler" "$@" -fdump-tree-gimple-lineno="$file.dump" || exit
	[ -s "$file.dump" ] || exit 0
fi

# The same words without the ones that name files to write.
n=$# skipped=
while [ $n -gt 0 ]; do
	word=$1
	shift
	n=$((n - 1))
	if [ -n "$skipped" ]; then
		skipped=
		continue
	fi
	case $word in
	-o | -MF | -MT | -MQ) skipped=yes ;;
	-MD | -MMD | -MP | -c) ;;
	*) set -- "$@" "$word" ;;
	esac
done
[ "$compiler" != gfortran ] || set -- "$@" -cpp
"$compiler" "$@" -E >"$file.text" 2>/dev/null || exit

if [ "$compiler" = gfortran ]; then
	awk '
		/^# [0-9]+ "/ { line = $2 - 1; split($0, part, "\""); base = part[2]; sub(/.*\//, "", base); next }
		{ line++; text = tolower($0) }
		text !~ /^[ \t]*[!c*][$]omp/ { next }
		{
			first = !more && text !~ /^[ \t]*[!c*][$]omp[ \t]*&/ && text !~ /^[!c*][$]omp[^ \t0]/
			more = text ~ /&[ \t]*$/
			sub(/^[ \t]*[!c*][$]omp[ \t]*/, "", text)
			if (first && text !~ /^(end|section[ \t]*$|simd|declare|threadprivate|requires|scan)/)
				print base ":" line
		}' "$file.text" >"$file" || exit
else
	awk -v text="$file.text" -f "$KINST_CONSTRUCTS" "$file.dump" >"$file" || exit
fi
