/*
 * Inside: a libompp that is linked into the plug-in, for static programs, into which nothing can be loaded.
 *
 * It runs in the emulator's process, and is not emulated.  The plug-in tells it of threads, system calls and the end;
 * the C library of forks, which the emulator makes by calling it.  No calls of the program's functions are known, so
 * there are no regions, and of blocks of memory only those that the kernel gives.
 */
#ifndef OMPP_EMULATOR_INSIDE_H
#define OMPP_EMULATOR_INSIDE_H

#include "runtime/data/emulation.h"
#include "runtime/emulator/qemu.h"

/* What the plug-in tells it; each is called by the thread of the program that it is about. */
struct ompp_inside {
	/* The thread is about to make its first access.  Starts the measured run with the first thread. */
	void (*begin)(unsigned int cpu, uintptr_t address);
	/* Accesses of the thread wait for the library. */
	void (*settle)(void);
	/* It makes a system call with at least these arguments, which has returned.
	 * behind: the address behind the instruction of the call */
	void (*called)(int64_t number, const uint64_t argument[4], uintptr_t behind);
	void (*returned)(int64_t number, int64_t result);
	/* The program ends. */
	qemu_exit_cb *ended;
};

/* The library sets it when the plug-in is loaded; NULL in the plug-in that it is not inside of. */
extern const struct ompp_inside *ompp_inside;

/* Does for the thread with this number what the library asks for. */
void ompp_emulator_answer(unsigned int cpu, enum ompp_emulation_what what, void *about);

#endif
