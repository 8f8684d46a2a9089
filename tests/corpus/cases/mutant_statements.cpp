#include <cstdio>
#include <vector>
#include <map>
#include <omp.h>
int g;
template <typename T> struct S { T x; S() try : x([] { int q = 0;
#pragma omp parallel num_threads(2) reduction(+:q)
 q++; return q; }()) { } catch (...) { }
 T f(T a = 2) { return [] { int q = 0;
#pragma omp parallel for num_threads(2) reduction(+:q)
  for (auto i = 0; i < 4; i++) q += i;
  return q; }(); }
 operator int() const {
#pragma omp critical(in_class)
   g++; return g; } };
template <int N> int h() { if constexpr (N > 1) {
#pragma omp atomic
 g += N;
 return 1; } else return 0; }
auto lam = [](auto... xs) -> int {
#pragma omp parallel num_threads(2)
  { int s = (xs + ... + 0);
#pragma omp atomic update
  g += s; }
  return g; };
namespace a::b { inline namespace c { int z() {
#pragma omp single
 if (int q = 1; q) g++; else g--;
 return g; } } }
int rng() { std::vector<int> v{1,2,3}; std::map<int,int> m{{1,2},{3,4}}; int s = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (auto &[k, w] : m)
#pragma omp task firstprivate(k, w) shared(s)
  {
#pragma omp atomic
   s += k * w;
  }
#pragma omp parallel num_threads(2)
#pragma omp for reduction(+:s)
  for (auto x : v) s += x;
#pragma omp parallel for num_threads(2) reduction(+:s)
  for (std::vector<int>::iterator i = v.begin(); i < v.end(); ++i) [[likely]] s += *i;
  return s + 1'000'000 + 0x1'F; }
int exc() { int r = 0;
#pragma omp parallel num_threads(2)
  try { throw 1; } catch (int e) {
#pragma omp atomic
    r += e; } catch (...) { r = 9; }
  return r; }
const char *raw = R"zz(
#pragma omp parallel
" ) })zz" "x\
y";
int lk() { omp_lock_t l; omp_init_lock(&l); int t = not omp_test_lock(&l); ::omp_unset_lock(&l); t += 2 * omp_test_lock(&l); omp_unset_lock(&l); omp_destroy_lock(&l); return t; }
int at() { int r = 0;
 [[omp::directive(parallel num_threads(2))]] { [[omp::directive(critical)]] r++; }
 [[omp::sequence(directive(parallel num_threads(2)), omp::directive(for reduction(+:r)))]] for (int i = 0; i < 5; i++) r++;
 return r; }
int main() { S<int> s; std::printf("%d %d %d %d\n", s.x, s.f(), s.f(3), int(s)); std::printf("%d %d\n", h<1>(), h<2>());
 std::printf("%d\n", lam(1,2,3)); std::printf("%d %d %d\n", a::b::z(), rng(), exc()); std::printf("%s %d %d\n", raw, lk(), at()); }
