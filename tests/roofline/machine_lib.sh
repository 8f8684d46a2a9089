# machine_lib: what the tests of rooflines have in common.  To source, after tests/lib.sh.

# run PROGRAM FOLDER: leaves its profile in FOLDER/profile.ompp.
run() {
	rm -rf "$2"
	OMPP_OUTDIR=$2 "./$1" >said 2>&1 || { cat said; fail "$1: status $?"; }
	mv "$2"/*.ompp "$2/profile.ompp"
}

# machine MEMORY [OTHERS]: a machine whose memory has this bandwidth, and all else has no limit.
machine() {
	printf 'ompp-machine 1\nhost h\ncpu c\ndate 2026-11-28 00:00:00 UTC\nvector V\nthreads 2\nothers %s\n' "${2:-0}"
	for threads in 1 2; do
		for roof in 'vector FMA double' 'vector FMA single' 'scalar double' 'scalar single'; do
			printf 'flops %s 1000000000000000 0 %s\n' $threads "$roof"
		done
		printf 'divisions %s 1000000000000000 0 %s\n' $threads 'scalar double' $threads 'scalar single'
		printf 'bytes %s 1000000000000000 0 %s\n' $threads L1 $threads L2
		printf 'bytes %s %s 5000000 memory\n' $threads "$1"
	done
}
