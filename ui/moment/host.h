/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a view may ask of the program around it: the session, the picture of the moment, the state
 * of the screen, and what the program does for all views. Made anew for every key. */
#ifndef LP_UI_MOMENT_HOST_H
#define LP_UI_MOMENT_HOST_H

#include "moment/picture/model.h"

typedef struct LpHost LpHost;

/* What the program does. Errors are those of the session, with nothing changed. */
typedef struct LpHostCalls {
    /* Shows a view alone (LP_PANE_COUNT: the main screen); entered, leaving it leads back. */
    void (*show)(LpHost *host, LpPane pane);
    void (*enter)(LpHost *host, LpPane pane);
    /* A text over the screen, in the form of lp_flow_draw. */
    void (*page)(LpHost *host, const char *title, const LpBuf *text);
    /* A line to be typed; `mark` as in LpPrompt. */
    void (*prompt)(LpHost *host, char mark, const char *text);
    /* One command as on the command line; what it refuses is shown. */
    void (*command)(LpHost *host, const char *text);
    /* Is all well? Else playing stops and the message is shown. */
    bool (*check)(LpHost *host, LpErr err, const LpDiag *diag);
    /* To a moment in words, to a branch; `left` notes a moment that was left, for undo. */
    LpErr (*seek)(LpHost *host, const char *text, LpDiag *diag);
    LpErr (*switch_to)(LpHost *host, uint32_t branch, LpDiag *diag);
    void (*left)(LpHost *host, LpMoment from);
    /* Decides with the marked row; decides so instead of the policy, or as it says. */
    void (*take_row)(LpHost *host);
    void (*answer)(LpHost *host, const LpAnswer *answer, bool policys);
    /* A branch in which the job that is due is decided as the words of a fork say. */
    LpErr (*fork)(LpHost *host, const char *words, LpDiag *diag);
    LpErr (*blame)(LpHost *host, uint32_t job, LpDiag *diag);
    /* The picture is older than the state. */
    void (*redraw)(LpHost *host);
    /* Leaves this session for another one, of which it takes ownership; false where a script plays
     * one session: then it has not. */
    bool (*adopt)(LpHost *host, LpSession *session);
} LpHostCalls;

struct LpHost {
    LpSession *session;
    LpUiState *ui;
    LpModel *model;
    int64_t now; /* ms */
    const LpHostCalls *app;
    void *user;             /* the program's */
    int64_t (*clock)(void); /* ms; NULL: nobody waits, what takes long is done at once */
    bool (*stopped)(void);  /* does the user wish that long work ends? NULL: never */
};

/* The message in place of the keys; with keys by their defaults in braces (lp_keymap_text). */
void lp_host_say(LpHost *host, bool bad, const char *fmt, ...) LP_PRINTF(3, 4);
void lp_host_tell(LpHost *host, const char *text);
bool lp_host_has_time(const LpHost *host);
/* Is a decision due? */
bool lp_host_is_due(const LpHost *host);
/* Shows a view for a job; LP_NO_INDEX: for any. */
void lp_host_open(LpHost *host, LpPane pane, uint32_t job);
/* The story of a job as a page. Errors: of lp_story_text. */
LpErr lp_host_story(LpHost *host, uint32_t job, LpDiag *diag) LP_MUST_USE;
/* Marks another row of the decision, of the what-if table; decides as the marked one of those. */
void lp_host_move_decision(LpHost *host, int lines);
void lp_host_move_whatif(LpHost *host, int lines);
void lp_host_take_whatif(LpHost *host);

#endif
