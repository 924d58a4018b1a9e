/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the explorer; private to ui/app*.c. */
#ifndef LP_UI_APP_IMPL_H
#define LP_UI_APP_IMPL_H

#include "app/app.h"
#include "app/command.h"
#include "moment/host.h"
#include "screen/views.h"

/* ---- app/state.c: where the explorer is, and the message in place of the keys ---- */

/* The message in place of the keys. */
void lp_app_say(LpApp *app, bool bad, const char *fmt, ...) LP_PRINTF(3, 4);
/* A message with keys by their defaults in braces (lp_keymap_text). */
void lp_app_tell(LpApp *app, const char *text);
/* Is all well? Else playing stops, the message is shown, and app->failed is set. */
bool lp_app_check(LpApp *app, LpErr err, const LpDiag *diag);
/* The message of what was refused, if it was. */
void lp_app_attempt(LpApp *app, LpErr err, const LpDiag *diag);
bool lp_app_has_time(const LpApp *app);
bool lp_app_is_due(const LpApp *app);
bool lp_app_is_over(const LpApp *app);
/* Something else is to be seen: the cursor is where it begins. */
void lp_app_arrive(LpApp *app);

/* ---- app/acts.c ---- */

/* What a key of the action does. */
void lp_app_act(LpApp *app, LpUiAction action, int64_t now);

/* ---- app/play.c: going on ---- */

/* Takes a changed policy file. A broken save stops playing and leaves the old policy in charge. */
void lp_app_poll(LpApp *app);
void lp_app_to_decision(LpApp *app);
/* `count` events, or decisions, on, unless the user stops it. */
void lp_app_next(LpApp *app, bool decision, long count);
/* Decides with the marked row. */
void lp_app_take_row(LpApp *app);
/* Decides so instead of the policy; takes its own answer as a step. */
void lp_app_answer(LpApp *app, const LpAnswer *answer, bool policys);
void lp_app_play(LpApp *app, bool play, int64_t now);

/* ---- app/services.c: what views may ask; app/host.c: what they are asked ---- */

extern const LpHostCalls lp_app_services;

/* Good for one call: `now` in ms. */
LpHost lp_app_host(LpApp *app, int64_t now);
/* The view that has the screen for itself; `here` only while nothing lies over it. Without one, a
 * view of which nothing is known. Never NULL. */
const LpView *lp_app_shown(const LpApp *app);
const LpView *lp_app_here(const LpApp *app);
/* Stops what views have at work in the background; false when nothing was. */
bool lp_app_stop(LpApp *app);
/* When a view wants time to go on, -1: none does; and lets it. */
int64_t lp_app_views_deadline(LpApp *app);
void lp_app_views_tick(LpApp *app, int64_t now);

/* ---- app/demo.c: a key script in the running program ---- */

/* Plays the script of that name, or in that file, from now on. Errors: LP_EINVAL when there is
 * none, those of reading it, LP_ESTATE from within a script. */
LpErr lp_app_demo(LpApp *app, const char *name, int64_t now, LpDiag *diag) LP_MUST_USE;
void lp_app_demo_end(LpApp *app);
/* When it goes on, -1: it does not by itself. */
int64_t lp_app_demo_deadline(const LpApp *app);
/* Was the key for the demo? Other keys hold it. */
bool lp_app_demo_key(LpApp *app, LpKey key, int64_t now);
/* Somebody did something else: it waits. */
void lp_app_demo_touched(LpApp *app);
/* It waits for whoever presents; and what that says, "" for the keys alone. */
void lp_app_demo_hold(LpApp *app);
void lp_app_demo_say(LpApp *app, const char *text);
void lp_app_words_demo(LpBuf *out);

/* ---- app/demo_run.c: its lines ---- */

/* What a script without anybody to go on does at a pause: playing stops, the text is shown. */
void lp_app_pause(LpApp *app, const char *text, int64_t now);

/* ---- app/view.c: the screen's own state ---- */

/* Moves the cursor, or what is shown, by so many lines. */
void lp_app_move(LpApp *app, int lines);
/* What the policy weighed, in the view of the decision. */
void lp_app_explain(LpApp *app);
void lp_app_stage(LpApp *app, int by);
void lp_app_show(LpApp *app, LpPane pane);
/* The same, and leaving it leads back to what is shown now. */
void lp_app_enter(LpApp *app, LpPane pane);
/* A text over the screen. Lines are paragraphs; "# " begins a heading, a tab sets what is left of
 * it apart. */
void lp_app_page(LpApp *app, const char *title, const LpBuf *text);
void lp_app_close_page(LpApp *app);
/* The explorer has the mouse, or the terminal. */
void lp_app_take_mouse(LpApp *app, bool take);
/* Leaves the innermost of page, help, and view alone; false when there is none. */
bool lp_app_leave(LpApp *app);
/* ... then the marked row; and stops playing when nothing is left to leave. */
void lp_app_out(LpApp *app);

/* ---- app/time.c: the time machine; lp_app_has_time must hold ---- */

void lp_app_undo(LpApp *app, bool redo);
/* One event, or decision, back. */
void lp_app_back(LpApp *app, bool decision);
/* Goes to a moment in words (run/moment/moment.h). */
LpErr lp_app_seek(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
void lp_app_seek_time(LpApp *app, double time);
void lp_app_to_end(LpApp *app, bool tip);
/* Goes to a step of this branch. */
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
/* LP_EINVAL for an unknown one, with the nearest. */
LpErr lp_app_find_branch(const LpApp *app, const char *name, uint32_t *out,
                         LpDiag *diag) LP_MUST_USE;

/* ---- app/versus.c: the branch beside the present one ---- */

/* name NULL: the branch that was left last, or the parent; "policy=FILE param=K=V": the same jobs
 * from the start under that policy, as a new branch. */
LpErr lp_app_compare(LpApp *app, const char *name, LpDiag *diag) LP_MUST_USE;
/* The likely one, or where one is compared with the next; without any asks for a policy. */
void lp_app_choose_beside(LpApp *app);
/* Goes to the next decision that the two take otherwise; both play on until there is one. */
void lp_app_next_parted(LpApp *app);

/* ---- app/keep_up.c ---- */

/* Plays another branch to the present time, if it has not got there; the present moment stays. */
LpErr lp_app_catch_up(LpApp *app, uint32_t branch, LpDiag *diag) LP_MUST_USE;
/* The same for the one beside, where it is shown; says why where that cannot be. */
void lp_app_keep_up(LpApp *app);

/* ---- app/about.c ---- */

/* The page of ":about". */
LpErr lp_app_run_about(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;

/* ---- app/motion.c: frames of a decision and of events (motion.h) ---- */

/* How long what is shown stays while playing, ms; 0: not at all. */
int64_t lp_app_shown_ms(const LpApp *app);
/* While playing: the first frame of a new moment, and the next one of the same; false after the
 * last one. */
void lp_app_first_frame(LpApp *app);
bool lp_app_next_shown_frame(LpApp *app);
/* Another LpSpeed, from what is shown now on. */
void lp_app_pace(LpApp *app, int speed, int64_t now);
/* Playing stops at the first frame of what is shown. */
void lp_app_stop_here(LpApp *app);
/* One frame on or back, over the stages too. */
void lp_app_frame(LpApp *app, int by);
/* "3", "last", "next", "back", "off". */
LpErr lp_app_frame_to(LpApp *app, const char *word, LpDiag *diag) LP_MUST_USE;

/* ---- app/search.c: / and n, N ---- */

/* Does n mean the next match? */
bool lp_app_searches(const LpApp *app);
void lp_app_ask_search(LpApp *app);
/* Looks for the text in what is shown, from the cursor on. LP_ESTATE where that cannot be. */
LpErr lp_app_search(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
void lp_app_next_match(LpApp *app, int by);
void lp_app_end_search(LpApp *app);

/* ---- app/words.c: the words that are explained over the screen ---- */

/* Those of the screen as it is, from the top; playing stops. */
void lp_app_open_words(LpApp *app);
void lp_app_close_words(LpApp *app);
/* The present word and those that it names, as a page. */
void lp_app_tell_word(LpApp *app);
/* Explains what stands at a cell; false when it is none of the words. */
bool lp_app_tell_cell(LpApp *app, int x, int y);
/* What is known of a word, as a text: false when nothing is. */
bool lp_app_word_text(LpApp *app, const char *name, LpBuf *out);
void lp_app_words_topic(LpBuf *out);

/* ---- app/ghost.c: what the saved policy would have decided; and bookmarks ---- */

/* Calls up the ghost of the run so far, from the last bookmark on the way here, or the start. */
LpErr lp_app_ghost(LpApp *app, LpDiag *diag) LP_MUST_USE;
void lp_app_drop_ghost(LpApp *app);
/* Has the ghost work to do? */
bool lp_app_ghost_works(const LpApp *app);
/* Lets it work for a while. */
void lp_app_ghost_tick(LpApp *app);
/* Goes to the decision about the next job whose outcome differs. */
void lp_app_next_difference(LpApp *app);
/* Makes the ghost a branch. */
void lp_app_take_ghost(LpApp *app);
/* Sets a bookmark here, or takes it away. */
void lp_app_bookmark(LpApp *app);
/* Goes to the bookmark before this moment, or to the last one. */
void lp_app_to_bookmark(LpApp *app);
void lp_app_forget_bookmarks(LpApp *app, uint32_t branch);

/* ---- app/yank.c, app/yank_pane.c ---- */

enum { LP_YANK_MOST = 65536 }; /* bytes for the clipboard */

/* The present moment as a command line; path NULL: only shown and handed to the terminal. */
LpErr lp_app_yank(LpApp *app, const char *path, LpDiag *diag) LP_MUST_USE;
/* What a pane shows as text, LP_PANE_COUNT: what is shown alone, or over all, or everything; a path
 * FILE.csv gets its table, and no path the clipboard. LP_EINVAL, LP_ESTATE, LP_EIO, LP_ELIMIT. */
LpErr lp_app_yank_pane(LpApp *app, LpPane pane, const char *path, LpDiag *diag) LP_MUST_USE;
/* The words of :yank. */
LpErr lp_app_yank_line(LpApp *app, const LpUiLine *line, LpDiag *diag) LP_MUST_USE;

/* ---- app/save.c: the session's file ---- */

/* Saves what happened, where the session is saved at all. */
void lp_app_saved(LpApp *app, int64_t now);
/* When the file is to be brought to the disk, -1: no need. */
int64_t lp_app_sync_deadline(const LpApp *app);
/* Ends the file: all is well. Errors: what is not saved, and why. */
LpErr lp_app_end_saving(LpApp *app, LpDiag *diag) LP_MUST_USE;
/* Writes the session into a file and goes on there; path NULL: where it was to be. */
LpErr lp_app_write(LpApp *app, const char *path, LpDiag *diag) LP_MUST_USE;

/* ---- app/blame.c: who is to blame ---- */

/* Looks for it; job LP_NO_INDEX: the one in trouble most lately. */
LpErr lp_app_blame(LpApp *app, uint32_t job, LpDiag *diag) LP_MUST_USE;
/* Forks where the blamed decision was due, with the change that helps. */
void lp_app_take_blame(LpApp *app);

/* ---- app/regroup.c ---- */

/* Rejoins servers as the words say; without words, or a line, so that each job sits under one
 * aggregator. */
LpErr lp_app_regroup(LpApp *app, const LpUiLine *line, LpDiag *diag) LP_MUST_USE;

/* ---- app/record.c: what is done as a key script ---- */

enum { LP_APP_DO_MOST = 10000 };
/* Records what playing has done since the last line. */
void lp_app_record_played(LpApp *app);
/* A command was carried out. */
void lp_app_record_line(LpApp *app, const char *text);
void lp_app_record_action(LpApp *app, LpUiAction action);
void lp_app_record_mouse(LpApp *app, LpMoment from, LpPane only);
void lp_app_record_size(LpApp *app);
void lp_app_record_end(LpApp *app);
/* Notes where the run is, to see later what playing has done. */
void lp_app_record_from_here(LpApp *app);
LpErr lp_app_run_record(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
LpErr lp_app_run_do(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
void lp_app_words_action(LpBuf *out);

/* ---- app/stage.c: the screen of a step ---- */

/* Stages the present step of the lesson anew: its run from the first decision on, its commands and
 * marks, and what its answer shows where it is known. Errors: of its run and its commands, at their
 * place in the lesson. */
LpErr lp_app_stage_step(LpApp *app, int64_t now, LpDiag *diag) LP_MUST_USE;

/* ---- app/lesson.c: what is told beside the run ---- */

/* Begins the lesson of a scenario that has one. */
void lp_app_lesson_open(LpApp *app);
/* To a step, from 0, with the state that it speaks about. Errors: those of staging it. */
LpErr lp_app_lesson_go(LpApp *app, uint32_t step, int64_t now, LpDiag *diag) LP_MUST_USE;
/* Goes on in the lesson, or back: text, question and answer of each step in turn. */
LpErr lp_app_lesson_turn(LpApp *app, bool on, int64_t now, LpDiag *diag) LP_MUST_USE;
/* Answers the step's question (0: the first choice); a wrong answer shows what speaks against it.
 */
LpErr lp_app_lesson_choose(LpApp *app, int choice, int64_t now, LpDiag *diag) LP_MUST_USE;
/* Shows the answer. */
LpErr lp_app_lesson_answer(LpApp *app, int64_t now, LpDiag *diag) LP_MUST_USE;
/* "", "next", "back", "3", "b", "answer", "exercise", "hint", "off". */
LpErr lp_app_lesson(LpApp *app, const char *word, int64_t now, LpDiag *diag) LP_MUST_USE;
/* The commands, and the words that may follow them. */
LpErr lp_app_run_lesson(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
void lp_app_words_lesson(LpBuf *out);

/* ---- app/exercise.c ---- */

/* The page of the exercise. LP_ESTATE where there is none. */
LpErr lp_app_tell_exercise(LpApp *app, LpDiag *diag) LP_MUST_USE;
/* ... with one more hint. */
LpErr lp_app_tell_hint(LpApp *app, LpDiag *diag) LP_MUST_USE;
/* Opens the lesson that comes after this one. LP_ESTATE where it is the last one, or nothing can be
 * opened. */
LpErr lp_app_next_lesson(LpApp *app, LpDiag *diag) LP_MUST_USE;

/* ---- app/present.c: presenting, and the keys of a lesson ---- */

LpErr lp_app_run_present(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
void lp_app_words_present(LpBuf *out);
/* False when the key is none of the presenter's now. */
bool lp_app_presenter_key(LpApp *app, LpKey key, int64_t now);

/* ---- app/mark.c ---- */

/* :mark WHAT|off. LP_EINVAL, also where there is no such thing on the screen, with what there is.
 */
LpErr lp_app_run_mark(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
void lp_app_words_mark(LpBuf *out);

/* ---- app/until.c: going on until something is so (texts as in run/session/breakpoint.h) ---- */

LpErr lp_app_run_until(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
/* Sets a breakpoint; "" lists them, "off" takes them away. */
LpErr lp_app_break(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
void lp_app_drop_breaks(LpApp *app);
/* Stops playing where a breakpoint is met right after an event. */
void lp_app_meet_breaks(LpApp *app, const LpEvent *event);
/* Shows what a piece of Lua says of this moment. */
LpErr lp_app_query(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;

/* ---- app/prompt.c, app/typing.c: the command line ---- */

void lp_app_prompt(LpApp *app, const char *text);
/* The same for something else than a command (see LpPrompt). */
void lp_app_prompt_for(LpApp *app, char mark, const char *text);
/* What the line above says where nothing is completed: what the command is. */
void lp_app_prompt_hint(LpApp *app);
/* The history of the kind of line that is open. */
LpHistory *lp_app_prompt_history(LpApp *app);
/* A key while the line is open. */
void lp_app_prompt_key(LpApp *app, LpKey key, int64_t now);

/* ---- app/commands.c ---- */

/* Does what a line that was read says. */
LpErr lp_app_run(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
/* Appends every word that may follow, a line each. */
void lp_app_words(const LpApp *app, LpUiWords kind, LpBuf *out);
/* The same for the commands of the time machine (app/commands_time.c). */
LpErr lp_app_run_time(LpApp *app, const LpUiLine *line, LpDiag *diag) LP_MUST_USE;
void lp_app_words_time(const LpApp *app, LpUiWords kind, LpBuf *out);
/* Ends the tour, where it is on. */
void lp_app_leave_tour(LpApp *app);

/* ---- app/tour.c: seven stops in the real program ---- */

/* To a stop, from 0. Elsewhere than in the default scenario that one is opened. LP_EINVAL when
 * there is none, LP_ESTATE where nothing can be opened. */
LpErr lp_app_tour(LpApp *app, uint32_t stop, int64_t now, LpDiag *diag) LP_MUST_USE;
LpErr lp_app_run_tour(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;

/* ---- app/open.c: another scenario in place of this one ---- */

/* Ends this session in good order and goes on with another. LP_EINVAL when there is none of the
 * name, LP_ESTATE without a terminal. */
LpErr lp_app_open_other(LpApp *app, const char *name, LpDiag *diag) LP_MUST_USE;
/* ... with a session, of which it takes ownership unless there is nobody to lead on: then false. */
bool lp_app_adopt(LpApp *app, LpSession *session) LP_MUST_USE;
void lp_app_words_scenario(LpBuf *out);

/* ---- app/settings.c ---- */

/* The place of a name among those that end with NULL. LP_EINVAL with the list of them. */
LpErr lp_app_read_name(const char *what, const char *const *names, const char *name, int *out,
                       LpDiag *diag) LP_MUST_USE;
LpErr lp_app_set_theme(LpApp *app, const char *name, LpDiag *diag) LP_MUST_USE;
/* "motion=slow" and so on. */
LpErr lp_app_set(LpApp *app, const char *word, LpDiag *diag) LP_MUST_USE;
void lp_app_words_themes(LpBuf *out);
/* "theme=dark" and so on, a line each; the settings with what they do, as for lp_flow_draw. */
void lp_app_words_settings(LpBuf *out);
void lp_app_tell_settings(LpBuf *out);

/* ---- app/help.c ---- */

/* The page of `help WORD`; NULL: all commands. LP_EINVAL for an unknown word. */
LpErr lp_app_help(LpApp *app, const char *topic, LpDiag *diag) LP_MUST_USE;
/* The page of all keys, commands and settings; what is shown has its keys first. */
void lp_app_help_keys(LpApp *app);

#endif
