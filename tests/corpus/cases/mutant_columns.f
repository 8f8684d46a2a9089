      program p                                                         00000010
      integer s, i                                                      00000020
      s = 0                                                             00000030
c$omp parallel do reduction(+:s)                                        00000040
c$omp& num_threads(2)                                                   00000050
      do 10 i = 1, 4                                                    00000060
   10 s = s + i                                                         00000070
c$omp end parallel do                                                   00000080
c$omp parallel num_threads(2)                                           00000090
c$omp critical (abc)                                                    00000100
      s = s + 1                                                         00000110
c$omp end critical (abc)                                                00000120
c$omp end parallel                                                      00000130
c$    s = s + 1                                                         00000140
      print *, s                                                        00000150
      end                                                               00000160
