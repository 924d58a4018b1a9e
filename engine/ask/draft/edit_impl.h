/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files that change a draft. */
#ifndef LP_ASK_DRAFT_EDIT_IMPL_H
#define LP_ASK_DRAFT_EDIT_IMPL_H

#include "ask/draft/edit.h"

/* All servers of the cubes that "cubes=..." names so far, in the arena. Errors: LP_ENOMEM. */
LpErr lp_draft_cube_servers(const LpSession *session, const char *words, LpArena *arena,
                            const uint32_t **out, uint32_t *count, LpDiag *diag) LP_MUST_USE;

/* Puts ascending servers that are a block with a shape into the order of it. False: they are none,
 * and nothing is changed. */
bool lp_draft_order_block(const LpSession *session, uint32_t *server, uint32_t count,
                          LpShape *shape);
/* Says who has the server and until when: LP_EREFUSED. */
LpErr lp_draft_refuse_server(const LpSession *session, uint32_t server, LpDiag *diag) LP_MUST_USE;

#endif
