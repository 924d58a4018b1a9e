/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partitions of the kind tensor, for model/partition.c alone. */
#ifndef LP_MODEL_PARTITION_INTERNAL_H
#define LP_MODEL_PARTITION_INTERNAL_H

#include "model/partition.h"

/* Gives every op whose kind is known as many ways as the largest: what is cut by its kind only
 * follows its neighbours without collectives where it is cut like them. */
void lp_tensor_level_ways(const LpGraph *graph, uint32_t degree, uint32_t *ways);
/* Errors: LP_EREFUSED where the options know no collectives of ops. */
LpErr lp_tensor_check(const LpCut *cut, LpDiag *diag) LP_MUST_USE;
/* Times, bytes and collectives of a partition whose parts and links are there. Errors: LP_ENOMEM.
 */
LpErr lp_tensor_cut(const LpCut *cut, LpPartition *partition) LP_MUST_USE;
/* What the kinds of its ops made of it: names are no part of a graph's hash. */
uint64_t lp_tensor_hash(const LpPartition *partition, uint64_t hash);

#endif
