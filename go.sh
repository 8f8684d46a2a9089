for cc in ${CCS:-gcc clang}; do
  $cc -O2 -fopenmp pause.c -o plain 2>/dev/null; kinst --access=hooks $cc -O2 -fopenmp pause.c -o hooks 2>/dev/null; kinst --access $cc -O2 -fopenmp pause.c -o loops 2>/dev/null
  for e in ${EVERY:-1 3 5 8 20 100}; do
    for k in plain hooks loops; do valgrind --tool=callgrind --toggle-collect=main --callgrind-out-file=/dev/null --log-file=log.$k ./$k $e >/dev/null; eval n_$k=$(sed -n 's/.*Collected : //p' log.$k); done
    echo $cc $e plain $n_plain hooks $n_hooks loops $n_loops $(awk "BEGIN{print $n_loops/$n_hooks}")
  done
done
