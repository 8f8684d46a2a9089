/*
 * MPI message: see mpi_message.h.
 */
#include "runtime/events/mpi_message.h"

#include <stddef.h>

#include "runtime/base/relaxed.h"
#include "runtime/core/session.h"
#include "runtime/events/partners.h"

void (*ompp_mpi_message_told)(const struct ompp_mpi_message *m);
uint64_t (*ompp_mpi_message_call)(void);

void ompp_mpi_message_add(const struct ompp_mpi_message *m)
{
	if (m->is_received)
		ompp_partner_received(m->rank, m->bytes);
	else
		ompp_partner_sent(m->rank, m->bytes);
	if (ompp_mpi_message_told && !OMPP_LOAD(&ompp_session.off))
		ompp_mpi_message_told(m);
}
