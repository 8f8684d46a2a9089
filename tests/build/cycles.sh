# cycles: no two files of a folder need each other's symbols, directly or through others, so that each can be read and
# changed with those below it alone.
. "$srcdir/tests/lib.sh"
cd "$builddir"

# Exceptions, a line each: in FOLDER, FILE needs OTHER, although that one needs FILE, too.
cat >"$work/allowed" <<'END'
END

# Objects without a source are left from earlier builds.
find runtime reports opari -name '*.o' >"$work/objects"
nm -A -P $(cat "$work/objects") 2>/dev/null | awk -v srcdir="$srcdir" -v allowed="$work/allowed" '
	function reach(from, to,    n, i, next_files) {
		if (seen[from]++)
			return 0
		n = split(all_needs[from], next_files, " ")
		for (i = 1; i <= n; i++)
			if (!((from, next_files[i]) in cut) && (next_files[i] == to || reach(next_files[i], to)))
				return 1
		return 0
	}
	function is_cycle(from, to) {
		delete seen
		return reach(to, from)
	}
	{
		path = $1
		sub(/:$/, "", path); sub(/\.libs\//, "", path); sub(/\.o$/, "", path); sub(/\[.*$/, "", path)
		folder = path; sub(/\/[^\/]*$/, "", folder)
		file = substr(path, length(folder) + 2); sub(/^.*_la-/, "", file); sub(/^ompp_[a-z]*-/, "", file)
		source = srcdir "/" folder "/" file ".c"
		if (!(source in exists)) { exists[source] = (getline line < source) > 0; close(source) }
		if (!exists[source])
			next
		name = folder "/" file
		folder_of[name] = folder
		if ($3 ~ /^[Uwv]$/)
			wants[name, $2] = 1
		else if ($3 ~ /^[A-Z]$/)
			owner[folder, $2] = name
	}
	END {
		for (pair in wants) {
			split(pair, w, SUBSEP)
			of = owner[folder_of[w[1]], w[2]]
			if (of == "" || of == w[1])
				continue
			if (!((w[1], of) in why))
				all_needs[w[1]] = all_needs[w[1]] " " of
			why[w[1], of] = why[w[1], of] " " w[2]
		}
		n_files = n_needs = 0
		for (name in folder_of) n_files++
		for (pair in why) n_needs++
		print n_files " files, " n_needs " needs"
		if (n_files < 100 || n_needs < 100) { print "the objects were not read"; exit 1 }
		while ((getline line < allowed) > 0) {
			split(line, a, " ")
			from = a[1] "/" a[2]; to = a[1] "/" a[3]
			if (!((from, to) in why) || !is_cycle(from, to)) { print "no longer a cycle: " line; bad = 1 }
			cut_later[from, to] = 1
		}
		for (pair in cut_later) cut[pair] = 1
		for (pair in why) {
			split(pair, w, SUBSEP)
			if (!(pair in cut) && is_cycle(w[1], w[2])) {
				print w[1] " needs" why[pair] " of " w[2] ", which needs it, too"
				bad = 1
			}
		}
		exit bad
	}
' >"$work/cycles" || fail "$(cat "$work/cycles")"
cat "$work/cycles"
