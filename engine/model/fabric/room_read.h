/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free servers by their numbers, in rooms of any layout (room.h). */
#ifndef LP_MODEL_FABRIC_ROOM_READ_H
#define LP_MODEL_FABRIC_ROOM_READ_H

#include "model/fabric/room.h"

/* How many of the servers begin .. end - 1 are free. O(rows and words between them). */
uint32_t lp_room_free(const LpRoom *room, uint32_t begin, uint32_t end);
/* The free server among begin .. end - 1 before which `before` free ones lie; UINT32_MAX: no more
 * than `before` are free. O(rows and words up to it). */
uint32_t lp_room_nth(const LpRoom *room, uint32_t begin, uint32_t end, uint32_t before);
/* Servers first .. end - 1 of one row as bits, at most 64 of them. */
uint64_t lp_room_word(const LpRoom *room, uint32_t first, uint32_t end);

#endif
