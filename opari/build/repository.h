/*
 * Repository: what git says of the sources that a program is built from, for --stamp.
 */
#ifndef KINST_REPOSITORY_H
#define KINST_REPOSITORY_H

struct kinst_repository {
	char *stamp;  /* what git describe says, "-dirty" behind it where tracked files were changed; NULL: not known */
	char *commit; /* the full hash, and when it was committed, in seconds since 1970 */
	long long unix_s;
	int is_modified; /* 1 when tracked files are not those of the commit */
	int is_shallow;  /* 1 when there is no tag to name, as the clone does not have the history */
	char *why;       /* without a stamp: why there is none, for a message */
};

/* Asks git in the working directory.  Nothing in the repository is written.  git may run the filters of files that its
 * configuration names, and no hooks. */
void kinst_repository_ask(struct kinst_repository *repository);
void kinst_repository_free(struct kinst_repository *repository);

#endif
