/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each member of a job once, by what the hash of a world does with it: in the order of the hash,
 * which is in the files of sessions, so new rows go to the end of their group. R(member, range) is
 * a number of which LP_RANGE_##range holds at all times (state/validate_past.c), W(member) a whole
 * number or something smaller. What a member means stands in job.h. */
#ifndef LP_SIM_STATE_JOB_MEMBERS_H
#define LP_SIM_STATE_JOB_MEMBERS_H

#include "sim/state/job.h"

/* Always, in this order, and after the kind the orders: rules, or that they are lists. */
#define LP_JOB_REALS(R)                                                                            \
    R(asked.arrival, NOT_NEGATIVE)                                                                 \
    R(asked.steps, NOT_NEGATIVE)                                                                   \
    R(asked.fraction, NOT_NEGATIVE)                                                                \
    R(asked.sequential_jct, NOT_NEGATIVE)                                                          \
    R(asked.max_jct, NOT_NEGATIVE)                                                                 \
    R(asked.rigid_duration, NOT_NEGATIVE)                                                          \
    R(times.decided, NAN_OR_TIME)                                                                  \
    R(times.start, NAN_OR_TIME)                                                                    \
    R(times.end, NAN_OR_TIME)                                                                      \
    R(times.wait, NAN_OR_TIME)                                                                     \
    R(times.retry_at, NOT_NEGATIVE)                                                                \
    R(times.forecast_end, NAN_OR_TIME)                                                             \
    R(forecast.jct, NAN_OR_TIME)                                                                   \
    R(forecast.step_time, NAN_OR_TIME)                                                             \
    R(forecast.communication, NAN_OR_TIME)                                                         \
    R(forecast.computation, NAN_OR_TIME)                                                           \
    R(forecast.exposed, ANY)                                                                       \
    R(forecast.busy_area, NOT_NEGATIVE)                                                            \
    R(forecast.light_area, NOT_NEGATIVE)                                                           \
    R(published.worker_utilisation, NOT_NEGATIVE)                                                  \
    R(forecast.flow_bytes, NOT_NEGATIVE)                                                           \
    R(forecast.part_memory, NOT_NEGATIVE)                                                          \
    R(forecast.part_deps, NOT_NEGATIVE)                                                            \
    R(forecast.part_sequential, NOT_NEGATIVE)                                                      \
    R(times.waiting_since, NAN_OR_TIME)                                                            \
    R(times.running_since, NAN_OR_TIME)                                                            \
    R(work.steps_done, NOT_NEGATIVE)                                                               \
    R(work.attained, NOT_NEGATIVE)                                                                 \
    R(work.held_area, NOT_NEGATIVE)                                                                \
    R(work.stalled, NOT_NEGATIVE)                                                                  \
    R(work.past_busy, NOT_NEGATIVE)
#define LP_JOB_KINDS(W)                                                                            \
    W(id)                                                                                          \
    W(graph)                                                                                       \
    W(outcome)                                                                                     \
    W(cause)                                                                                       \
    W(kind)
#define LP_JOB_COUNTS(W)                                                                           \
    W(offers)                                                                                      \
    W(asked.spec)                                                                                  \
    W(placed.degree)                                                                               \
    W(placed.partition_degree)                                                                     \
    W(placed.ops)                                                                                  \
    W(placed.deps)                                                                                 \
    W(placed.servers)                                                                              \
    W(placed.circuits)                                                                             \
    W(placed.first_server)                                                                         \
    W(placed.peak_circuits)                                                                        \
    W(rank)                                                                                        \
    W(published.ticks)                                                                             \
    W(placed.plan_hash)                                                                            \
    W(asked.rigid_servers)                                                                         \
    W(queue.next)                                                                                  \
    W(queue.prev)                                                                                  \
    W(queue.offer_next)                                                                            \
    W(queue.held)                                                                                  \
    W(stops.preemptions)                                                                           \
    W(stops.moves)

/* Where a failure stopped it. */
#define LP_JOB_STOPPED(W)                                                                          \
    W(stops.count)                                                                                 \
    W(stops.stopped)
/* Where it was held up, or stopped while it read; after whether it stands still now. */
#define LP_JOB_HELD_UP(R)                                                                          \
    R(stops.stood_still, NOT_NEGATIVE)                                                             \
    R(stops.restart_left, NOT_NEGATIVE)
/* Where it works in pieces. */
#define LP_JOB_PIECES(R)                                                                           \
    R(pieces.interval, NOT_NEGATIVE)                                                               \
    R(pieces.cost, NOT_NEGATIVE)                                                                   \
    R(pieces.restart, NOT_NEGATIVE)                                                                \
    R(pieces.saved, NOT_NEGATIVE)                                                                  \
    R(pieces.mounted, NAN_OR_TIME)                                                                 \
    R(pieces.settle_now, ANY)                                                                      \
    R(pieces.restart_now, ANY)                                                                     \
    R(pieces.settling, NOT_NEGATIVE)                                                               \
    R(pieces.restarting, NOT_NEGATIVE)                                                             \
    R(pieces.checkpointing, NOT_NEGATIVE)                                                          \
    R(stops.lost, NOT_NEGATIVE)
/* Where its slice has lost light at some time; then `shared_part` too. */
#define LP_JOB_PACE(R)                                                                             \
    R(slice.drag, NOT_NEGATIVE)                                                                    \
    R(pieces.work_begun, NOT_NEGATIVE)                                                             \
    R(pieces.checkpoint_paid, NOT_NEGATIVE)                                                        \
    R(work.pace_lost, ANY)
/* Where it sends over links that jobs share, and on circuits. */
#define LP_JOB_SHARED(R)                                                                           \
    R(sharing.rate, NAN_OR_TIME)                                                                   \
    R(sharing.part_step, NOT_NEGATIVE)                                                             \
    R(sharing.sent, NOT_NEGATIVE)                                                                  \
    R(sharing.sent_exposed, ANY)
/* Where flows are not always on. */
#define LP_JOB_PHASE(R)                                                                            \
    R(sharing.work_done, NOT_NEGATIVE)                                                             \
    R(sharing.idle_left, NOT_NEGATIVE)                                                             \
    R(sharing.send_left, NOT_NEGATIVE)
/* On circuits. */
#define LP_JOB_LIGHT_SUMS(R)                                                                       \
    R(light.reconfiguring, NOT_NEGATIVE)                                                           \
    R(light.unlit, NOT_NEGATIVE)                                                                   \
    R(light.reading, NOT_NEGATIVE)

/* In the hash in a form of their own. */
#define LP_JOB_BY_HAND(R, W)                                                                       \
    W(placed.orders)                                                                               \
    W(slice.row)                                                                                   \
    W(queue.waits_for)                                                                             \
    W(slice.shape)                                                                                 \
    R(queue.waits_since, NAN_OR_TIME)                                                              \
    W(queue.waited)                                                                                \
    W(stops.answering)                                                                             \
    R(slice.shared_part, NOT_NEGATIVE)                                                             \
    W(sharing.paces)                                                                               \
    W(sharing.phase)                                                                               \
    W(sharing.partners)                                                                            \
    W(light.dark)
/* Not in the hash: they follow from others, or are numbers of a store or context, which depend on
 * what else it was asked. */
#define LP_JOB_UNHASHED(R, W)                                                                      \
    W(cached)                                                                                      \
    W(placed.valid_degrees)                                                                        \
    W(placed.partition)                                                                            \
    W(placed.placement)                                                                            \
    W(placed.step)                                                                                 \
    W(placed.scales)                                                                               \
    W(stops.by)                                                                                    \
    W(queue.ends_at)                                                                               \
    W(queue.need)                                                                                  \
    W(queue.row)                                                                                   \
    W(queue.listed)                                                                                \
    W(queue.child)                                                                                 \
    W(queue.sibling)                                                                               \
    W(queue.before)                                                                                \
    W(queue.ranked)                                                                                \
    W(queue.round)                                                                                 \
    R(queue.key, ANY)                                                                              \
    W(queue.entry)                                                                                 \
    W(queue.spells)                                                                                \
    W(queue.spells_zero)                                                                           \
    W(placed.earlier)                                                                              \
    W(sharing.load)                                                                                \
    W(light.network)                                                                               \
    R(times.queued, NOT_NEGATIVE)                                                                  \
    R(times.put_aside, NOT_NEGATIVE)                                                               \
    R(times.requeued, NOT_NEGATIVE)                                                                \
    R(times.turned_away, NOT_NEGATIVE)

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
