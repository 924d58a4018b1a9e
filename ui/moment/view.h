/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a view is: one struct per subject, const, at the door of its room
 * (ui/views/NAME/NAME_view.h) and listed once, in ui/screen/views.c. Panes, layout, keys and their
 * help, searching, yanking and clicks read that list. Everything may be left out (NULL) but the
 * drawing. */
#ifndef LP_UI_MOMENT_VIEW_H
#define LP_UI_MOMENT_VIEW_H

#include "moment/host.h"
#include "moment/picture/model.h"
#include "widgets/widgets_table.h"

/* What the picture of a moment gathers only where it is seen. */
enum {
    LP_WANTS_DECISION =
        1, /* the decision itself: what was weighed, once asked for, and its frames */
    LP_WANTS_NETWORK = 2, /* what the policy's network says of it */
    LP_WANTS_WHY = 4,     /* what moved what the network says */
    LP_WANTS_WHATIF = 8,  /* the table of every way to decide */
    LP_WANTS_BESIDE = 16  /* the branch that is compared with as a picture of its own */
};

/* Keys, by their defaults, and what they do in the view. */
typedef struct LpViewKey {
    const char *keys, *help;
} LpViewKey;

/* A key of the last line. */
typedef struct LpViewFoot {
    LpUiAction action;
    const char *label;
} LpViewFoot;

/* A list that can be searched: how many lines it has, which one is marked, their texts, and marking
 * one. */
typedef struct LpViewLines {
    int (*count)(const LpModel *model);
    int (*at)(const LpModel *model);
    void (*text)(const LpModel *model, int line, LpBuf *out);
    void (*go)(LpHost *host, int line);
} LpViewLines;

struct LpView {
    bool fixed;     /* has its place on every screen, and is never alone */
    bool still;     /* shows moments, not the frames of one */
    unsigned wants; /* LP_WANTS_ bits */

    /* Bytes of its state (what the user did there) and of its facts (what was worked out for it):
     * zeroed, then begun; ended when the explorer is. They are found by lp_model_state and
     * lp_model_facts. */
    size_t state, facts;
    void (*begin)(void *state);
    void (*end)(void *state);
    void (*drop)(void *facts);
    /* Works out the facts; called where the view has the screen for itself. */
    LpErr (*update)(LpModel *model, LpSession *session, LpDiag *diag);

    /* Into an area of any size, also none: on the main screen; where it has the screen for itself
     * (NULL: the same); as a part of another view. */
    void (*draw)(const LpModel *model, const LpArea *area);
    void (*alone)(const LpModel *model, const LpArea *area);
    void (*part)(const LpModel *model, const LpArea *area);
    /* Columns, and rows without headings, that it can make use of on the main screen. */
    int (*width)(const LpBoardPlan *board);
    int (*rows)(const LpBoardPlan *board);
    /* Rows below the heading of a board that it fills in `width` columns, at most `most`. */
    int (*tall)(const LpModel *model, int width, int most);

    /* What keys do where it has the screen for itself; NULL: what they do everywhere. */
    const LpViewKey *keys; /* for the help; ends with NULL */
    const LpViewFoot
        *foot; /* the last line in place of the keys of all views; ends with no label */
    void (*move)(LpHost *host, int lines);    /* Up, Down and pages */
    void (*along)(LpHost *host, int columns); /* Left, Right */
    void (*zoom)(LpHost *host, bool in);
    void (*variant)(LpHost *host);
    void (*take)(LpHost *host); /* Enter */
    const char *takes, *looks;  /* what the last row calls Enter and v; NULL: open, another look */
    void (*fork)(LpHost *host); /* f, and Enter */
    void (*explain)(LpHost *host); /* x */
    void (*blame)(LpHost *host);
    void (*play)(LpHost *host);
    void (*sort)(LpHost *host, bool turn); /* by the next column, or the other way round */
    void (*filter)(LpHost *host, const char *text);
    void (*ask)(LpHost *host, const char *text); /* Lua */
    bool (*stop)(LpHost *host);  /* what works in the background; false: nothing did */
    bool (*leave)(LpHost *host); /* one level out within it; false: it was the outermost */
    /* Where a text is scrolled: the last line that can be the first one shown; the present first
     * line in a view of `rows` rows. */
    int (*last)(const LpModel *model);
    int (*first)(const LpModel *model, int rows);
    uint32_t (*job)(const LpModel *model);         /* the marked job, LP_NO_INDEX: none */
    const LpTwig *(*branch)(const LpModel *model); /* the marked branch, NULL: none */
    void (*open)(LpHost *host, uint32_t job);      /* shows it for a job; LP_NO_INDEX: any */
    /* A click on what it drew (cells that were marked as its own), also on the main screen; again:
     * the second one there. */
    void (*click)(LpHost *host, uint32_t what, bool shown, bool again);
    /* A click on one of its rows, where it is alone. NULL: rows are those of the decision. */
    void (*row)(LpHost *host, uint32_t row, bool again);

    /* What is shown changes, or is to be as at first (for a step of a lesson). */
    void (*turn)(LpHost *host);
    void (*clean)(LpHost *host);
    /* When time must go on for it, ms; -1: never, 0: at once. Called whether or not it is shown. */
    int64_t (*deadline)(const LpHost *host, bool shown);
    void (*tick)(LpHost *host, bool shown, int64_t now);

    const LpViewLines *lines; /* for searching */
    /* Its columns, which help and titles tell and CSV has, of the model's rows; `csv`: something
     * else as CSV. */
    const LpTable *table;
    LpErr (*csv)(const LpModel *model, LpBuf *out, LpDiag *diag);
};

/* Draws a view as a part of another one; nothing where it cannot be. */
void lp_view_part(const LpModel *model, LpPane pane, const LpArea *area);

#endif
