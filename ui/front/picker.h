/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choosing a scenario before there is a session: a list with what each is about. */
#ifndef LP_UI_FRONT_PICKER_H
#define LP_UI_FRONT_PICKER_H

#include "app/app.h"
#include "run/host/catalog.h"

typedef struct LpPicker {
    const LpCatalogItem *item; /* borrowed */
    size_t count;
    int row;
    bool chosen, quit;
    const LpKeymap *keymap; /* NULL: the default keys */
    char message[120];
} LpPicker;

/* Begins at the item of that name, or the first. */
void lp_picker_open(LpPicker *picker, const LpCatalogItem *item, size_t count, const char *first);
/* Up, Down and their kin move, Enter chooses (not what cannot be opened), q, Esc and Ctrl-C quit.
 */
void lp_picker_key(LpPicker *picker, LpKey key);
void lp_picker_draw(const LpPicker *picker, LpCanvas *canvas);

/* Takes the terminal, lets the user choose, and gives it back. *path is in the arena, NULL when the
 * user quit. Returns an exit code, with diag filled unless it is 0. */
int lp_ui_pick(const LpUiOptions *options, const char *first, LpArena *arena, const char **path,
               LpDiag *diag);

#endif
