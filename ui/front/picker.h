/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choosing what to open before there is a session: the tour, lessons, scenarios, recent sessions,
 * with what each is about and a picture of it. */
#ifndef LP_UI_FRONT_PICKER_H
#define LP_UI_FRONT_PICKER_H

#include "app/app.h"
#include "app/files/autosave.h"
#include "front/preview.h"
#include "host/catalog.h"
#include "widgets/search.h"

enum { LP_PICK_MOST = 128, LP_PICK_NAME = 64 };

typedef enum LpPickGroup {
    LP_PICK_START,
    LP_PICK_LESSONS,
    LP_PICK_SCENARIOS,
    LP_PICK_RECENT,
    LP_PICK_GROUPS
} LpPickGroup;

typedef struct LpPickEntry {
    LpPickGroup group;
    char name[LP_PICK_NAME];
    const char *path;          /* borrowed, like the item; the tour's is that of its scenario */
    const LpCatalogItem *item; /* NULL: a session from a file */
    bool tour;
    char told[200]; /* what tells a recent session apart: when, where, how many branches; "" else */
    char fact[32];  /* the same in short */
} LpPickEntry;

typedef struct LpPicker {
    LpPickEntry entry[LP_PICK_MOST]; /* by group */
    int count;
    int row; /* of those that the search leaves */
    LpGoneThrough progress;
    bool chosen, quit;
    bool searching; /* letters go into the text */
    bool words;     /* the words of the list are explained, from line `line` on */
    int line;
    char search[LP_SEARCH_TEXT]; /* "": all are shown */
    LpPreview *preview;          /* borrowed; of the marked entry, NULL: none yet */
    const LpKeymap *keymap;      /* NULL: the default keys */
    char message[240];
} LpPicker;

/* The items by group; `first` (a name) is started with, the tour is of that scenario, too. Recent
 * sessions are files. Begins at the tour, or where that was taken at `first`. */
void lp_picker_open(LpPicker *picker, const LpCatalogItem *item, size_t count, const char *first,
                    const LpGoneThrough *progress);
void lp_picker_add_recent(LpPicker *picker, const char *path);
/* What tells the session that was added last from the others; NULL: nothing is known. */
void lp_picker_tell_recent(LpPicker *picker, const LpAutosaveAbout *about);
/* The entry that is marked, NULL: none. */
const LpPickEntry *lp_picker_marked(const LpPicker *picker);
/* Up, Down and their kin move, Tab goes to the next group, / searches, ? explains the words that
 * stand here, Enter chooses (not what cannot be opened), q, Esc and Ctrl-C quit. */
void lp_picker_key(LpPicker *picker, LpKey key);
void lp_picker_draw(const LpPicker *picker, LpCanvas *canvas);

/* Takes the terminal, lets the user choose, and gives it back. The options' notice is told first.
 * *path is in the arena, NULL when the user quit; *tour: with the tour. Returns an exit code, with
 * diag filled unless it is 0. */
int lp_ui_pick(const LpUiOptions *options, const char *first, LpArena *arena, const char **path,
               bool *tour, LpDiag *diag);

#endif
