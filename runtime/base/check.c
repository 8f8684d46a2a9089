/*
 * Check: see check.h.
 */
#include "runtime/base/check.h"

#include <string.h>
#include <unistd.h>

#include "runtime/base/sys.h"
#include "runtime/base/text.h"

void ompp_check_failed(const char *condition, const char *file, unsigned int line)
{
	char message[400];
	struct ompp_text t;

	ompp_text_init(&t, message, sizeof(message) - 1);
	ompp_text_str(&t, file);
	ompp_text_char(&t, ':');
	ompp_text_u64(&t, line);
	ompp_text_str(&t, ": ");
	ompp_text_str(&t, condition);
	ompp_text_str(&t, " does not hold");
	message[t.n_bytes] = '\n';
	ompp_sys_write(STDERR_FILENO, message, t.n_bytes + 1);
	__builtin_trap();
}
