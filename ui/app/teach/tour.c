/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tour: seven stops in the real program, told like a lesson. What its texts say of the run is
 * so in the default scenario with its own policy (tests/tui/test_keys.sh looks for each number on
 * the screen), so elsewhere that one is opened. */
#include <string.h>

#include "app/keep/keep.h"
#include "app/teach/teach.h"
#include "base/num.h"
#include "host/paths.h"
#include "model/lesson/lesson.h"

static const char SCENARIO[] = "pac-ml-32", POLICY[] = "meets-deadline";

#define COMMANDS(...)                                                                              \
    .commands = LP_COUNTOF(((const LpLessonCommand[]){__VA_ARGS__})),                              \
    .command = (const LpLessonCommand[]) {                                                         \
        __VA_ARGS__                                                                                \
    }

static const LpLessonStep stops[] = {
    {.title = "servers",
     .text = "SERVERS: a cell is a server, a letter the job that has it, a dot is free. Rows are "
             "groups, "
             "columns racks. A letter means the same job everywhere.\n"
             "Press {servers} to see them alone, {quit} to come back here, then {page-down}.",
     .highlight = "servers",
     COMMANDS({"seek d68", 0, 0})},
    {.title = "a job arrives",
     .text = "Q, a vgg16, has just arrived and needs servers. Its limit is 21.5 s: the longest JCT "
             "that it accepts. JCT is job completion time, from arriving until the last training "
             "step is "
             "done, waiting included.\n"
             "Press {words} to have words explained, {out} to end that.",
     .highlight = "jobs",
     COMMANDS({"seek d68", 0, 0})},
    {.title = "splitting",
     .text =
         "DECISION: how many servers should share Q? On one it takes 44.7 s: late. Three ways take "
         "15.4 s: in "
         "time, though now data must travel. The policy takes the fewest ways that are in time.\n"
         "Press {down} and {up} to look at other rows, {out} to leave them.",
     .highlight = "decision",
     COMMANDS({"seek d68", 0, 0})},
    {.title = "light",
     .text = "CIRCUITS: who talks to whom. The servers are joined by RAMP, an optical network: "
             "each has one "
             "transmitter to every group. A letter in a row and a column: that job sends light "
             "from the row's "
             "group to the column's.\n"
             "Press {next-decision}: Q starts, and lights its own.",
     .highlight = "circuits",
     COMMANDS({"seek d68", 0, 0})},
    {.title = "the price",
     .text =
         "Q has three servers now. 0.1 s later job 69 comes: only six ways would be in time, and "
         "now no block of six is free. It is blocked, turned away for good; without Q one would "
         "be. What one job takes, the next one may miss.\n"
         "Press {back-decision} to step back, {next-decision} to step on.",
     .highlight = "events",
     COMMANDS({"seek d69", 0, 0}, {"next", 0, 0})},
    {.title = "the curve",
     .text = "JCT: the share of all jobs that have arrived and were done within x seconds. A "
             "blocked job is never "
             "done, so the curve stays below 1: that gap is what policies fight for.\n"
             "Press {curve} to see it alone, {quit} to come back.",
     .highlight = "curves",
     COMMANDS({"seek 60 s", 0, 0})},
    {.title = "what if",
     .text = "Back at Q. Press {whatif}: every way to decide; again: what the whole run comes to "
             "with it. With the policy's three ways 17.0 % are blocked, with four as 1x4x1 15.3 %: "
             "what is best for a job is not always best for all. But this is one job of one run.\n"
             "{take} on a row begins a branch, with the same jobs to come; {compare} compares the "
             "two. The tour ends here: {quit} to the list, lesson 1.",
     .highlight = "decision",
     COMMANDS({"seek d68", 0, 0})},
};

static const LpLesson tour = {
    .minutes = 2, .goal = "what is on the screen", .steps = LP_COUNTOF(stops), .step = stops};

/* Are the texts true of this session? */
static bool fits(const LpApp *app) {
    const LpScenario *scenario = lp_session_scenario(app->session);
    return scenario->name && strcmp(scenario->name, SCENARIO) == 0 && lp_app_has_time(app) &&
           strcmp(lp_session_policy_name(app->session), POLICY) == 0;
}

/* In the default scenario, where one is not there already. */
static LpErr open_scenario(LpApp *app, LpDiag *diag) {
    LP_TRY(lp_app_open_other(app, SCENARIO, diag));
    app->next->tour = true;
    return LP_OK;
}

LpErr lp_app_tour(LpApp *app, uint32_t stop, int64_t now, LpDiag *diag) {
    if (!fits(app))
        return open_scenario(app, diag);
    if (stop >= tour.steps)
        return lp_fail(diag, LP_EINVAL, "the tour has %u stops", (unsigned)tour.steps);
    app->ui.lesson.lesson = &tour;
    app->ui.lesson.tour = true;
    return lp_app_lesson_go(app, stop, now, diag);
}

LpErr lp_app_run_tour(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) {
    uint64_t stop = 1;
    if (line->words > 0 && strcmp(line->word[0], "off") == 0) {
        lp_app_leave_tour(app);
        return LP_OK;
    }
    if (line->words > 0)
        LP_TRY(lp_num_parse_u64(line->word[0], &stop, diag));
    return lp_app_tour(app, stop > 0 && stop <= tour.steps ? (uint32_t)stop - 1 : tour.steps, now,
                       diag);
}
