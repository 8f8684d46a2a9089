/*
 * Varied lines: the command lines of test_varied_commands.  Each list ends with NULL.
 *
 * Runs are the files a.N.ompp and b.N.ompp of two versions, s.N.ompp with more threads each, h.N.ompp of one version
 * after another, folder h of eight versions, r.N.ompp of ranks, and p.ompp, which has samples; a.0.ompp has a trace of
 * pages beside it; roofs is what a machine can do at most; trace and trace.1 are of two processes.  What a command
 * writes into files that are called made is a part of its output.
 */
#ifndef TESTS_UNIT_VARIED_LINES_H
#define TESTS_UNIT_VARIED_LINES_H

struct varied_line {
	const char *line, *kind;
};

extern const struct varied_line varied_lines_of_runs[];
extern const char *const varied_lines_of_traces[], *const varied_lines_of_ranks[], *const varied_lines_of_recordings[];

/* Words that are wrong for some commands and right for others, and commands that run no program and take nothing from
 * the machine with these words. */
extern const char *const varied_lines_words[], *const varied_lines_of_words[];

#endif
