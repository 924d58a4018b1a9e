/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What keys mean in each view: one table, from which the first part of the help comes. All other
 * keys mean the same everywhere (keymap.h). */
#ifndef LP_UI_VIEWS_HELP_KEYS_H
#define LP_UI_VIEWS_HELP_KEYS_H

#include "app/layout.h"

/* X(PANE, "keys", "what they do there"); COUNT is the main screen. */
#define LP_VIEW_KEY_TABLE(X)                                                                       \
    X(COUNT, "Up Down", "mark a row of the decision")                                              \
    X(COUNT, "Enter", "decide with it: forks; without one: into the decision")                     \
    X(COUNT, "Tab", "next stage of the decision, on the boards as well")                           \
    X(COUNT, "} {", "its frames one by one; also of a start, a block, an end")                     \
    X(COUNT, "x", "what the policy weighed")                                                       \
    X(DECISION, "Tab", "next of the five stages; S-Tab the one before")                            \
    X(DECISION, "} {", "next and previous frame of the stage; space holds one")                    \
    X(DECISION, "Up Down", "mark a row of the table")                                              \
    X(DECISION, "Enter", "decide with it: forks; without one: into the training step")             \
    X(SERVERS, "arrows", "move the cursor; what is known of it stands below or beside")            \
    X(SERVERS, "Z z", "racks and groups for servers, closer again")                                \
    X(SERVERS, "v", "heights: time computing, memory held, taken")                                 \
    X(SERVERS, "Enter", "look into a rack or group; of a server: its job's training step")         \
    X(SERVERS, "x", "the story of its job")                                                        \
    X(CIRCUITS, "arrows", "move the cursor over pairs of groups")                                  \
    X(CIRCUITS, "Enter z", "into two groups: transmitters by wavelengths; there the job's step")   \
    X(CIRCUITS, "PgUp PgDn", "inside: through the slots of the marked circuit")                    \
    X(CIRCUITS, "Z Esc", "all groups again")                                                       \
    X(JOBS, "Up Down", "mark a job")                                                               \
    X(JOBS, "Enter", "one training step of the job")                                               \
    X(JOBS, "x", "its story: why, where its time went")                                            \
    X(JOBS, "b", "who is to blame for it")                                                         \
    X(JOBS, "s S", "sort by the next column, the other way round")                                 \
    X(JOBS, "F", "only jobs that have a text in graph, state or cause")                            \
    X(JOBS, "/", "search; then n N next and previous match, Esc ends")                             \
    X(EVENTS, "Up Down", "mark an event")                                                          \
    X(EVENTS, "Enter", "go to the moment right after it")                                          \
    X(EVENTS, "F", "only events that have a text in them")                                         \
    X(EVENTS, "/", "search; then n N next and previous match, Esc ends")                           \
    X(POLICY, "Up Down", "scroll the source")                                                      \
    X(POLICY, "/", "search; then n N next and previous match, Esc ends")                           \
    X(CURVE, "Up Down", "the next curve: over time, by model, blocking, busy ...")                 \
    X(CURVE, "Left Right", "read off along the curve; Home, End")                                  \
    X(CURVE, "Enter", "go to the time that is read off")                                           \
    X(CURVE, "v", "arrived or completed jobs only")                                                \
    X(WHATIF, "Up Down", "mark a row")                                                             \
    X(WHATIF, "Enter f", "decide so: forks")                                                       \
    X(WHATIF, "w", "run the best rows to the end; Esc stops")                                      \
    X(NETWORK, "Up Down", "mark an answer: what moved the network towards it, or off it")          \
    X(NETWORK, "Enter", "decide with it: forks")                                                   \
    X(NETWORK, "v", "the policy's next network")                                                   \
    X(CONSOLE, "Enter", "a line of Lua; in it Tab completes, Up Down the lines before")            \
    X(CONSOLE, "Up Down", "scroll what was said")                                                  \
    X(BRANCHES, "Up Down", "mark a branch")                                                        \
    X(BRANCHES, "Left Right", "move the cursor along its track")                                   \
    X(BRANCHES, "Enter", "go to the moment under the cursor")                                      \
    X(BRANCHES, "m", "set a bookmark at the present moment")                                       \
    X(BRANCHES, "c", "compare it with the current one")                                            \
    X(BRANCHES, "r D", "rename, delete (asks)")                                                    \
    X(STEP, "Left Right", "move the scrubber")                                                     \
    X(STEP, "z Z", "look closer, see more")                                                        \
    X(STEP, "space", "play the step")                                                              \
    X(STEP, "v", "servers, pairs, the critical path")                                              \
    X(GRAPH, "arrows", "to the next op along an edge, or beside it")                               \
    X(GRAPH, "z Z", "look closer: numbers, names and times; see all of it")                        \
    X(GRAPH, "v", "as profiled, or both passes as cut and placed")                                 \
    X(GRAPH, "Enter", "the job's training step")                                                   \
    X(LEARNING, "Up Down", "the next chart: reward, blocked, entropy, kl, losses ...")             \
    X(LEARNING, "Enter", "the chart alone, or all again")                                          \
    X(LEARNING, "Left Right", "read off along the curves; Home, End")                              \
    X(LEARNING, "v", "reward and blocked as evaluated, or while exploring")                        \
    X(STUDY, "Left Right", "read off at a point")                                                  \
    X(STUDY, "Up Down", "blocking rate, mean JCT, throughputs")                                    \
    X(STUDY, "Enter", "the metric alone")                                                          \
    X(STUDY, "v", "curves, or numbers with their intervals")                                       \
    X(COMPARE, "d", "to the next decision that the two take otherwise")                            \
    X(COMPARE, "v", "jobs that differ, or one of the curves")                                      \
    X(COMPARE, "Up Down", "scroll the jobs")

#endif
