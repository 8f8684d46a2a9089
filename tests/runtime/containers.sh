# containers: what std::vector, std::span and others hold is counted under their names wherever it moves
. "$srcdir/tests/lib.sh"
[ -n "$GXX" ] || skip "no C++ compiler"

export OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_REPORTFILE=report.csv OMPP_QUIET=1

check() {
	how="$*"
	kinst "$@" -w -fopenmp -I"$builddir/include" "$srcdir/tests/runtime/containers.cpp" -o containers >said 2>&1 ||
		{ cat said; fail "$how: does not build"; }
	[ ! -s said ] || { cat said; fail "$how: the build says something"; }
	count
}

# count [ARGUMENT]: what the program says of its stores, and what the report shows
count() {
	./containers "$@" >expected || fail "$how: ends with $?"
	awk -F, '
		/^##BEG data objects$/ { inside = 1; getline; for (i = 1; i <= NF; i++) col[$i] = i; next }
		/^##END/ { inside = 0 }
		inside { print $1, $col["stores"] }' report.csv >counted
	while read -r name stores; do
		grep -qxF "$name $stores" counted || fail "$how $*: $name: not $stores stores, but $(grep -F "$name " counted)"
	done <expected
	awk -F, '
		/^##BEG data objects by region$/ { inside = 1; getline; for (i = 1; i <= NF; i++) col[$i] = i; next }
		/^##END/ { inside = 0 }
		inside && $1 == "regions" { stores[$col["type"]] += $col["stores"] }
		END { exit stores["SINGLE"] != 50 || stores["CRITICAL"] != 300 }' report.csv ||
		fail "$how $*: stores are in the wrong region: $(grep "^regions," report.csv)"
	[ "$(wc -l <expected)" = "$(grep -vc '^(' counted)" ] || fail "$how $*: names: $(cat counted)"
}

check "$GXX" -O0
check "$GXX" -O2 -std=c++20
OMPP_CACHE=L1=32K/8/64 count
OMPP_SHARING=1 count
count "without off"
check "$GXX" -O3 -march=native
check "$GXX" -O2 -D_GLIBCXX_DEBUG
if [ -n "$CLANG" ]; then
	check "$CLANG++" -O0
	check "$CLANG++" -O2
fi

# What cannot be asked, or be followed, is said, and changes nothing.
odd() {
	how="$*"
	src=$srcdir/tests/runtime
	kinst "$@" -w -std=c++11 -fPIC -shared "$src/containers_plugin.cpp" -o plugin.so &&
		kinst "$@" -w -std=c++11 -fopenmp "$src/containers_odd.cpp" -ldl -o odd || fail "$how: odd does not build"
	KINST=off kinst "$@" -w -std=c++11 -fopenmp "$src/containers_odd.cpp" -ldl -o plain || fail "$how: plain"
	KINST=off kinst "$@" -w -std=c++11 -fPIC -shared "$src/containers_plugin.cpp" -o plain.so || fail "$how: plain"
	./plain ./plain.so >expected
	./odd ./plugin.so >said || fail "$how: odd ends with $?"
	cmp -s expected said || fail "$how: odd says $(cat said)"
	for name in handle late rows; do
		grep -q "Not followed: $name: " report.csv || fail "$how: nothing is said of $name: $(grep Not report.csv)"
	done
	[ "$(grep -c "Not followed: " report.csv)" = 3 ] || fail "$how: what is followed is not: $(grep Not report.csv)"
}

odd "$GXX" -O0
odd "$GXX" -O2
if [ -n "$CLANG" ]; then
	odd "$CLANG++" -O0
	odd "$CLANG++" -O2
fi
