# libgomp: one test of libgomp's as a line of compare.sh's list, or nothing when it is not to be run here.
# Variables: source, below the folder top; language (C, C++, Fortran); compiler; cpu, the processor's flags.

# Does a selector, "{ target … }" or nothing, choose this machine and language?
function chosen(selector) {
	if (selector !~ /target/)
		return 1
	sub(/.*target/, "", selector)
	if (selector ~ /run_expensive_tests/)
		return selector ~ /!/
	if (selector ~ /offload_|skip-all|nvptx|ia32|alpha|!/)
		return 0
	if (selector ~ /avx_runtime/)
		return cpu ~ / avx /
	if (selector ~ /[^a-z]c\+\+/)
		return language == "C++"
	if (selector ~ /[^a-z]c[^a-z+]/)
		return language == "C"
	return 1
}

function quoted(text,    part) {
	return split(text, part, "\"") > 2 ? part[2] : ""
}

function after(text, word,    at) {
	at = match(text, "[{] *" word)
	return at ? substr(text, at + RLENGTH) : ""
}

BEGIN { options = language == "Fortran" ? "-O1" : "-O2" }

/dg-(error|shouldfail|excess-errors|bogus)/ { skip = 1 }
/dg-do/ {
	rest = after($0, "dg-do")
	if (rest !~ /^ *"?run/ || !chosen(rest))
		skip = 1
}
/dg-require-effective-target/ && /offload|avx_runtime/ { skip = skip || /offload/ || cpu !~ / avx / }
/dg-options/ {
	rest = after($0, "dg-options")
	if (chosen(rest))
		options = quoted(rest)
}
/dg-additional-options/ {
	rest = after($0, "dg-additional-options")
	if (chosen(rest))
		more = more " " quoted(rest)
}
/dg-set-target-env-var/ {
	split(after($0, "dg-set-target-env-var"), word, /[ "]+/)
	environment = environment " " word[2] "=" quoted($0)
}
/dg-additional-sources/ {
	rest = after($0, "dg-additional-sources")
	sub(/[}].*/, "", rest)
	gsub(/"/, "", rest)
	n = split(rest, word, " ")
	folder = top "/" source
	sub(/[^\/]*$/, "", folder)
	for (i = 1; i <= n; i++)
		sources = sources " " folder word[i]
}
END {
	if (skip)
		exit
	flags = options more
	gsub(/-f(dump-[^ ]*|offload=[^ ]*)/, "", flags)
	printf "%s\t%s\t-fopenmp %s -w -I%s/.. -I%s/../../include\t%s\t%s\n", source, compiler, flags, top, top, environment,
		top "/" source sources
}
