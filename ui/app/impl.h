/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the explorer; private to ui/app*.c. */
#ifndef LP_UI_APP_IMPL_H
#define LP_UI_APP_IMPL_H

#include "app/app.h"
#include "app/command.h"

/* --- app.c --- */

/* The message in place of the keys. */
void lp_app_say(LpApp *app, bool bad, const char *fmt, ...) LP_PRINTF(3, 4);
/* What a key of the action does. */
void lp_app_act(LpApp *app, LpUiAction action, int64_t now);
/* A message with keys by their defaults in braces (lp_keymap_text). */
void lp_app_tell(LpApp *app, const char *text);
/* Is all well? Else playing stops, the message is shown, and app->failed is set. */
bool lp_app_check(LpApp *app, LpErr err, const LpDiag *diag);

/* --- app/play.c: going on --- */

bool lp_app_is_due(const LpApp *app);
bool lp_app_is_over(const LpApp *app);
/* Takes a changed policy file. A broken save stops playing and leaves the old policy in charge. */
void lp_app_poll(LpApp *app);
/* Something else is to be seen: the cursor is where it begins. */
void lp_app_arrive(LpApp *app);
void lp_app_to_decision(LpApp *app);
/* `count` events, or decisions, on, unless the user stops it. */
void lp_app_next(LpApp *app, bool decision, long count);
/* Decides with the marked row. */
void lp_app_take_row(LpApp *app);
/* Decides so instead of the policy; takes its own answer as a step. */
void lp_app_answer(LpApp *app, const LpAnswer *answer, bool policys);
void lp_app_play(LpApp *app, bool play, int64_t now);

/* --- app/panes.c: keys that mean something else in each view --- */

/* What they do there; NULL: what they do everywhere. */
typedef struct LpPaneActs {
    void (*move)(LpApp *app, int lines);    /* Up, Down and pages */
    void (*along)(LpApp *app, int columns); /* Left, Right */
    void (*zoom)(LpApp *app, bool in);
    void (*variant)(LpApp *app);
    void (*take)(LpApp *app);    /* Enter */
    void (*explain)(LpApp *app); /* x */
    void (*play)(LpApp *app, int64_t now);
} LpPaneActs;

/* Of the view that is shown alone; nothing while a page or the help lies over it. Never NULL. */
const LpPaneActs *lp_app_pane_acts(const LpApp *app);

/* --- app/view.c: the screen's own state --- */

/* Moves the cursor, or what is shown, by so many lines. */
void lp_app_move(LpApp *app, int lines);
void lp_app_move_in_degrees(LpApp *app, int lines);
void lp_app_move_in_whatif(LpApp *app, int lines);
void lp_app_stage(LpApp *app, int by);
void lp_app_show(LpApp *app, LpPane pane);
/* The same, and leaving it leads back to what is shown now. */
void lp_app_enter(LpApp *app, LpPane pane);
/* A text over the screen. Lines are paragraphs; "# " begins a heading, a tab sets what is left of
 * it apart. */
void lp_app_page(LpApp *app, const char *title, const LpBuf *text);
/* Leaves the innermost of page, help, and view alone; false when there is none. */
bool lp_app_leave(LpApp *app);
/* ... then the marked row; and stops playing when nothing is left to leave. */
void lp_app_out(LpApp *app);

/* --- views/decision/acts.c: looking into the decision that is due --- */

void lp_app_explain(LpApp *app);
/* Opens the what-if table; where it is open, runs the best rows to the end (best 0: all). */
void lp_app_whatif(LpApp *app);
LpErr lp_app_whatif_end(LpApp *app, uint32_t best, LpDiag *diag) LP_MUST_USE;
/* Where there is a clock the rows run on other threads: do they, and what they found by now. */
bool lp_app_whatif_works(const LpApp *app);
void lp_app_whatif_tick(LpApp *app, int64_t now);
/* False when nothing was running. */
bool lp_app_stop_whatif(LpApp *app);
/* The same, and waits for the threads. */
void lp_app_drop_whatif(LpApp *app);
/* Where the decision has the screen for itself: moves in the table of the stage; decides with the
 * marked row, or looks into the training step. */
void lp_app_decision_move(LpApp *app, int lines);
void lp_app_decision_take(LpApp *app);
/* The policy's next network; decides with the marked answer. */
void lp_app_network_next(LpApp *app);
void lp_app_network_take(LpApp *app);
/* Decides as the marked row of the what-if table says. */
void lp_app_take_whatif(LpApp *app);

/* --- app/time.c: the time machine; lp_app_has_time must hold --- */

bool lp_app_has_time(const LpApp *app);
void lp_app_undo(LpApp *app, bool redo);
/* One event, or decision, back. */
void lp_app_back(LpApp *app, bool decision);
/* To a moment in words (run/moment/moment.h). */
LpErr lp_app_seek(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
/* By this share of the time line. */
void lp_app_along(LpApp *app, double share);
void lp_app_page_of_time(LpApp *app, int by);
void lp_app_to_end(LpApp *app, bool tip);
/* To a moment of any branch, to be undone like a seek. */
LpErr lp_app_go_to(LpApp *app, LpMoment moment, LpDiag *diag) LP_MUST_USE;
/* To a step of this branch. */
void lp_app_visit(LpApp *app, uint64_t step);
/* Call after leaving a moment: it can be come back to with undo. */
void lp_app_left(LpApp *app, LpMoment from);
/* A fork, or a change of conditions, in words (run/moment/moment.h). */
LpErr lp_app_fork(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
LpErr lp_app_fork_answer(LpApp *app, const LpAnswer *answer, LpDiag *diag) LP_MUST_USE;
LpErr lp_app_change(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
LpErr lp_app_switch(LpApp *app, const char *name, LpDiag *diag) LP_MUST_USE;
LpErr lp_app_switch_to(LpApp *app, uint32_t branch, LpDiag *diag) LP_MUST_USE;
/* old NULL: the current branch. */
LpErr lp_app_rename(LpApp *app, const char *old, const char *name, LpDiag *diag) LP_MUST_USE;
LpErr lp_app_delete(LpApp *app, const char *name, LpDiag *diag) LP_MUST_USE;
/* name NULL: the branch that was left last, or the parent. */
LpErr lp_app_compare(LpApp *app, const char *name, LpDiag *diag) LP_MUST_USE;

/* --- app/motion.c: frames of a decision and of events (motion.h) --- */

/* How long a frame is shown while playing, ms; 0: none are. */
int64_t lp_app_frame_ms(const LpApp *app);
/* While playing: the first frame of a new moment, and the next one of the same; false after the
 * last one. */
void lp_app_first_frame(LpApp *app);
bool lp_app_next_shown_frame(LpApp *app);
/* In a terminal the frames of this stage go by, until a key is pressed. */
void lp_app_begin_motion(LpApp *app, int64_t now);
void lp_app_end_motion(LpApp *app);
void lp_app_motion_tick(LpApp *app, int64_t now);
/* One frame on or back, over the stages too. */
void lp_app_frame(LpApp *app, int by);
/* "3", "last", "next", "back", "off". */
LpErr lp_app_frame_to(LpApp *app, const char *word, LpDiag *diag) LP_MUST_USE;

/* --- views/jobs/acts.c: the table of jobs --- */

void lp_app_jobs_move(LpApp *app, int by);
/* The marked job, LP_NO_INDEX: none. */
uint32_t lp_app_jobs_marked(const LpApp *app);
/* Sorts by the next column, or the other way round. */
void lp_app_jobs_sort(LpApp *app, bool turn);
/* The marked job's step, story, and who is to blame for its trouble. */
void lp_app_jobs_step(LpApp *app);
void lp_app_jobs_story(LpApp *app);
void lp_app_jobs_blame(LpApp *app);
void lp_app_jobs_filter(LpApp *app, const char *text);
/* The story of a job as a page. */
LpErr lp_app_story(LpApp *app, uint32_t job, LpDiag *diag) LP_MUST_USE;

/* --- views/branches/acts.c: the time line as a tree --- */

void lp_app_branches_move(LpApp *app, int lines);
/* The cursor along the track of the marked branch, and going to where it stands. */
void lp_app_branches_along(LpApp *app, int columns);
void lp_app_branches_take(LpApp *app);

/* --- views/console/acts.c: Lua over the moment --- */

/* Shows the console and begins a line. */
void lp_app_console_open(LpApp *app);
void lp_app_console_scroll(LpApp *app, int lines);
void lp_app_console_ask(LpApp *app, const char *text);
/* Where the name before the cursor begins, the names that may stand there (a line each), and what
 * is known of it. */
size_t lp_app_console_word(const LpPrompt *prompt);
void lp_app_console_words(const char *prefix, LpBuf *out);
void lp_app_console_hint(const LpPrompt *prompt, char *hint, size_t size);

/* --- views/events/acts.c: the log of events --- */

void lp_app_events_move(LpApp *app, int by);
/* To the moment right after the marked event. */
void lp_app_events_go(LpApp *app);
void lp_app_events_filter(LpApp *app, const char *text);

/* --- app/search.c: / and n, N --- */

/* Does n mean the next match? */
bool lp_app_searches(const LpApp *app);
void lp_app_ask_search(LpApp *app);
/* Looks for the text in what is shown, from the cursor on. LP_ESTATE where that cannot be. */
LpErr lp_app_search(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
void lp_app_next_match(LpApp *app, int by);
void lp_app_end_search(LpApp *app);

/* --- views/step/acts.c: the view of one training step --- */

void lp_app_step_along(LpApp *app, int columns);
void lp_app_step_zoom(LpApp *app, bool in);
void lp_app_step_row(LpApp *app, int by);
/* The next choice of rows. */
void lp_app_step_rows(LpApp *app);
void lp_app_step_play(LpApp *app, int64_t now);
/* The scrubber moves on by a frame. */
void lp_app_step_frame(LpApp *app);
/* Shows the step of a job; LP_NO_INDEX: of the decision. */
void lp_app_step_of(LpApp *app, uint32_t job);

/* --- views/servers/acts.c: the board of servers --- */

void lp_app_servers_move(LpApp *app, int lines);
void lp_app_servers_along(LpApp *app, int columns);
/* Server, rack, group. */
void lp_app_servers_zoom(LpApp *app, bool in);
/* The next meaning of a cell's height. */
void lp_app_servers_fill(LpApp *app);
/* Looks into a group or rack; of a server: the step of its job. */
void lp_app_servers_take(LpApp *app);
void lp_app_servers_story(LpApp *app);

/* --- views/circuits/acts.c: the board of circuits --- */

void lp_app_circuits_move(LpApp *app, int lines);
void lp_app_circuits_along(LpApp *app, int columns);
/* Circuit by circuit between two groups, or groups again. */
void lp_app_circuits_zoom(LpApp *app, bool in);
/* Into two groups; of a circuit: the step of the job that lights it. */
void lp_app_circuits_take(LpApp *app);
/* From two groups back to all; false when that is what is shown. */
bool lp_app_circuits_leave(LpApp *app);

/* --- views/curves/acts.c: the curves --- */

void lp_app_curves_move(LpApp *app, int lines);
void lp_app_curves_along(LpApp *app, int columns);
/* Is a part of them still to be worked out? It is with the next pictures. */
bool lp_app_curves_work(const LpApp *app);
/* To the time under the cursor. */
void lp_app_curves_take(LpApp *app);

/* --- views/learning/acts.c: learning curves in files --- */

/* Shows the files, which are followed from now on; without words those that were shown last. */
LpErr lp_app_learning(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
void lp_app_drop_learning(LpApp *app);
/* When they are looked at next, -1: they are not shown. */
int64_t lp_app_learning_deadline(const LpApp *app);
void lp_app_learning_tick(LpApp *app, int64_t now);
void lp_app_learning_move(LpApp *app, int lines);
void lp_app_learning_along(LpApp *app, int columns);
void lp_app_learning_take(LpApp *app);
void lp_app_learning_variant(LpApp *app);
/* A line of CSV for each update. */
LpErr lp_app_learning_table(LpApp *app, LpBuf *out, LpDiag *diag) LP_MUST_USE;

/* --- views/study/acts.c: a study of the experiment from a file --- */

/* Shows the file; without words the one that was shown last. */
LpErr lp_app_study(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
void lp_app_drop_study(LpApp *app);
void lp_app_study_move(LpApp *app, int lines);
void lp_app_study_along(LpApp *app, int columns);
void lp_app_study_take(LpApp *app);
void lp_app_study_variant(LpApp *app);
/* A line of CSV for each mean. */
LpErr lp_app_study_table(LpApp *app, LpBuf *out, LpDiag *diag) LP_MUST_USE;

/* --- views/graph/acts.c: the view of a computation graph --- */

void lp_app_graph_move(LpApp *app, int lines);
void lp_app_graph_along(LpApp *app, int columns);
void lp_app_graph_zoom(LpApp *app, bool in);
/* Before or after the partition. */
void lp_app_graph_variant(LpApp *app);
/* The step of the same job. */
void lp_app_graph_step(LpApp *app);
/* Shows the graph of a job; LP_NO_INDEX: of the decision. */
void lp_app_graph_of(LpApp *app, uint32_t job);
/* The same for the job that the view marks. */
void lp_app_graph_here(LpApp *app);
/* Is a drawing waited for? The view is drawn anew once it is there. */
bool lp_app_graph_works(const LpApp *app);
void lp_app_graph_tick(LpApp *app, int64_t now);

/* --- app/ghost.c: what the saved policy would have decided; and bookmarks --- */

/* Calls up the ghost of the run so far, from the last bookmark on the way here, or the start. */
LpErr lp_app_ghost(LpApp *app, LpDiag *diag) LP_MUST_USE;
void lp_app_drop_ghost(LpApp *app);
/* Has the ghost work to do? */
bool lp_app_ghost_works(const LpApp *app);
/* Lets it work for a while. */
void lp_app_ghost_tick(LpApp *app);
/* To the decision about the next job whose fate differs. */
void lp_app_next_difference(LpApp *app);
/* Makes the ghost a branch. */
void lp_app_take_ghost(LpApp *app);
/* Sets a bookmark here, or takes it away. */
void lp_app_bookmark(LpApp *app);
/* To the bookmark before this moment, or the last one. */
void lp_app_to_bookmark(LpApp *app);
void lp_app_forget_bookmarks(LpApp *app, uint32_t branch);

/* --- app/mouse.c --- */

/* The explorer has the mouse, or the terminal. */
void lp_app_take_mouse(LpApp *app, bool take);

/* --- app/yank.c, app/yank_pane.c --- */

enum { LP_YANK_MOST = 65536 }; /* bytes for the clipboard */

/* The present moment as a command line; path NULL: only shown and handed to the terminal. */
LpErr lp_app_yank(LpApp *app, const char *path, LpDiag *diag) LP_MUST_USE;
/* What a pane shows as text, LP_PANE_COUNT: what is shown alone, or over all, or everything; a path
 * FILE.csv gets its table, and no path the clipboard. LP_EINVAL, LP_ESTATE, LP_EIO, LP_ELIMIT. */
LpErr lp_app_yank_pane(LpApp *app, LpPane pane, const char *path, LpDiag *diag) LP_MUST_USE;
/* The words of :yank. */
LpErr lp_app_yank_line(LpApp *app, const LpUiLine *line, LpDiag *diag) LP_MUST_USE;

/* --- app/save.c: the session's file --- */

/* Saves what happened, where the session is saved at all. */
void lp_app_saved(LpApp *app, int64_t now);
/* When the file is to be brought to the disk, -1: no need. */
int64_t lp_app_sync_deadline(const LpApp *app);
/* Writes the session into a file and goes on there; path NULL: where it was to be. */
LpErr lp_app_write(LpApp *app, const char *path, LpDiag *diag) LP_MUST_USE;

/* --- app/blame.c: who is to blame --- */

/* Looks for it; job LP_NO_INDEX: the one in trouble most lately. */
LpErr lp_app_blame(LpApp *app, uint32_t job, LpDiag *diag) LP_MUST_USE;
/* Forks where the blamed decision was due, with the change that helps. */
void lp_app_take_blame(LpApp *app);

/* --- app/regroup.c --- */

/* Rejoins servers as the words say; without words, or a line, so that each job sits under one
 * aggregator. */
LpErr lp_app_regroup(LpApp *app, const LpUiLine *line, LpDiag *diag) LP_MUST_USE;

/* --- app/record.c: what is done as a key script --- */

enum { LP_APP_DO_MOST = 10000 };
/* What playing did so far. */
void lp_app_record_played(LpApp *app);
/* A command was carried out. */
void lp_app_record_line(LpApp *app, const char *text);
void lp_app_record_action(LpApp *app, LpUiAction action);
void lp_app_record_mouse(LpApp *app, LpMoment from, LpPane only);
void lp_app_record_size(LpApp *app);
void lp_app_record_end(LpApp *app);
LpErr lp_app_run_record(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
LpErr lp_app_run_do(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
void lp_app_words_action(LpBuf *out);

/* --- views/lesson/acts.c: what is told beside the run, and presenting --- */

/* Begins the lesson of a scenario that has one. */
void lp_app_lesson_open(LpApp *app);
/* To a step, from 0, with the state that it speaks about. Errors: those of its commands, at their
 * place in the scenario. */
LpErr lp_app_lesson_go(LpApp *app, uint32_t step, int64_t now, LpDiag *diag) LP_MUST_USE;
/* What is told next, or was before. */
LpErr lp_app_lesson_turn(LpApp *app, bool on, int64_t now, LpDiag *diag) LP_MUST_USE;
/* Answers the step's question (0: the first choice) and shows the answer. */
LpErr lp_app_lesson_choose(LpApp *app, int choice, LpDiag *diag) LP_MUST_USE;
/* "", "next", "back", "3", "b", "exercise", "off". */
LpErr lp_app_lesson(LpApp *app, const char *word, int64_t now, LpDiag *diag) LP_MUST_USE;
/* The commands, and the words that may follow them. */
LpErr lp_app_run_lesson(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
LpErr lp_app_run_present(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
void lp_app_words_lesson(LpBuf *out);
void lp_app_words_present(LpBuf *out);
/* False when the key is none of the presenter's now. */
bool lp_app_presenter_key(LpApp *app, LpKey key, int64_t now);

/* --- app/until.c: going on until something is so (texts as in run/session/breakpoint.h) --- */

LpErr lp_app_run_until(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
/* Sets a breakpoint; "" lists them, "off" takes them away. */
LpErr lp_app_break(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
void lp_app_drop_breaks(LpApp *app);
/* Stops playing where a breakpoint is met right after an event. */
void lp_app_meet_breaks(LpApp *app, const LpEvent *event);
/* Shows what a piece of Lua says of this moment. */
LpErr lp_app_query(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;

/* --- app/prompt.c: the command line --- */

void lp_app_prompt(LpApp *app, const char *text);
/* The same for something else than a command (see LpPrompt). */
void lp_app_prompt_for(LpApp *app, char mark, const char *text);
/* A key while the line is open. */
void lp_app_prompt_key(LpApp *app, LpKey key, int64_t now);

/* --- app/commands.c --- */

/* Does what a line that was read says. */
LpErr lp_app_run(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
/* Appends every word that may follow, a line each. */
void lp_app_words(const LpApp *app, LpUiWords kind, LpBuf *out);
/* The same for the commands of the time machine (app/commands_time.c). */
LpErr lp_app_run_time(LpApp *app, const LpUiLine *line, LpDiag *diag) LP_MUST_USE;
void lp_app_words_time(const LpApp *app, LpUiWords kind, LpBuf *out);
/* The page of `help TOPIC`; NULL: all commands. LP_EINVAL for an unknown topic. */
LpErr lp_app_help(LpApp *app, const char *topic, LpDiag *diag) LP_MUST_USE;

#endif
