/*
 * Repository: see repository.h.
 *
 * git is asked for what no configuration changes the form of, without locks, so that an index is not refreshed beside a
 * build, and without the monitor of files that a repository can ask for.  git describe --dirty is not for that: it
 * writes the index all the same.
 */
#include "opari/build/repository.h"

#include <stdlib.h>
#include <string.h>

#include "opari/base/process.h"

/* Runs git with these words.  Returns the first line of its output, or NULL, and then *why says why. */
static char *repository_git(const char *const *words, char **why)
{
	struct kinst_words command = { 0 };
	struct kinst_text out = { 0 }, err = { 0 };
	struct kinst_run run = { .words = &command, .out = &out, .err = &err, .in = -1, .in_english = 1 };
	char *line = NULL;
	int status;

	kinst_words_add(&command, "git");
	kinst_words_add(&command, "--no-optional-locks");
	kinst_words_pair(&command, "-c", "core.fsmonitor=false");
	for (; *words; words++)
		kinst_words_add(&command, *words);
	kinst_text_puts(&out, "");
	kinst_text_puts(&err, "");
	status = kinst_process_run(&run);
	if (!status)
		line = kinst_strndup(out.data, strcspn(out.data, "\n"));
	else if (!*why && status < 0)
		*why = kinst_format("git cannot be run: %s", strerror(-status));
	else if (!*why)
		*why = err.length ? kinst_strndup(err.data, strcspn(err.data, "\n"))
		                  : kinst_format("git ended with %d", status);
	kinst_words_free(&command);
	kinst_text_free(&out);
	kinst_text_free(&err);
	return line;
}

/* Does the description begin with the commit's hash, as it does without a tag? */
static int repository_is_untagged(const struct kinst_repository *r)
{
	size_t n = strspn(r->stamp, "0123456789abcdef");

	return n >= 7 && !strncmp(r->stamp, r->commit, n);
}

/* Sets the commit from "1700000000 <hash>".  Returns 1 when the line is that. */
static int repository_commit(struct kinst_repository *r, const char *line)
{
	char *end;

	r->unix_s = strtoll(line, &end, 10);
	if (end == line || *end != ' ' || strspn(end + 1, "0123456789abcdef") != strlen(end + 1) || !end[1])
		return 0;
	r->commit = kinst_strdup(end + 1);
	return 1;
}

void kinst_repository_ask(struct kinst_repository *r)
{
	static const char *const commit[] = { "rev-list", "-1", "--timestamp", "HEAD", "--", NULL };
	static const char *const describe[] = { "describe", "--always", "--tags", "--abbrev=12", NULL };
	static const char *const status[] = { "status", "--porcelain", "--untracked-files=no", NULL };
	static const char *const shallow[] = { "rev-parse", "--is-shallow-repository", NULL };
	char *line, *text, *change, *unsaid = NULL;

	*r = (struct kinst_repository){ 0 };
	line = repository_git(commit, &r->why);
	text = line ? repository_git(describe, &r->why) : NULL;
	change = text ? repository_git(status, &r->why) : NULL; /* one of the files that were changed, "" for none */
	if (change && *text && repository_commit(r, line)) {
		r->is_modified = *change != '\0';
		r->stamp = kinst_format("%s%s", text, r->is_modified ? "-dirty" : "");
		free(line);
		line = repository_is_untagged(r) ? repository_git(shallow, &unsaid) : NULL;
		r->is_shallow = line && !strcmp(line, "true");
	} else if (!r->why) {
		r->why = kinst_strdup("git does not say which commit is checked out");
	}
	free(unsaid);
	free(change);
	free(line);
	free(text);
}

void kinst_repository_free(struct kinst_repository *r)
{
	free(r->stamp);
	free(r->commit);
	free(r->why);
}
