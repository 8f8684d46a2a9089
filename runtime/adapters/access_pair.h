/*
 * Access, pair: each access hook has a sampling variant, which first counts down to the next sample, and then does the
 * same.
 *
 * When samples are requested, libompp replaces the first instruction of each hook by a jump to its variant
 * (access/access_patch.h), so that hooks have no extra cost otherwise.  The pairs of a program or a library are in one
 * section of it.  Variants exist only where libompp supports patching and timing.
 */
#ifndef OMPP_ADAPTERS_ACCESS_PAIR_H
#define OMPP_ADAPTERS_ACCESS_PAIR_H

#include "runtime/access/access.h"
#include "runtime/sources/probe.h"

#ifdef OMPP_PROBE_X86_64
#define OMPP_ACCESS_PAIRS
#define OMPP_NO_RELOCATION "R_X86_64_NONE"
#elif defined(OMPP_PROBE_AARCH64)
#define OMPP_ACCESS_PAIRS
#define OMPP_NO_RELOCATION "R_AARCH64_NONE"
#endif

#ifdef OMPP_ACCESS_PAIRS

/* Other threads may be in a hook while it is patched.  64-bit ARM lets them execute either instruction where one branch
 * takes the place of another, and promises nothing for most others.  So a hook is a branch there, to the function that
 * counts; what this branch costs has been measured on no such machine yet. */
#ifdef OMPP_PROBE_AARCH64
#define OMPP_HOOK(name) ompp_counted_##name
#define OMPP_HOOK_ENTRY(name) \
	__asm__(".hidden ompp_counted_" #name "\n\t" \
	        ".pushsection .text\n\t" \
	        ".balign 4\n\t" \
	        ".globl " #name "\n\t" \
	        ".hidden " #name "\n\t" \
	        ".type " #name ", %function\n" #name ":\n\t" \
	        ".cfi_startproc\n\t" \
	        "hint #34\n\t" /* bti c */ \
	        "b ompp_counted_" #name "\n\t" \
	        ".cfi_endproc\n\t" \
	        ".size " #name ", . - " #name "\n\t" \
	        ".popsection");
#else
#define OMPP_HOOK_ENTRY(name)
#endif

/* Adds a pair to the section: the offsets of the hook and of its variant, each relative to the address of the number.
 * The relocation has no effect, but makes linkers keep the section when they discard unreferenced ones. */
#define OMPP_ACCESS_PAIR(name) \
	OMPP_HOOK_ENTRY(name) \
	__asm__(".hidden ompp_sampled_" #name "\n\t" \
	        ".pushsection ompp_access_pairs, \"a\", %progbits\n\t" \
	        ".balign 4\n" \
	        ".Lpair_" #name ":\n\t" \
	        ".long " #name " - .\n\t" \
	        ".long ompp_sampled_" #name " - .\n\t" \
	        ".popsection\n\t" \
	        ".pushsection .text\n\t" \
	        ".reloc ., " OMPP_NO_RELOCATION ", .Lpair_" #name "\n\t" \
	        ".popsection");

/* Samples an access of any size when the countdown has expired.  It is inlined into the hook, whose return address is
 * the place of the access in the program. */
static inline __attribute__((always_inline)) void ompp_sample_block(const volatile void *p, size_t n_bytes,
                                                                    unsigned int how)
{
	if (n_bytes && __builtin_expect(--ompp_access_countdown < 0, 0))
		ompp_access_sample((uintptr_t)p, n_bytes, how, (uintptr_t)__builtin_return_address(0));
}

/* Files of hooks that call libompp for each access are compiled a second time for the variants, with
 * OMPP_ACCESS_SAMPLED: NAME is a hook's name, IN_HOOK is put before functions to be inlined into each hook, and SAMPLE
 * before each count. */
#ifdef OMPP_ACCESS_SAMPLED
#define NAME(name) ompp_sampled_##name
#define PAIR(name)
#define IN_HOOK                 inline __attribute__((always_inline))
#define SAMPLE(p, n_bytes, how) ompp_sample_block(p, n_bytes, how);
#else
#define PAIR(name) OMPP_ACCESS_PAIR(name)
#endif
#else
#define PAIR(name)
#endif

#ifndef OMPP_HOOK
#define OMPP_HOOK(name) name
#endif

#ifndef OMPP_ACCESS_SAMPLED
#define NAME(name) OMPP_HOOK(name)
#define IN_HOOK
#define SAMPLE(p, n_bytes, how)
#endif

#endif
