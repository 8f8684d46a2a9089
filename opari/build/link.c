/*
 * Link: see link.h.
 */
#include "opari/build/link.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opari/hooks/hooks.h"
#include "opari/hooks/object_file.h"
#include "runtime/base/array.h"

/*
 * Functions that end or replace the process, or its handlers of fatal signals, before a report is written, and
 * functions that jump.  Those for which libompp has a __wrap_ function are wrapped.
 */
static const char *const wrapped[] = { "_exit", "_Exit", "execve", "execv", "execvp", "execvpe", "execl", "execlp",
	                               "execle", "fexecve", "daemon", "sigaction", "signal", "setjmp", "_setjmp",
	                               "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk",
	                               /* Fortran's lock routines, whose calls stay as they are in the text */
	                               "omp_init_lock_", "omp_destroy_lock_", "omp_set_lock_", "omp_unset_lock_",
	                               "omp_test_lock_", "omp_init_nest_lock_", "omp_destroy_nest_lock_",
	                               "omp_set_nest_lock_", "omp_unset_nest_lock_", "omp_test_nest_lock_" };

/*
 * Functions of threads.  Language libraries (gthr.h) call them if they are linked, and test this by one of them.  In a
 * static program libompp pulls in the OpenMP library, and with it the tested one; then all of them must be linked.
 */
static const char *const threads[] = { "pthread_once",
	                               "pthread_create",
	                               "pthread_join",
	                               "pthread_detach",
	                               "pthread_self",
	                               "pthread_equal",
	                               "pthread_cancel",
	                               "sched_yield",
	                               "pthread_mutex_init",
	                               "pthread_mutex_lock",
	                               "pthread_mutex_trylock",
	                               "pthread_mutex_timedlock",
	                               "pthread_mutex_unlock",
	                               "pthread_mutex_destroy",
	                               "pthread_cond_init",
	                               "pthread_cond_broadcast",
	                               "pthread_cond_signal",
	                               "pthread_cond_wait",
	                               "pthread_cond_timedwait",
	                               "pthread_cond_destroy",
	                               "pthread_key_create",
	                               "pthread_key_delete",
	                               "pthread_getspecific",
	                               "pthread_setspecific",
	                               "pthread_mutexattr_init",
	                               "pthread_mutexattr_settype",
	                               "pthread_mutexattr_destroy" };

/* Parts of names that only instrumented code has. */
static const char *const marks[] = { "POMP2_", "pomp2_", "ompp_", ".note.kinst" };

/* Returns what `test` says of the bytes of a file; 0 when the file cannot be read. */
static int in_file(const char *path, int (*test)(const char *data, size_t n_bytes, const void *with), const void *with)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), found = 0;
	struct stat st;
	void *data;

	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0) {
		data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (data != MAP_FAILED) {
			found = test(data, (size_t)st.st_size, with);
			munmap(data, (size_t)st.st_size);
		}
	}
	close(fd);
	return found;
}

static int has_mark(const char *data, size_t n_bytes, const void *with)
{
	(void)with;
	for (size_t i = 0; i < OMPP_COUNT_OF(marks); i++)
		if (memmem(data, n_bytes, marks[i], strlen(marks[i])))
			return 1;
	return 0;
}

static int has_symbol(const char *data, size_t n_bytes, const void *symbol)
{
	return memmem(data, n_bytes, symbol, strlen(symbol) + 1) != NULL;
}

/* Adds the files that a -l may mean, in the folders of all -L, wherever they stand. */
static void add_library(struct kinst_words *files, const struct kinst_command *command, const char *name)
{
	static const char *const suffixes[] = { "a", "so" };

	for (size_t i = 0; i < command->n_words; i++) {
		const char *word = command->words[i].text, *folder = word + 2;

		if (command->words[i].class != KINST_WORD_LINK || !kinst_begins(word, "-L"))
			continue;
		if (!*folder && i + 1 < command->n_words)
			folder = command->words[i + 1].text;
		for (int s = 0; s < 2; s++) {
			char *path = *name == ':' ? kinst_format("%s/%s", folder, name + 1)
			                          : kinst_format("%s/lib%s.%s", folder, name, suffixes[s]);

			if (!access(path, R_OK))
				kinst_words_add(files, path);
			free(path);
		}
	}
}

/* Adds the objects, archives and libraries that the user gave, as far as kinst can tell where they are. */
static void add_files(struct kinst_words *files, const struct kinst_command *command)
{
	for (size_t i = 0; i < command->n_words; i++) {
		const char *word = command->words[i].text, *name = word + 2;

		if (command->words[i].class == KINST_WORD_INPUT)
			kinst_words_add(files, word);
		if (command->words[i].class != KINST_WORD_LINK || !kinst_begins(word, "-l"))
			continue;
		if (!*name && i + 1 < command->n_words)
			name = command->words[i + 1].text;
		add_library(files, command, name);
	}
}

int kinst_link_needed(const struct kinst_command *command)
{
	struct kinst_words files = { 0 };
	int needed = 0;

	add_files(&files, command);
	for (size_t i = 0; i < files.n && !needed; i++)
		needed = in_file(files.items[i], has_mark, NULL);
	kinst_words_free(&files);
	return needed;
}

void kinst_link_uncounted(struct kinst_link_files *files, const char *path, const char *uncounted)
{
	kinst_text_printf(&files->uncounted, "%s%s: %s", files->uncounted.length ? "; " : "", kinst_basename(path),
	                  uncounted);
}

static void add_uncounted(struct kinst_link_files *files, const char *path)
{
	struct kinst_words uncounted = { 0 };

	kinst_hooks_uncounted(&uncounted, path);
	if (uncounted.n)
		kinst_link_uncounted(files, path, uncounted.items[0]);
	kinst_words_free(&uncounted);
}

void kinst_link_look(struct kinst_link_files *files, const struct kinst_command *command)
{
	struct kinst_words list = { 0 };

	add_files(&list, command);
	for (size_t i = 0; i < list.n; i++) {
		unsigned int found = kinst_begins(kinst_basename(list.items[i]), "libompp")
		                           ? 0
		                           : kinst_object_look(list.items[i]);

		if (found & KINST_OBJECT_HOOKED)
			add_uncounted(files, list.items[i]);
		files->any_hooked |= (found & KINST_OBJECT_HOOKED) != 0;
		files->n_hooked += (found & (KINST_OBJECT_HOOKED | KINST_OBJECT_UNHOOKED)) == KINST_OBJECT_HOOKED;
		if (found & KINST_OBJECT_UNHOOKED)
			kinst_words_add(&files->unhooked, list.items[i]);
		if (found & KINST_OBJECT_IDLE)
			kinst_words_add(&files->idle, list.items[i]);
		else
			files->n_works += (found & KINST_OBJECT_WORKS) != 0;
	}
	kinst_words_free(&list);
}

/*
 * Adds an archive, and wraps the wanted functions `name` for which it has a __wrap_name in the whole program.  The
 * wrappers are requested as undefined symbols, as later archives call them, too; but C++'s operators only if the real
 * ones are certainly linked, and OpenMP's functions not at all, as no archive calls them.
 */
static void add_wrapping(struct kinst_words *words, const struct kinst_command *command, const char *folder,
                         const char *library, int cxx, int (*is_wanted)(const char *name))
{
	char *archive = kinst_format("%s/lib%s.a", folder, library), *word = kinst_format("-l%s", library);
	struct kinst_words names = { 0 };

	kinst_object_names(&names, archive, "__wrap_");
	for (size_t i = 0; i < names.n; i++) {
		const char *name = names.items[i];
		char *wrap = kinst_format("-Wl,--wrap=%s", name);
		char *ask = kinst_format("-Wl,-u,__wrap_%s", name);
		int sure = cxx || !kinst_begins(name, "_Z");

		if (is_wanted(name) && (sure || !command->is_static))
			kinst_words_add(words, wrap);
		if (is_wanted(name) && sure && !kinst_begins(name, "omp_") && !kinst_begins(name, "GOMP_"))
			kinst_words_add(words, ask);
		free(wrap);
		free(ask);
	}
	kinst_words_add(words, word);
	kinst_words_free(&names);
	free(archive);
	free(word);
}

static int is_any(const char *name)
{
	(void)name;
	return 1;
}

/* Adds what static programs need besides. */
static void add_static(struct kinst_words *words, const struct kinst_command *command, const char *folder, int cxx)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(threads); i++) {
		char *ask = kinst_format("-Wl,-u,%s", threads[i]);

		kinst_words_add(words, ask);
		free(ask);
	}
	kinst_words_add(words, "-Wl,--eh-frame-hdr"); /* which libompp needs to find callers */
	add_wrapping(words, command, folder, "ompp_static", cxx, is_any);
}

void kinst_link_add(struct kinst_words *words, const struct kinst_command *command, const char *folder, int cxx,
                    int hooked)
{
	char *shared = kinst_format("%s/libompp.so", folder);
	int archive = command->is_static || access(shared, F_OK);
	char *library = archive ? kinst_format("%s/libompp.a", folder) : kinst_strndup(shared, strlen(shared));
	char *word = kinst_format("-L%s", folder);

	kinst_words_add(words, word);
	free(word);
	if (!archive) {
		/* Some flang has no -Xlinker, but -Wl takes no name with a comma. */
		word = strchr(folder, ',') ? NULL : kinst_format("-Wl,-rpath,%s", folder);
		if (word) {
			kinst_words_add(words, word);
		} else {
			kinst_words_pair(words, "-Xlinker", "-rpath");
			kinst_words_pair(words, "-Xlinker", folder);
		}
		free(word);
	}
	for (size_t i = 0; i < OMPP_COUNT_OF(wrapped); i++) {
		char *symbol = kinst_format("__wrap_%s", wrapped[i]);

		word = kinst_format("-Wl,--wrap=%s", wrapped[i]);
		if (in_file(library, has_symbol, symbol))
			kinst_words_add(words, word);
		free(symbol);
		free(word);
	}
	if (hooked)
		add_wrapping(words, command, folder, "ompp_access", cxx, kinst_hooks_wraps);
	if (command->is_static)
		add_static(words, command, folder, cxx);
	/* Some OpenMP programs need their OpenMP library only because of libompp. */
	word = kinst_format("%s/libompp_openmp.a", folder);
	if (command->openmp && !access(word, R_OK)) {
		kinst_words_add(words, "-Wl,--whole-archive");
		kinst_words_add(words, "-lompp_openmp");
		kinst_words_add(words, "-Wl,--no-whole-archive");
	}
	free(word);
	/* The whole archive is needed: nothing refers to its constructor, and libc's own calls are wrapped, too. */
	if (archive)
		kinst_words_add(words, "-Wl,--whole-archive");
	kinst_words_add(words, "-lompp");
	if (archive)
		kinst_words_add(words, "-Wl,--no-whole-archive");
	free(library);
	free(shared);
}
