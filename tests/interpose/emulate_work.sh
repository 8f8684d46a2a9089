# emulate_work: ompp run --emulate --work counts the operations of a program that kinst did not build as the processor
# would execute them: by kind and precision as programs of chance count their own without optimisation, in all as
# callgrind's counts of instructions and the disassembly say with it, with vectors, multiply-adds and the x87; single
# instructions by arithmetic
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/emulation.sh"
operations="python3 $srcdir/tests/work/operations.py"
parts=flops,flops_single,flops_double,flops_other,flops_add,flops_mul,flops_div,flops_sqrt,flops_vector,float_compares
export OMPP_CTR=$parts,float_conversions,intops,intops_mul,intops_div OMP_WAIT_POLICY=passive

for seed in 1 2 $$; do
	$operations make "$seed" >g.c
	gcc -w -O0 -fopenmp -DTELL g.c -o tells -lm
	./tells >lines
	gcc -w -g -O0 -fno-math-errno -fopenmp g.c -o g -lm
	emulated 0 ./g
	$operations told lines g.json add mul div sqrt single double convert || fail "seed $seed: -O0: counts differ"
	command -v valgrind >/dev/null || continue
	options='-O2:-O3'
	# valgrind computes with 53 bits where the x87 has 64: of a program of chance it may take another branch
	[ "$seed" = $$ ] || options="$options:-O2 -mfpmath=387"
	! grep -q avx2 /proc/cpuinfo || options="$options:-O3 -march=haswell"
	echo "$options" | tr : '\n' >all
	while read -r option; do
		gcc -w -g $option -fno-math-errno -no-pie -fopenmp g.c -o g -lm
		valgrind --tool=callgrind --dump-instr=yes --callgrind-out-file=callgrind ./g >/dev/null 2>&1 </dev/null ||
			fail "seed $seed: $option: callgrind"
		emulated 0 ./g </dev/null
		got=$($operations total g.json flops PARALLEL) want=$($operations executed g callgrind '^(work|part|other)')
		[ "$got" = "$want" ] && [ "$got" -gt 0 ] || fail "seed $seed: $option: $got of $want"
	done <all
done

# single instructions, each 100 times, in a parallel region each: what they add to those of the second one, which has none,
# and in which the OpenMP library has started
begun='	for (long i = 0; i < 100; i++)
		__asm__ volatile("' ended='" : : "r"(x), "m"(*(char(*)[64])x)
		                 : "xmm1", "xmm2", "xmm3", "rax", "rdx", "rcx", "memory", "cc");'
# check TEXT COUNTER N: the counter has N more for each of 100 executions
check() {
	printf '#pragma omp parallel num_threads(1)\n%s%s%s\n' "$begun" "$1" "$ended" >>instructions.body
	echo "$2 $3 $1" >>instructions.wanted
}
: >instructions.body
: >instructions.wanted
check 'nop; nop' flops 0
check 'nop' flops 0
check 'addps %%xmm1, %%xmm2' flops_single 4
check 'addsubpd %%xmm1, %%xmm2' flops_double 2
check 'haddps (%0), %%xmm2' flops_add 4
check 'dppd $0x31, %%xmm1, %%xmm2' flops 3
check 'sqrtss %%xmm1, %%xmm2' flops_sqrt 1
check 'divpd (%0), %%xmm2' flops_vector 2
check 'maxpd %%xmm1, %%xmm2' float_compares 2
check 'ucomiss %%xmm1, %%xmm2' float_compares 1
check 'cvtps2pd %%xmm1, %%xmm2' float_conversions 2
check 'cvttsd2si %%xmm1, %%rax' float_conversions 1
check 'roundps $3, %%xmm1, %%xmm2' float_conversions 4
check 'fld1; fld1; faddp; fstp %%st(0)' flops_other 1
check 'fildl (%0); fsqrt; fstp %%st(0)' flops_sqrt 1
check 'fildl (%0); fstp %%st(0)' float_conversions 1
check 'imul %%rax, %%rdx' intops_mul 1
check 'andps %%xmm1, %%xmm2' flops 0
check 'lea 8(%%rax), %%rdx; cmp %%rax, %%rdx; test %%eax, %%eax; xor %%eax, %%eax; mov %%rax, %%rdx' intops 0
check 'shl $3, %%rax; add %%rax, %%rdx; not %%rdx; incl (%0)' intops 4
check 'push %%rax; sub $128, %%rsp; add $128, %%rsp; pop %%rax' intops 0
check 'paddw %%xmm1, %%xmm2' intops 8
check 'pmulld %%xmm1, %%xmm2' intops_mul 4
check 'mov $1, %%eax; mov $0, %%edx; mov $1, %%ecx; div %%ecx' intops_div 1
# over the end of a page, where QEMU 7.2 lists the instruction in two blocks
for before in 4088 4089 4090 4091 4092 4093 4094; do
	check "jmp 1f; .p2align 12; .skip $before, 0x90; 1: nop; addsd 48(%%rsp), %%xmm2" flops_add 1
done
if grep -q avx2 /proc/cpuinfo && grep -q fma /proc/cpuinfo; then
	check 'vfmadd231pd %%ymm1, %%ymm2, %%ymm3' flops 8
	check 'vfnmsub132ss %%xmm1, %%xmm2, %%xmm3' flops_single 2
	check 'vmulps (%0), %%ymm2, %%ymm3' flops_mul 8
	check 'vpsubd %%ymm1, %%ymm2, %%ymm3' intops 8
	check 'vpxor %%ymm1, %%ymm1, %%ymm3' intops 0
fi
cat >instructions.c <<END
#include <immintrin.h>
static char bytes[64] __attribute__((aligned(64)));
int main(void)
{
	char *x = bytes;
$(cat instructions.body)
	return 0;
}
END
gcc -w -g -O1 -fopenmp instructions.c -o instructions || fail "not all instructions are compiled"
emulated 0 ./instructions
$operations instructions instructions.wanted instructions.json 100 || fail "single instructions"

# functions of the mathematical library have operations of their own, and no number of calls
OMPP_CTR=math_calls,flops emulated 0 ./instructions
ompp report --view=general instructions.*.ompp | tr -s ' \n' ' ' >said
grep -q 'math_calls, not counted: not by emulation' said || fail "calls: $(cat said)"
# without a request nothing is counted
unset OMPP_CTR
emulated 0 ./instructions
python3 -c 'import json; assert not json.load(open("instructions.json"))["counters"]' || fail "operations nobody asked for"
