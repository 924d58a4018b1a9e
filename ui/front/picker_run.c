/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list in a terminal. The picture of what is marked is made while no key is pressed. */
#include "app/files/autosave.h"
#include "front/picker.h"
#include "import/import.h"
#include "term/term.h"

enum { PAUSE_MS = 120, RECENT = 5 };

/* Of what is marked now; the one before is closed. */
static void make_preview(LpPicker *picker, const LpPickEntry *of, bool ascii) {
    lp_preview_close(picker->preview);
    picker->preview = of && of->item && !of->item->error ? lp_preview_open(of->path, ascii) : NULL;
}

static LpErr loop(LpPicker *picker, LpTerm *term, LpCanvas *canvas, LpDiag *diag) {
    const LpPickEntry *shown = NULL;
    bool redraw = true;
    while (!picker->chosen && !picker->quit && lp_term_ending() == 0) {
        int rows, cols;
        const LpPickEntry *marked = lp_picker_marked(picker);
        if (marked != shown)
            make_preview(picker, NULL, canvas->ascii);
        lp_term_size(term, &rows, &cols);
        if (rows != canvas->rows || cols != canvas->cols)
            LP_TRY(lp_canvas_resize(canvas, rows, cols, diag));
        lp_picker_draw(picker, canvas);
        lp_term_show(term, canvas, redraw);
        LpKey key = lp_term_read(term, marked != shown ? PAUSE_MS : -1, -1);
        redraw = key == LP_KEY_RESIZE;
        if (key == LP_KEY_NONE)
            picker->quit = lp_term_is_gone(term);
        else if (key != LP_KEY_RESIZE)
            lp_picker_key(picker, key);
        if (key == LP_KEY_NONE && marked != shown) {
            make_preview(picker, marked, canvas->ascii);
            shown = marked;
        }
    }
    return LP_OK;
}

static LpErr keep(const LpPickEntry *entry, LpArena *arena, const char **path, bool *tour,
                  LpDiag *diag) {
    *path = lp_arena_strdup(arena, entry->path);
    *tour = entry->tour;
    return *path ? LP_OK : lp_fail_memory(diag, "the name of a file");
}

int lp_ui_pick(const LpUiOptions *options, const char *first, LpArena *arena, const char **path,
               bool *tour, LpDiag *diag) {
    const LpCatalogItem *item = NULL;
    size_t count = 0;
    LpCanvas canvas = {0};
    LpTerm *term = NULL;
    LpPicker picker;
    LpGoneThrough progress = lp_progress_read();
    char recent[RECENT][LP_AUTOSAVE_PATH];
    *path = NULL;
    if (lp_catalog_read(arena, &lp_import_source, &item, &count, diag) != LP_OK)
        return 1;
    if (lp_term_open(options->theme, options->no_color, &term, diag) != LP_OK)
        return 2;
    canvas.ascii = options->ascii || !lp_term_is_utf8(term);
    progress.toured |= options->no_tour;
    lp_picker_open(&picker, item, count, first, &progress);
    picker.keymap = options->keymap;
    const char *notice = options->notice != NULL ? options->notice : lp_term_notice(term);
    if (notice != NULL)
        lp_str_copy(picker.message, sizeof picker.message, notice);
    size_t sessions = lp_autosave_recent(RECENT, recent);
    for (size_t i = 0; i < sessions; i++) {
        LpAutosaveAbout about;
        lp_picker_add_recent(&picker, recent[i]);
        lp_picker_tell_recent(&picker, lp_autosave_about(recent[i], &about) ? &about : NULL);
    }
    LpErr err = loop(&picker, term, &canvas, diag);
    lp_preview_close(picker.preview);
    lp_term_close(term);
    lp_canvas_fini(&canvas);
    if (err == LP_OK && picker.chosen)
        err = keep(lp_picker_marked(&picker), arena, path, tour, diag);
    return err != LP_OK ? 1 : lp_term_ending() != 0 ? 128 + lp_term_ending() : 0;
}
