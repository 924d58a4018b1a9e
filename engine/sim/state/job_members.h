/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each member of a job once, by what the hash of a world does with it: in the order of the hash,
 * which is in the files of sessions, so new rows go to the end of their group. R(member, range) is
 * a number of which LP_RANGE_##range holds at all times (state/validate_past.c), W(member) a whole
 * number or something smaller. What a member means stands in state.h. */
#ifndef LP_SIM_STATE_JOB_MEMBERS_H
#define LP_SIM_STATE_JOB_MEMBERS_H

#include "sim/state/state.h"

/* Always, in this order, and after the kind the orders: rules, or that they are lists. */
#define LP_JOB_REALS(R)                                                                            \
    R(arrival, NOT_NEGATIVE)                                                                       \
    R(steps, NOT_NEGATIVE)                                                                         \
    R(fraction, NOT_NEGATIVE)                                                                      \
    R(sequential_jct, NOT_NEGATIVE)                                                                \
    R(max_jct, NOT_NEGATIVE)                                                                       \
    R(rigid_duration, NOT_NEGATIVE)                                                                \
    R(decided, NAN_OR_TIME)                                                                        \
    R(start, NAN_OR_TIME)                                                                          \
    R(end, NAN_OR_TIME)                                                                            \
    R(wait, NAN_OR_TIME)                                                                           \
    R(retry_at, NOT_NEGATIVE)                                                                      \
    R(forecast_end, NAN_OR_TIME)                                                                   \
    R(jct, NAN_OR_TIME)                                                                            \
    R(step_time, NAN_OR_TIME)                                                                      \
    R(communication, NAN_OR_TIME)                                                                  \
    R(computation, NAN_OR_TIME)                                                                    \
    R(exposed, ANY)                                                                                \
    R(busy_area, NOT_NEGATIVE)                                                                     \
    R(light_area, NOT_NEGATIVE)                                                                    \
    R(worker_utilisation, NOT_NEGATIVE)                                                            \
    R(flow_bytes, NOT_NEGATIVE)                                                                    \
    R(part_memory, NOT_NEGATIVE)                                                                   \
    R(part_deps, NOT_NEGATIVE)                                                                     \
    R(part_sequential, NOT_NEGATIVE)                                                               \
    R(waiting_since, NAN_OR_TIME)                                                                  \
    R(running_since, NAN_OR_TIME)                                                                  \
    R(steps_done, NOT_NEGATIVE)                                                                    \
    R(attained, NOT_NEGATIVE)                                                                      \
    R(held_area, NOT_NEGATIVE)                                                                     \
    R(stalled, NOT_NEGATIVE)                                                                       \
    R(past_busy, NOT_NEGATIVE)
#define LP_JOB_KINDS(W)                                                                            \
    W(id)                                                                                          \
    W(graph)                                                                                       \
    W(outcome)                                                                                     \
    W(cause)                                                                                       \
    W(kind)
#define LP_JOB_COUNTS(W)                                                                           \
    W(offers)                                                                                      \
    W(spec)                                                                                        \
    W(degree)                                                                                      \
    W(partition_degree)                                                                            \
    W(ops)                                                                                         \
    W(deps)                                                                                        \
    W(servers)                                                                                     \
    W(circuits)                                                                                    \
    W(first_server)                                                                                \
    W(peak_circuits)                                                                               \
    W(rank)                                                                                        \
    W(ticks)                                                                                       \
    W(plan_hash)                                                                                   \
    W(rigid_servers)                                                                               \
    W(next)                                                                                        \
    W(prev)                                                                                        \
    W(offer_next)                                                                                  \
    W(held)                                                                                        \
    W(preemptions)                                                                                 \
    W(moves)

/* Where a failure stopped it. */
#define LP_JOB_STOPPED(W)                                                                          \
    W(stops)                                                                                       \
    W(stopped)
/* Where it was held up, or stopped while it read; after whether it stands still now. */
#define LP_JOB_HELD_UP(R)                                                                          \
    R(held_up, NOT_NEGATIVE)                                                                       \
    R(unread, NOT_NEGATIVE)
/* Where it works in pieces. */
#define LP_JOB_PIECES(R)                                                                           \
    R(interval, NOT_NEGATIVE)                                                                      \
    R(cost, NOT_NEGATIVE)                                                                          \
    R(restart, NOT_NEGATIVE)                                                                       \
    R(saved, NOT_NEGATIVE)                                                                         \
    R(mounted, NAN_OR_TIME)                                                                        \
    R(settle_now, ANY)                                                                             \
    R(restart_now, ANY)                                                                            \
    R(settling, NOT_NEGATIVE)                                                                      \
    R(restarting, NOT_NEGATIVE)                                                                    \
    R(checkpointing, NOT_NEGATIVE)                                                                 \
    R(lost, NOT_NEGATIVE)
/* Where its slice has lost light at some time; then `share` too. */
#define LP_JOB_PACE(R)                                                                             \
    R(drag, NOT_NEGATIVE)                                                                          \
    R(begun, NOT_NEGATIVE)                                                                         \
    R(paid, NOT_NEGATIVE)                                                                          \
    R(slow, ANY)
/* Where it sends over links that jobs share, and on circuits. */
#define LP_JOB_SHARED(R)                                                                           \
    R(rate, NAN_OR_TIME)                                                                           \
    R(part_step, NOT_NEGATIVE)                                                                     \
    R(sent, NOT_NEGATIVE)                                                                          \
    R(sent_exposed, ANY)
/* Where flows are not always on. */
#define LP_JOB_PHASE(R)                                                                            \
    R(own_work, NOT_NEGATIVE)                                                                      \
    R(quiet, NOT_NEGATIVE)                                                                         \
    R(wire, NOT_NEGATIVE)
/* On circuits. */
#define LP_JOB_LIGHT_SUMS(R)                                                                       \
    R(reconfiguring, NOT_NEGATIVE)                                                                 \
    R(unlit, NOT_NEGATIVE)                                                                         \
    R(reading, NOT_NEGATIVE)

/* In the hash in a form of their own. */
#define LP_JOB_BY_HAND(R, W)                                                                       \
    W(orders)                                                                                      \
    W(slice)                                                                                       \
    W(waits_for)                                                                                   \
    W(shape)                                                                                       \
    R(waits_since, NAN_OR_TIME)                                                                    \
    W(waited)                                                                                      \
    W(answering)                                                                                   \
    R(share, NOT_NEGATIVE)                                                                         \
    W(paces)                                                                                       \
    W(phase)                                                                                       \
    W(partners)                                                                                    \
    W(dark)
/* Not in the hash: they follow from others, or are numbers of a store or context, which depend on
 * what else it was asked. */
#define LP_JOB_UNHASHED(R, W)                                                                      \
    W(cached)                                                                                      \
    W(valid_degrees)                                                                               \
    W(partition)                                                                                   \
    W(placement)                                                                                   \
    W(step)                                                                                        \
    W(scales)                                                                                      \
    W(stopped_by)                                                                                  \
    W(ends_at)                                                                                     \
    W(earlier)                                                                                     \
    W(load)                                                                                        \
    W(network)                                                                                     \
    R(queued, NOT_NEGATIVE)                                                                        \
    R(put_aside, NOT_NEGATIVE)                                                                     \
    R(requeued, NOT_NEGATIVE)                                                                      \
    R(turned_away, NOT_NEGATIVE)

/* All of them. */
#define LP_JOB_MEMBERS(R, W)                                                                       \
    LP_JOB_REALS(R)                                                                                \
    LP_JOB_KINDS(W)                                                                                \
    LP_JOB_COUNTS(W)                                                                               \
    LP_JOB_STOPPED(W)                                                                              \
    LP_JOB_HELD_UP(R)                                                                              \
    LP_JOB_PIECES(R)                                                                               \
    LP_JOB_PACE(R)                                                                                 \
    LP_JOB_SHARED(R)                                                                               \
    LP_JOB_PHASE(R)                                                                                \
    LP_JOB_LIGHT_SUMS(R)                                                                           \
    LP_JOB_BY_HAND(R, W)                                                                           \
    LP_JOB_UNHASHED(R, W)

#define LP_SIZE_OF_REAL(member, range) +sizeof((LpJob *)0)->member
#define LP_SIZE_OF_WHOLE(member) +sizeof((LpJob *)0)->member
_Static_assert(0 LP_JOB_MEMBERS(LP_SIZE_OF_REAL, LP_SIZE_OF_WHOLE) == sizeof(LpJob),
               "each member of LpJob has one row, and there are no holes");
#undef LP_SIZE_OF_REAL
#undef LP_SIZE_OF_WHOLE

#endif
