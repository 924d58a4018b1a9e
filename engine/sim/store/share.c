/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries of a store never change, so another store may share them; what is added later is each
 * one's own. */
#include <string.h>

#include "sim/store/store_impl.h"

#define SHARE(field, keys)                                                                         \
    LP_TRY(lp_copy_array((void **)&to->field, &to->field##_cap, from->field, from->keys.count,     \
                         sizeof *to->field))

/* The arrays before the keys: a store counts what it owns by its keys. */
LpErr lp_store_share(LpStore *to, const LpStore *from) {
    SHARE(partition, partition_key);
    to->partitions_shared = from->partition_key.count;
    SHARE(needs, partition_key);
    SHARE(placement, placement_key);
    LP_TRY(lp_store_share_packed(to, from));
    SHARE(step, step_key);
    SHARE(known, known_key);
    SHARE(traffic, traffic_key);
    SHARE(load, load_key);
    SHARE(left, left_key);
    for (size_t i = 0; from->by_degree[i] != NULL; i++)
        memcpy(to->by_degree[i], from->by_degree[i], from->degrees * sizeof(uint32_t));
    LP_TRY(lp_intern_share(&to->partition_key, &from->partition_key));
    LP_TRY(lp_intern_share(&to->placement_key, &from->placement_key));
    LP_TRY(lp_intern_share(&to->step_key, &from->step_key));
    LP_TRY(lp_intern_share(&to->known_key, &from->known_key));
    LP_TRY(lp_intern_share(&to->links_key, &from->links_key));
    LP_TRY(lp_intern_share(&to->traffic_key, &from->traffic_key));
    LP_TRY(lp_intern_share(&to->list_key, &from->list_key));
    LP_TRY(lp_intern_share(&to->load_key, &from->load_key));
    LP_TRY(lp_intern_share(&to->left_key, &from->left_key));
    LP_TRY(lp_store_share_earlier(to, from));
    LP_TRY(lp_intern_share(&to->spell_key, &from->spell_key));
    return lp_intern_share(&to->order_key, &from->order_key);
}
