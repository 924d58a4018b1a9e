/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each member of the head of a world's image once, and of the sums in it, by what the hash does
 * with it: as job_members.h does for jobs. R(member) is a number, W(member) anything else. */
#ifndef LP_SIM_STATE_IMAGE_MEMBERS_H
#define LP_SIM_STATE_IMAGE_MEMBERS_H

#include "sim/state/image.h"

/* Always, in this order; between them the areas of the tally, after them the policy's stream. */
#define LP_HEAD_REALS(R)                                                                           \
    R(now)                                                                                         \
    R(horizon)                                                                                     \
    R(next_arrival)
#define LP_HEAD_COUNTS(W)                                                                          \
    W(seed)                                                                                        \
    W(servers)                                                                                     \
    W(jobs)                                                                                        \
    W(phase)                                                                                       \
    W(due)                                                                                         \
    W(free_servers)                                                                                \
    W(seen_busy)                                                                                   \
    W(first_waiting)                                                                               \
    W(last_waiting)                                                                                \
    W(first_running)                                                                               \
    W(last_running)                                                                                \
    W(offer)                                                                                       \
    W(completed_now)                                                                               \
    W(serial)                                                                                      \
    W(ranks)
/* In the hash in a form of their own: what of them there is at all. */
#define LP_HEAD_BY_HAND(W)                                                                         \
    W(schedule_hash)                                                                               \
    W(light_at)                                                                                    \
    W(interval_at)                                                                                 \
    W(reconfigurations)                                                                            \
    W(extra)                                                                                       \
    W(fault)                                                                                       \
    W(quiet)                                                                                       \
    W(vain)                                                                                        \
    W(policy_rng)                                                                                  \
    W(tally)                                                                                       \
    W(published)
/* Places and counts of the pools, whose content is hashed. */
#define LP_HEAD_LAYOUT(W)                                                                          \
    W(bytes)                                                                                       \
    W(room_bytes)                                                                                  \
    W(workload_bytes)                                                                              \
    W(waves)                                                                                       \
    W(ports)                                                                                       \
    W(kept)                                                                                        \
    W(jobs_cap)                                                                                    \
    W(jobs_zero)                                                                                   \
    W(timers)                                                                                      \
    W(timers_cap)                                                                                  \
    W(endings)                                                                                     \
    W(endings_cap)                                                                                 \
    W(cache)                                                                                       \
    W(cache_cap)                                                                                   \
    W(mem)                                                                                         \
    W(mem_cap)                                                                                     \
    W(changes)                                                                                     \
    W(changes_cap)                                                                                 \
    W(failed)                                                                                      \
    W(failed_cap)                                                                                  \
    W(needs)                                                                                       \
    W(needs_cap)                                                                                   \
    W(covers)                                                                                      \
    W(nodes)
/* Not in the hash: the scenario's, of clones alone, or they follow from others. */
#define LP_HEAD_UNHASHED(W)                                                                        \
    W(schedule)                                                                                    \
    W(network)                                                                                     \
    W(lit)                                                                                         \
    W(stuck)                                                                                       \
    W(scales)                                                                                      \
    W(conditions)                                                                                  \
    W(epsilon)                                                                                     \
    W(fifo)                                                                                        \
    W(mark)                                                                                        \
    W(line)                                                                                        \
    W(known_from)                                                                                  \
    W(past_mark)                                                                                   \
    W(servers_mark)                                                                                \
    W(seen_cap)                                                                                    \
    W(aside)                                                                                       \
    W(declared_by)                                                                                 \
    W(entries)                                                                                     \
    W(round)                                                                                       \
    W(round_open)                                                                                  \
    W(ordered)                                                                                     \
    W(put_aside)                                                                                   \
    W(queue_rule)                                                                                  \
    W(declared)                                                                                    \
    W(unranked)                                                                                    \
    W(queue_zero)                                                                                  \
    W(shared)

/* Areas of the tally; the rest of the tally follows from jobs and events. */
#define LP_TALLY_AREAS(R)                                                                          \
    R(reserved_area)                                                                               \
    R(running_area)                                                                                \
    R(waiting_area)

#define LP_PUBLISHED_SUMS(R)                                                                       \
    R(steps)                                                                                       \
    R(compute)                                                                                     \
    R(dep)                                                                                         \
    R(flow)                                                                                        \
    R(cluster)                                                                                     \
    R(demand_compute)                                                                              \
    R(demand_dep)                                                                                  \
    R(demand_total)                                                                                \
    R(compute_frac)                                                                                \
    R(communication_frac)                                                                          \
    R(running)                                                                                     \
    R(workers)                                                                                     \
    R(channels)                                                                                    \
    R(worker_util)                                                                                 \
    R(cluster_util)                                                                                \
    R(load_rate)                                                                                   \
    R(load_rates)

#define LP_SIZE(member) +sizeof(((LpImage *)0)->member)
#define LP_SIZE_OF_POOL(pool, Type, size, used, room) +sizeof(((LpImage *)0)->at_##pool)
_Static_assert(0 LP_HEAD_REALS(LP_SIZE) LP_HEAD_COUNTS(LP_SIZE) LP_HEAD_BY_HAND(LP_SIZE)
                       LP_HEAD_LAYOUT(LP_SIZE) LP_HEAD_UNHASHED(LP_SIZE)
                           LP_IMAGE_POOLS(LP_SIZE_OF_POOL) == sizeof(LpImage),
               "each member of LpImage has one row, and there are no holes");
#undef LP_SIZE
#undef LP_SIZE_OF_POOL
#define LP_SIZE(member) +sizeof(((LpPublishedSums *)0)->member)
_Static_assert(0 LP_PUBLISHED_SUMS(LP_SIZE) == sizeof(LpPublishedSums),
               "each member of LpPublishedSums has one row");
#undef LP_SIZE

#endif
