/*
 * Command: what a compiler's command line asks for, option by option, for gcc, clang and gfortran alike.
 *
 * Response files are expanded.  Nothing is run or opened here but those.
 */
#ifndef KINST_COMMAND_H
#define KINST_COMMAND_H

#include "opari/base/text.h"

enum kinst_mode {
	KINST_LINK,             /* no -c, -S, -E …: through to the program */
	KINST_COMPILE,          /* -c */
	KINST_ASSEMBLE,         /* -S */
	KINST_OTHER             /* -E, -M, -fsyntax-only, --version, --help, -print-… */
};

enum kinst_language {
	KINST_FOREIGN,          /* not ours: objects, libraries, assembler, other languages */
	KINST_C,
	KINST_CXX,
	KINST_FORTRAN
};

/* What a word is for, so that a step takes along what it needs. */
enum kinst_word_class {
	KINST_WORD_INPUT,       /* a file, or "-" */
	KINST_WORD_LANGUAGE,    /* -x */
	KINST_WORD_MODE,        /* -c -S -E -fsyntax-only */
	KINST_WORD_OUTPUT,      /* -o */
	KINST_WORD_PREPROCESS,  /* -D -U -include … but not the folders */
	KINST_WORD_FOLDER,      /* -I -isystem …: for the preprocessor and, in Fortran, the compiler */
	KINST_WORD_DEPEND,      /* -M* */
	KINST_WORD_MODULE,      /* -J: where .mod files go */
	KINST_WORD_SAVE,        /* -save-temps */
	KINST_WORD_LINK,        /* -l -L -Wl, -shared … */
	KINST_WORD_OURS,        /* what kinst_command_define() added */
	KINST_WORD_REST
};

struct kinst_word {
	const char *text;
	enum kinst_word_class class;
};

struct kinst_input {
	size_t word;            /* index into words */
	enum kinst_language language;
	int preprocessed;       /* the compiler would not preprocess it */
	int fixed;              /* Fortran: fixed form */
	const char *x;          /* the -x in force, NULL: by suffix */
};

struct kinst_command {
	struct kinst_words  list;               /* the expanded words, without the compiler */
	struct kinst_word  *words;
	size_t              n_words;
	struct kinst_input *inputs;             /* sources and all others */
	size_t              n_inputs, n_sources;
	enum kinst_mode     mode;
	const char         *output;             /* -o, or NULL */
	int                 openmp;             /* the last of -fopenmp and its opposites */
	int                 fortran_cpp;        /* -cpp 1, -nocpp −1, else 0 */
	int                 fortran_form;       /* -ffixed-form 1, -ffree-form −1, else 0 */
	int                 relocatable, is_static;
	int                 libraries;          /* there is a -l */
	int                 depend, depend_system;      /* -MD or -MMD; 1: -MD */
	const char         *depend_file;        /* -MF */
	int                 depend_target;      /* -MT or -MQ is given */
	int depend_direct; /* -Wp,-MD,FILE: of gcc, only the preprocessor knows, not where -o leads */
	const char         *save;               /* "", "cwd", "obj" of -save-temps; NULL: none */
};

/* Read a command line.  `cxx_driver`: .c is C++ here (g++).  0, or -errno of a response file. */
int kinst_command_read(struct kinst_command *command, const struct kinst_words *arguments, int cxx_driver);
void kinst_command_free(struct kinst_command *command);

/* Define a macro (-D…) where sources of C and C++ are preprocessed; once.  1, or 0: there are none. */
int kinst_command_define(struct kinst_command *command, const char *word);

/* The object, dependency … of a source: the path that the compiler would give it, with this suffix (".o",
 * ".d"). */
char *kinst_command_output(const struct kinst_command *command, const struct kinst_input *input,
			   const char *suffix, int clang);

/* The target that a dependency file names: -o, or the object of the source in the current folder. */
char *kinst_command_object(const struct kinst_command *command, const struct kinst_input *input, int clang);

/* Split a string into words as the shell would: blanks, quotes, backslashes. */
void kinst_words_split(struct kinst_words *words, const char *text);

#endif
