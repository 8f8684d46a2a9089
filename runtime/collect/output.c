/*
 * Output: see output.h.
 */
#include "runtime/collect/output.h"

#include <errno.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "runtime/base/sys.h"
#include "runtime/base/text.h"

enum { MODE = 0666, FOLDER_MODE = 0777, MAX_PARTS = 100, MEMORY_DEVICES = 1 };

/* Returns 0 for the kinds of files to which reports are written, and an error for each other kind.  /dev/null and the
 * like are allowed, as they take everything at once. */
static int output_refuse(const struct stat *st)
{
	if (S_ISREG(st->st_mode) || (S_ISCHR(st->st_mode) && major(st->st_rdev) == MEMORY_DEVICES))
		return 0;
	return S_ISDIR(st->st_mode)  ? -EISDIR
	     : S_ISFIFO(st->st_mode) ? -ESPIPE
	     : S_ISSOCK(st->st_mode) ? -ENOTCONN
	                             : -ENODEV;
}

/* Opens a file by the name that the user wrote.  Its kind is checked before it is opened, since opening a device may
 * have an effect, and again afterwards. */
static int open_literal(struct ompp_output *o)
{
	struct stat st;
	int rc = ompp_sys_stat(o->path, &st);

	rc = rc == -ENOENT ? 0 : rc ? rc : output_refuse(&st);
	if (rc)
		return rc;
	o->fd = ompp_sys_open(o->path, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, MODE);
	if (o->fd < 0)
		return o->fd;
	rc = ompp_sys_fstat(o->fd, &st);
	if (!rc)
		rc = output_refuse(&st);
	if (!rc && S_ISREG(st.st_mode))
		rc = ompp_sys_truncate(o->fd, 0);
	if (rc)
		ompp_sys_close(o->fd);
	return rc;
}

int ompp_output_open(struct ompp_output *o, const char *path, int is_literal)
{
	struct ompp_text t;

	ompp_text_init(&t, o->path, sizeof(o->path));
	ompp_text_str(&t, path);
	o->part[0] = '\0';
	if (is_literal)
		return open_literal(o);
	for (unsigned int i = 0; i < MAX_PARTS; i++) { /* one may be left by a process that was killed */
		ompp_text_init(&t, o->part, sizeof(o->part));
		ompp_text_str(&t, path);
		ompp_text_str(&t, ".part");
		if (i)
			ompp_text_u64(&t, i);
		o->fd = ompp_sys_open(o->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, MODE);
		if (o->fd != -EEXIST)
			break;
	}
	return o->fd < 0 ? o->fd : 0;
}

int ompp_output_close(struct ompp_output *o, int rc)
{
	int closed = ompp_sys_close(o->fd);

	if (!rc)
		rc = closed;
	if (!rc && o->part[0])
		rc = ompp_sys_rename(o->part, o->path);
	if (rc && o->part[0])
		ompp_sys_unlink(o->part);
	return rc;
}

int ompp_output_claim(const char *path)
{
	int fd = ompp_sys_open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, MODE);

	if (fd >= 0)
		ompp_sys_close(fd);
	return fd < 0 ? fd : 0;
}

void ompp_output_unclaim(const char *path)
{
	struct stat st;

	if (!ompp_sys_lstat(path, &st) && S_ISREG(st.st_mode) && !st.st_size)
		ompp_sys_unlink(path);
}

int ompp_output_exists(const char *path)
{
	struct stat st;

	return !ompp_sys_lstat(path, &st);
}

int ompp_output_make_folder(char *path)
{
	struct stat st;
	int rc = ompp_sys_stat(path, &st);

	if (rc != -ENOENT)
		return 0; /* whether files can be made in it is found when one is made */
	for (char *p = path + 1;; p++) {
		char end = *p;

		if (end && end != '/')
			continue;
		*p = '\0';
		rc = ompp_sys_mkdir(path, FOLDER_MODE);
		*p = end;
		if (!end)
			break;
	}
	return rc == -EEXIST ? 0 : rc; /* of the last part; another process may have made it meanwhile */
}

const char *ompp_output_error(int error)
{
	switch (error) {
	/* clang-format off */
	case -ENOSPC:       return "no space left on the device";
	case -EDQUOT:       return "quota exceeded";
	case -EFBIG:        return "larger than the limit of file sizes (ulimit -f)";
	case -EACCES:
	case -EPERM:        return "permission denied";
	case -EROFS:        return "read-only file system";
	case -ENOENT:
	case -ENOTDIR:      return "no such folder";
	case -EISDIR:       return "is a folder";
	case -ELOOP:        return "is a dangling link";
	case -ESPIPE:       return "is a pipe, whose reader could stop the program";
	case -ENOTCONN:     return "is a socket";
	case -ENODEV:
	case -ENXIO:        return "is a device";
	case -ENAMETOOLONG: return "name too long";
	case -EMFILE:
	case -ENFILE:       return "too many open files";
	case -EBADF:        return "is closed, or another file than at the start";
	case -EIO:          return "input/output error";
	case -EPIPE:        return "nobody reads the pipe";
	case -ETIMEDOUT:    return "its reader takes nothing";
	case -ENOMEM:       return "not enough memory";
	default:            return "system error";
		/* clang-format on */
	}
}
