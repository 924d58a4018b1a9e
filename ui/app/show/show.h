/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is on the screen besides the run: which view, pages over it, words, search, the line that is
 * typed, settings. */
#ifndef LP_UI_APP_SHOW_H
#define LP_UI_APP_SHOW_H

#include "app/state/state.h"

/* ---- app/show/show_view.c: the screen's own state ---- */

/* Moves the cursor, or what is shown, by `lines` lines. */
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
/* Leaves what lp_app_leave does, then the marked row; stops playing when nothing is left to leave.
 */
void lp_app_out(LpApp *app);
/* Brings the canvas up to date; cheap when nothing changed. */
LpErr lp_app_draw(LpApp *app, LpDiag *diag) LP_MUST_USE;
/* Draws anew, and waits for all that views work out beside the screen, as a script of keys does.
 * For who looks for something that may not be there yet; it can take as long as a figure of a
 * lesson. */
LpErr lp_app_draw_whole(LpApp *app, LpDiag *diag) LP_MUST_USE;
/* The screen into a file ("-": standard output), in the format that its ending says (picture.h);
 * not over the scenario or the script of keys. LP_EINVAL, LP_EIO. */
LpErr lp_ui_save_screen(const LpApp *app, const char *path, LpDiag *diag) LP_MUST_USE;

/* ---- app/show/about.c ---- */

/* The page of ":about". */
LpErr lp_app_run_about(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;

/* ---- app/show/search.c: / and n, N ---- */

/* Does n mean the next match? */
bool lp_app_searches(const LpApp *app);
void lp_app_ask_search(LpApp *app);
/* Looks for the text in what is shown, from the cursor on. LP_ESTATE where that cannot be. */
LpErr lp_app_search(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
void lp_app_next_match(LpApp *app, int by);
void lp_app_end_search(LpApp *app);

/* ---- app/show/words.c: the words that are explained over the screen ---- */

/* Opens the words of the screen as it is, from the top; playing stops. */
void lp_app_open_words(LpApp *app);
void lp_app_close_words(LpApp *app);
/* The present word and those that it names, as a page. */
void lp_app_tell_word(LpApp *app);
/* Explains what stands at a cell; false when it is none of the words. */
bool lp_app_tell_cell(LpApp *app, int x, int y);
/* What is known of a word, as a text: false when nothing is. */
bool lp_app_word_text(LpApp *app, const char *name, LpBuf *out);
void lp_app_words_topic(LpBuf *out);

/* ---- app/show/mark.c ---- */

/* :mark WHAT|off. LP_EINVAL, also where there is no such thing on the screen, with what there is.
 */
LpErr lp_app_run_mark(LpApp *app, const LpUiLine *line, int64_t now, LpDiag *diag) LP_MUST_USE;
void lp_app_words_mark(LpBuf *out);

/* ---- app/show/until.c: going on until something is so (texts as in session/breakpoint.h) ----
 */

LpErr lp_app_run_until(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
/* Sets a breakpoint; "" lists them, "off" takes them away. */
LpErr lp_app_break(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;
void lp_app_drop_breaks(LpApp *app);
/* Stops playing where a breakpoint is met right after an event. */
void lp_app_meet_breaks(LpApp *app, const LpEvent *event);
/* Shows what a piece of Lua says of this moment. */
LpErr lp_app_query(LpApp *app, const char *text, LpDiag *diag) LP_MUST_USE;

/* ---- app/show/prompt.c: the command line ---- */

void lp_app_prompt(LpApp *app, const char *text);
/* As lp_app_prompt, for something else than a command (see LpPrompt). */
void lp_app_prompt_for(LpApp *app, char mark, const char *text);
/* What the line above says where nothing is completed: what the command is. */
void lp_app_prompt_hint(LpApp *app);
/* The history of the kind of line that is open. */
LpHistory *lp_app_prompt_history(LpApp *app);

/* ---- app/show/settings.c ---- */

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
/* One of them, by name; false: there is none of this name. */
bool lp_app_tell_setting(const char *name, LpBuf *out);

/* ---- app/show/help.c ---- */

/* The page of `help WORD`; NULL: all commands. LP_EINVAL for an unknown word. */
LpErr lp_app_help(LpApp *app, const char *topic, LpDiag *diag) LP_MUST_USE;
/* The page of all keys, commands and settings; what is shown has its keys first. */
void lp_app_help_keys(LpApp *app);

#endif
