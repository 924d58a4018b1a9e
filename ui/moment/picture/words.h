/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A moment in words. */
#ifndef LP_UI_MOMENT_WORDS_H
#define LP_UI_MOMENT_WORDS_H

#include "moment/picture/model.h"
#include "sim/facts/identity.h"
#include "widgets/show.h"

/* Jobs without a graph, all together: "rigid", on a pod "slices". */
const char *lp_words_rigid(const LpModel *model);
/* Name of the job's graph; without one the name that its user gave it, else "rigid", on a pod the
 * slice that it has or asks for. */
const char *lp_words_graph(const LpModel *model, const LpJob *job);
/* A job by its label and graph: "job 7 resnet18", "llama-70b" of a rigid one that has a name. By
 * value, for arguments of a printing call. */
enum { LP_WORDS_NAME = 160 };
typedef struct LpWordsName {
    char text[LP_WORDS_NAME];
} LpWordsName;
LpWordsName lp_words_name(const LpModel *model, const LpJob *job);
/* What "x4" says of a job: its partition degree; servers of a rigid job. */
uint32_t lp_words_ways(const LpJob *job);
/* Are there graphs that are split by plans? */
bool lp_words_has_plans(const LpModel *model);
enum { LP_WORDS_CUT = 64 };
/* How a job is cut, for columns: "x4", or the ways of its plan, "t8 p4 d2". Returns out. */
const char *lp_words_cut(const LpModel *model, const LpJob *job, char out[LP_WORDS_CUT]);
const char *lp_words_cut_by(const LpModel *model, uint32_t partition, uint32_t ways,
                            char out[LP_WORDS_CUT]);
const char *lp_words_cut_of(const LpCandidate *way, char out[LP_WORDS_CUT]);
/* The same in a sentence: "4 ways", "plan t8 p4 d2"; "3 servers" of a rigid job. */
const char *lp_words_split(const LpModel *model, const LpJob *job, char out[LP_WORDS_CUT]);
const char *lp_words_split_of(const LpCandidate *way, char out[LP_WORDS_CUT]);

enum { LP_WORDS_JOB = LP_LABEL_TEXT };
/* A job in a sentence: its letter where it has one, else its label. Returns out. */
const char *lp_words_job(const LpModel *model, const LpJob *job, char out[LP_WORDS_JOB]);
/* Where a server stands: "group 3, rack 1", "server 5" where there are no racks; brief: "g3r1". */
void lp_words_place(const LpModel *model, uint32_t server, bool brief, LpBuf *out);
/* The marked or chosen plan as a block: "2 groups x 2 racks x 1 server". */
void lp_words_shape(const LpShape *shape, LpBuf *out);

/* One event as a line, without its time: "E job 4 gnmt starts, 2 ways, g2 g3 r0"; brief: without
 * the number. */
void lp_words_event(const LpModel *model, const LpEvent *event, LpBuf *out);
void lp_words_event_brief(const LpModel *model, const LpEvent *event, LpBuf *out);

/* A time of the run in a column: "5 000.0" (lp_show_clock), where the scenario has an epoch a date
 * that is as short as the length of the run allows. Returns out. */
const char *lp_words_clock(const LpModel *model, double time, char out[LP_SHOW_TEXT]);
/* A time in a sentence, "5 000.0 s", and one that begins with what it is, "t 5 000.0 s"; or dates.
 * Each returns out. */
enum { LP_WORDS_TIME = LP_SHOW_TEXT + 8 };
const char *lp_words_at(const LpModel *model, double time, char out[LP_WORDS_TIME]);
const char *lp_words_time(const LpModel *model, double time, char out[LP_WORDS_TIME]);
/* A time at an end of an axis that is `span` s long: "14:05" or "Mon 2" where the scenario has an
 * epoch, else "5 000 s". Returns out. */
const char *lp_words_axis(const LpModel *model, double time, double span, char out[LP_SHOW_TEXT]);

/* An event as a line with its time. */
void lp_words_event_at(const LpModel *model, const LpEvent *event, LpBuf *out);

/* The servers by rack, "g2r0 g3r0"; by number where there are no racks; at most `most` names, then
 * how many more. */
void lp_words_servers(const LpModel *model, const uint32_t *server, uint32_t count, int most,
                      LpBuf *out);

/* What a forecast comes to in a few words (brief: in fewer where it is accepted), and its colour.
 */
LpStyle lp_words_verdict(const LpJob *job, const LpForecast *forecast, bool allowed,
                         uint32_t free_after, bool brief, LpBuf *out);

/* "12 predictions, 31 415 instructions, 0.63 % of the budget" */
void lp_words_cost(const LpModel *model, LpBuf *out);

#endif
