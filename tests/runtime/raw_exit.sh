# raw_exit: a process whose threads end by exit(2), the system call, ends with the status of its main thread also where
# threads of libompp are in it, and not before the last one of its own; and where its last one calls exit(), as the C library has it
# when all have ended by pthread_exit(), it ends as without libompp, and reports
. "$srcdir/tests/lib.sh"
gcc -O2 -fopenmp "$srcdir/tests/runtime/raw_exit.c" -o plain
"$builddir/kinst" --access gcc -O2 -fopenmp "$srcdir/tests/runtime/raw_exit.c" -o prog
export OMPP_QUIET=1 OMPP_REPORTFILE=none

# run WORD… PROGRAM ARGUMENT: its status and what it says
run() {
	status=0
	timeout -s KILL 30 "$@" >said 2>errors || status=$? # ompp says that there is no profile
	grep -v '^ompp: ' errors >>said || :
	echo "status $status" >>said
}
for how in alone after; do
	run ./plain $how
	mv said want
	for options in --pages=uffd '--pages=uffd --pages-interval=60' --pages=hooks --dump-interval=60 --sample=touch; do
		run "$builddir/ompp" run $options --objects=all ./prog $how
		same "$how, $options" want said
	done
done
run ./plain pthread
mv said want
grep -q '^end$' want
for option in OMPP_PAGES=uffd OMPP_PAGES=hooks OMPP_DUMP_INTERVAL=60 OMPP_SAMPLE=touch; do
	run env $option OMPP_REPORTFILE=report OMPP_OBJECTS=all ./prog pthread
	same "pthread, $option" want said
	"$builddir/ompp" report --format=csv report.ompp >csv || fail "$option: no profile of the run"
	rm report*
done
