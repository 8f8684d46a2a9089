# constructs: the places of the executable OpenMP constructs that gcc has found in a program, as "file:line" with
# file the base name.  Reads a dump of -fdump-tree-gimple-lineno, which says what the compiler goes on with:
# constructs out of macros, headers and attributes are there, text in strings is not, nor what is never instantiated
# or called.
# A directive has the line on which its text begins.  gcc names that one, or the statement below, in Fortran the
# last of several lines, of sections in C++ the closing brace: so the nearest directive above is taken.  simd loops
# and parts (section, scan, ordered simd) are no regions; flush is a plain function.  Variables: text, the
# preprocessed source of C and C++, "" in Fortran; folder, where included files are.

# The lines with directives of a preprocessed text: those of a macro are where it is used.
function load_preprocessed(path,    line, file, s, part) {
	while ((getline s <path) > 0) {
		if (s ~ /^# [0-9]+ "/) {
			split(s, part, "\"")
			file = part[2]
			line = substr(s, 3) + 0
			continue
		}
		if (tolower(s) ~ /^[ \t]*#[ \t]*pragma[ \t]+omp|\[\[.*omp/)
			begins[file, line] = s
		line++
	}
	close(path)
}

# The same of a Fortran source, continued lines and what is no region aside.
function load_fortran(path,    name, line, s, more) {
	name = (getline s <path) < 0 ? folder "/" path : path
	close(path)
	while ((getline s <name) > 0) {
		line++
		s = tolower(s)
		if (s !~ /^[ \t]*[!c*][$]omp/ || s ~ /[$]omp[ \t]*(end|scan|simd|section([ \t]|$))/)
			continue
		if (!more && s !~ /^[ \t]*[!c*][$]omp[ \t]*&/ && s !~ /^[c!*][$]omp[^ \t0]/)
			begins[path, line] = s
		more = s ~ /&[ \t]*(!.*)?$/
	}
	close(name)
	loaded[path] = 1
}

# The line of the nearest directive with this word.
function directive(path, line, word,    at) {
	if (!text && !(path in loaded))
		load_fortran(path)
	for (at = line; at > 0 && at > line - 1000; at--)
		if ((path, at) in begins && index(begins[path, at], word))
			return at
	return line
}

BEGIN {
	statement = "\\[[^][]*:[0-9]+:[0-9]+( discrim [0-9]+)?\\] " \
		"(#pragma omp |__builtin_GOMP_|__sync_synchronize|__atomic_thread_fence)"
	if (text)
		load_preprocessed(text)
}

{
	if (!match($0, statement))
		next
	place = substr($0, RSTART + 1, RLENGTH)
	what = substr($0, RSTART + RLENGTH)
	kind = substr(place, match(place, /(#pragma|__builtin|__sync|__atomic)/))
	sub(/\] .*/, "", place)
	split(place, part, ":")
	if (kind ~ /^#pragma/ && what ~ /^(simd|scan|ordered simd|section$|section[^s]|sections_switch|atomic_store)/)
		next
	if (kind ~ /^__builtin/ && what !~ /^(barrier|taskwait|taskyield|cancel)/)
		next
	line = directive(part[1], part[2] + 0, what ~ /^sections/ ? "sections" : "")
	if (kind ~ /^__(sync|atomic)/ && begins[part[1], line] !~ /omp[ \t]+flush/)
		next
	base = part[1]
	sub(/.*\//, "", base)
	if (!seen[base ":" line]++)
		print base ":" line
}
