#include <stdio.h>
#include <omp.h>
int g, arr[10];
#define CRIT _Pragma("omp critical")
#define PAR(x) _Pragma("omp parallel num_threads(2)") { x }
#define EXPR(v) ({ int r_ = (v); _Pragma("omp atomic") g += r_; r_; })
int knr(a, b) int a; int b; {
#pragma omp parallel num_threads(2)
 CRIT g += a + b;
 return g; }
static inline int gen(int x) { return _Generic((x), int: ({ int y = x; _Pragma("omp critical") { g += y; } y; }), default: 0); }
int sw(int x) {
  switch (x) {
  case 1:
#pragma omp parallel num_threads(2)
    CRIT g++;
    break;
  case 2 ... 4:
  default: ;
#pragma omp taskwait
    ;
  lab:
#pragma omp critical (abc)
    g++;
  }
  return g;
}
int nest(int x) {
  __label__ out;
  int inner(int y) {
#pragma omp critical
    g += y;
    return g; }
  if (x)
#pragma omp parallel num_threads(2)
    if (x > 1) CRIT g++; else CRIT g--;
  else
#pragma omp single
    g += 2;
  if (x) goto out;
  inner(3);
out:
#pragma omp parallel for num_threads(2) reduction(+:g)
  for (int i = 0; i < 10; i++) if (i & 1) continue; else g++;
  return g;
}
int asmg(void) {
#pragma omp parallel num_threads(2)
  asm volatile ("nop # { } ;" ::: "memory");
#pragma omp single
  __extension__ ({ g++; });
#pragma omp master
  ;
#pragma omp critical
  {;}
#pragma omp parallel num_threads(1)
  do g++; while (g < 0);
#pragma omp task if(0)
  { static int k = 0x1p3; g += k; }
#pragma omp single
  l: m: g++;
  return g; }
int esc(int x) {
#pragma omp parallel /* a { comment */ num_threads(2) /* private */ firstprivate(x) // end
  { x++;
#pragma omp atomic
  g += x; }
  return (g ?: 1) + '\'' + '"' + L'\\';
}
int main(void) {
  printf("%d\n", knr(1, 2)); printf("%d\n", gen(4)); printf("%d %d %d\n", sw(1), sw(3), sw(9));
  printf("%d %d %d\n", nest(0), nest(1), nest(2)); printf("%d\n", asmg()); printf("%d\n", esc(3)); printf("%d\n", EXPR(3) + EXPR(4));
  PAR(CRIT g++;) printf("%d\n", g);
  if (g) PAR(CRIT g++;) else PAR(CRIT g--;)
  for (int i = 0; i < 3; i++) CRIT g++;
  while (g < 100) CRIT g++;
  do CRIT g++; while (g < 120);
  printf("%d\n", g); return 0; }
