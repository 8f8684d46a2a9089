# ways.sh: running programs whose accesses are counted in two ways, by hooks and by whole loops, to compare what they say.
# To source, after tests/lib.sh.

# with_plugin: prints those of gcc and clang for which the build made a plug-in that counts whole loops
with_plugin() {
	for file in "$builddir"/.libs/kinst/loops_*.so; do
		case ${file##*/} in
		loops_clang_*) echo clang ;;
		loops_[0-9]*) echo gcc ;;
		esac
	done
}

# run PROGRAM NAME: its output and status are NAME.out
run() {
	status=0
	OMPP_REPORTFILE=$2.csv timeout 60 "$1" >"$2.out" 2>"$2.err" || status=$?
	echo "status $status" >>"$2.out"
}

# counts CSV NAME: the counts without the numbers of regions, which are those in which threads meet them
counts() {
	awk -f "$srcdir/tests/access/nests.awk" "$1" | sed 's/R[0-9][0-9]*,//g' | sort >"$2"
	[ "$(wc -l <"$2")" -gt 20 ]
}
