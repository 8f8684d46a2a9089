# raw_exit: a process whose threads end by exit(2), the system call, ends with the status of its main thread also where
# threads of libompp are in it, and not before the last one of its own
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
