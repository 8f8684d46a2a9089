/*
 * Command: what a compiler's command line asks for, option by option, for gcc, clang and gfortran.
 *
 * Response files are expanded, and kept where they can be read once (once.h).  Nothing else is opened, and nothing is
 * run.
 */
#ifndef KINST_COMMAND_H
#define KINST_COMMAND_H

#include "opari/base/kinst_text.h"

enum kinst_mode {
	KINST_LINK,     /* there is no -c, -S or -E: all steps up to the program */
	KINST_COMPILE,  /* -c */
	KINST_ASSEMBLE, /* -S */
	KINST_OTHER     /* -E, -M, -fsyntax-only, --version, --help, -print-…, or what the compiler rejects */
};

enum kinst_language {
	KINST_FOREIGN, /* an object, a library, assembler or another language, which kinst leaves alone */
	KINST_C,
	KINST_CXX,
	KINST_FORTRAN
};

/* What a word of the command line is for.  Each step passes on the words of the classes that it needs. */
enum kinst_word_class {
	KINST_WORD_INPUT,      /* a file, or "-" */
	KINST_WORD_LANGUAGE,   /* -x */
	KINST_WORD_MODE,       /* -c, -S, -E, -fsyntax-only */
	KINST_WORD_OUTPUT,     /* -o */
	KINST_WORD_PREPROCESS, /* -D, -U, -include and others, but not the folders */
	KINST_WORD_FOLDER,     /* -I, -isystem and others; in Fortran the compiler needs them, too */
	KINST_WORD_DEPEND,     /* -M*, and -ftime-trace*, whose files are of the user's own text, too */
	KINST_WORD_MODULE,     /* -J, the folder of .mod files */
	KINST_WORD_SAVE,       /* -save-temps */
	KINST_WORD_DUMP,       /* gcc's -dumpbase and others, which name files beside the output */
	KINST_WORD_LINK,       /* -l, -L, -Wl, -shared and others */
	KINST_WORD_OURS,       /* the word that kinst_command_define() added */
	KINST_WORD_REST
};

struct kinst_word {
	const char *text;
	enum kinst_word_class class;
};

struct kinst_input {
	size_t word; /* its index in `words` */
	enum kinst_language language;
	int preprocessed;         /* the compiler would not preprocess it */
	int fixed;                /* Fortran in fixed form */
	const char *x;            /* the value of the -x that holds for it; NULL when its suffix tells the language */
	struct kinst_words dumps; /* gcc: -dumpbase and others that hold for it (build/dump_names.h) */
	char *dump_stem;          /* how the names of files beside its output begin by these; NULL without them */
};

struct kinst_command {
	struct kinst_words list; /* the expanded words, without the compiler */
	struct kinst_word *words;
	size_t n_words;             /* without clang's "--" */
	struct kinst_input *inputs; /* the sources and all other inputs */
	size_t n_inputs, n_sources;
	struct kinst_words included; /* the files of -include and -imacros */
	enum kinst_mode mode;
	const char *output; /* the value of -o, or NULL */
	int openmp;         /* the last of -fopenmp and -fno-openmp is -fopenmp, or clang is given -Xclang -fopenmp */
	int fortran_cpp;    /* 1 for -cpp, -1 for -nocpp, else 0 */
	int fortran_form;   /* 1 for -ffixed-form, -1 for -ffree-form, else 0 */
	int relocatable, is_static, is_shared;
	int libraries;             /* there is a -l */
	int depend, depend_system; /* -MD or -MMD is given; it is -MD */
	const char *depend_file;   /* the value of -MF, or NULL */
	int depend_target;         /* -MT or -MQ is given */
	int depend_direct;         /* -Wp,-M… is given, which gcc's driver hands on as it is */
	const char *save;          /* the value of -save-temps: "", "cwd" or "obj"; NULL without it */
};

/*
 * Reads a command line.  Returns 0, or -errno when a response file cannot be read.
 *
 * cxx_driver: the compiler takes .c for C++, as g++ does
 * clang:      0, or the major version of clang, whose spellings of options it takes
 */
int kinst_command_read(struct kinst_command *command, const struct kinst_words *arguments, int cxx_driver, int clang);
void kinst_command_free(struct kinst_command *command);

/* Returns 1 when a word is an option whose value the next word is.  clang: as above */
int kinst_command_takes_next(const char *word, int clang);

/* Returns 1 for an object, a library or a folder that a command is given which does not link. */
int kinst_command_leaves(const struct kinst_command *command, const struct kinst_input *input);

/*
 * Defines a macro, once, where sources of C and C++ are preprocessed.  Returns 0 when there are no such sources, and
 * 1 otherwise.
 *
 * word: "-DNAME"
 */
int kinst_command_define(struct kinst_command *command, const char *word);

#endif
