/*
 * Varied machine: files and answers of chance of a kernel that is not here.
 *
 * A test has a folder of its own as its working directory.  What libompp opens below /proc and /sys is looked for
 * there, in proc and sys; events of perf_event_open() are files in memory.  Each choice follows from a seed.
 */
#ifndef TESTS_UNIT_VARIED_MACHINE_H
#define TESTS_UNIT_VARIED_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A reader, or several that have to do with each other: it makes an input, and writes what comes out. */
struct varied_part {
	const char *name;
	uint32_t n; /* inputs */
	void (*make)(FILE *to);
};

extern const struct varied_part varied_proc_parts[], varied_perf_parts[], varied_pmu_parts[], varied_elf_parts[],
	varied_cfi_parts[], varied_name_parts[], varied_traffic_parts[];

/* Makes a folder for files of a test, in memory where there is such a place. */
void varied_folder_make(char *path, size_t n);

/* Makes the folder, or empties it, and begins a sequence of choices. */
void varied_machine_begin(uint64_t seed);
void varied_machine_end(void);

/* Choices: each place in the source has a sequence of its own, so that it does not matter in which order a compiler
 * evaluates arguments.  A function that makes choices is called once in an expression. */
uint32_t varied_below_at(uint32_t place, uint32_t n);
uint64_t varied_word_at(uint32_t place);
uint64_t varied_number_at(uint32_t place);

/* Returns a number below n, and any 64 bits. */
#define varied_below(n) varied_below_at(__COUNTER__, (n))
#define varied_word()   varied_word_at(__COUNTER__)

/* Returns one of some texts. */
#define VARIED_ONE_OF(list) ((list)[varied_below((uint32_t)OMPP_COUNT_OF(list))])

/* Returns a number that is often small, and seldom at the end of what 64 bits hold. */
#define varied_number() varied_number_at(__COUNTER__)

/* Writes a file below the folder, and the folders that lead to it. */
void varied_put_bytes(const char *path, const void *bytes, size_t n);

/* Does the same with a text.  It may be damaged before: cut, or with bytes that are more, fewer or others. */
__attribute__((format(printf, 2, 3))) void varied_put_file(const char *path, const char *format, ...);

/* One text of so many is damaged: 3, as long as a part does not set another number. */
extern uint32_t varied_damage_odds;

/* The processors that threads may use, a bit each: ESRCH without any, as of a thread that has ended. */
extern uint64_t varied_processors;

/* Does another program answer for the files? */
extern int varied_is_fuse;

/* Damages a text or a file in memory, or not.  Returns its new length, which is below n_have.
 * is_text: 1 to take bytes that texts have */
size_t varied_damage(char *bytes, size_t n, size_t n_have, int is_text);

/* Opens a stream in memory, and closes it.  The text is the caller's. */
struct varied_text {
	char *text;
	size_t n;
	FILE *to;
};
void varied_text_open(struct varied_text *t);
void varied_text_close(struct varied_text *t);

/* ---- perf ---- */

/* Which events are refused, and how often: one of so many, by their numbers; 0 for none. */
extern uint32_t varied_perf_refuses;

/* Returns 1 where a system call has to do with events, and was answered. */
int varied_perf_answer(long number, const long arguments[6], long *result);

/* Returns a checksum of what the kernel was asked to count since the machine began: all of each event. */
uint64_t varied_machine_asked(void);

/* Closes all events that are left, and returns how many these were. */
int varied_perf_end(void);

/* Returns the descriptor of the newest event that is open, -1 when none is. */
int varied_perf_newest(void);

#endif
