# intervals: a trace of pages has what each phase of a program reads and writes in intervals of that phase, and nothing
# else there: what valgrind's trace of all addresses of the plain program has, with 2 and with 16 threads.
. "$srcdir/tests/lib.sh"
need "${VALGRIND:=valgrind}"

cp "$srcdir/tests/access/intervals.c" .
export OMPP_QUIET=1 OMPP_OVERWRITE=1 OMPP_PAGES=hooks OMPP_PAGES_INTERVAL=20ms OMP_WAIT_POLICY=passive GOMP_SPINCOUNT=0
"${CC:-gcc}" -w -O1 -fopenmp intervals.c -o plain
kinst --access "${CC:-gcc}" -w -O1 -g -fopenmp intervals.c -o intervals

# judge THREADS: the file `judge` gets a line for each phase, array, page of it, and r or w.
judge() {
	OMP_NUM_THREADS=$1 KERNEL_FD=9 "$VALGRIND" --tool=lackey --trace-mem=yes --fair-sched=yes --log-fd=9 ./plain 9>&1 >plain.out 2>plain.err |
		awk '
		function hex(text,    i, n) {
			for (i = 1; i <= length(text); i++)
				n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
			return n
		}
		$1 == "P" { phase = $2; a = hex(substr($3, 3)) / 4096; b = hex(substr($4, 3)) / 4096; next }
		$1 !~ /^[LSM]$/ || phase == "" || phase < 0 { next }
		{ split($2, f, ","); sub(/^0+/, "", f[1]); key = substr(f[1], 1, length(f[1]) - 3)
		  if (!(key in number)) number[key] = hex(key)
		  page = number[key]
		  name = page >= a && page < a + 128 ? "a " page - a : page >= b && page < b + 128 ? "b " page - b : "" }
		name != "" && $1 != "S" && !seen[phase, name, "r"]++ { print phase, name, "r" }
		name != "" && $1 != "L" && !seen[phase, name, "w"]++ { print phase, name, "w" }' | sort >judge
	[ "$(cut -d' ' -f1 judge | sort -u | tr '\n' ' ')" = '0 1 2 3 ' ] || fail "the judge: $(head -n 3 judge) $(cat plain.err)"
}

# ours THREADS: `ours` gets the same from a trace, for each phase that a use may be of: from where its interval begins to
# the next access of its thread, which is in the next phase.  `first` gets the phase of its beginning alone, where the judge
# has that, and `wrong` the uses that the judge has in none of their phases.
ours() {
	rm -f intervals.*.ompp* of_begin of_any
	: >wrong
	OMP_NUM_THREADS=$1 ./intervals >times || fail "exit status $?"
	file=$(echo intervals.*.ompp.pages)
	start=$(ompp flow --view=events --format=csv --top=1 "$file" | awk -F, 'NR == 2 { printf "%.9f", $2 / 1e9 - $1 }')
	ompp pages --csv "$file" | awk -F, -v start="$start" '
		function hex(text,    i, n) {
			for (i = 3; i <= length(text); i++)
				n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
			return n
		}
		BEGIN {
			while ((getline line <"judge") > 0)
				is[line]
			while ((getline line <"times") > 0) {
				n = split(line, f, " ")
				if (n == 2) { base["a"] = hex(f[1]); base["b"] = hex(f[2]) }
				if (n == 3) { begin[f[1]] = f[2]; end[f[1]] = f[3] }
			}
		}
		/^0x/ && ($NF == "a" || $NF == "b") {
			from = $6 / 1e9 + start; to = $7 / 1e9 + start; name = $NF " " (hex($1) - base[$NF]) / 4096
			for (how = 3; how <= 4; how++) {
				n = found = 0
				for (p = 0; p < 4 && $how; p++)
					if (from <= end[p] && to >= begin[p]) {
						line = p " " name " " (how == 3 ? "r" : "w")
						if (line in is) { found = 1; if (!n) print line >"of_begin" }
						n++
						print line >"of_any"
					}
				if (n && !found) print line >"wrong"
			}
		}'
	sort -u of_begin >first
	sort -u of_any >ours
}

for threads in 2 16; do
	judge $threads
	ours $threads
	comm -23 judge ours >missing
	[ ! -s missing ] || fail "$threads threads: $(wc -l <missing) pages of $(wc -l <judge) are missing in their phases: $(head -n 3 missing)"
	[ ! -s wrong ] || fail "$threads threads: $(wc -l <wrong) pages in phases that do not use them: $(head -n 3 wrong)"
	# a thread that finds the file held by another one goes on with its interval
	[ "$(wc -l <first)" -gt $(($(wc -l <judge) * 3 / 4)) ] ||
		fail "$threads threads: only $(wc -l <first) pages of $(wc -l <judge) are in intervals that begin in their phases"
	echo "$threads threads: $(wc -l <judge) pages of 4 phases, $(wc -l <first) of them in intervals that begin there"
done
