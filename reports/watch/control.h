/*
 * Control: the FIFO for commands to a running watcher, one command a line.
 */
#ifndef OMPP_CONTROL_H
#define OMPP_CONTROL_H

struct ompp_control;

/* Makes the FIFO, writable for the user only, or takes an existing one with the same permissions.  Returns NULL after a
 * complaint. */
struct ompp_control *ompp_control_open(const char *path);

/* Returns the descriptor that becomes readable with a command. */
int ompp_control_fd(const struct ompp_control *control);

/* Hands the lines that have come, without their ends, to take(). */
void ompp_control_read(struct ompp_control *control, void (*take)(void *context, char *line), void *context);

/* Closes the FIFO, and removes it if it was made. */
void ompp_control_close(struct ompp_control *control);

#endif
