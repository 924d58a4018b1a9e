/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of a scenario in memory. */
#include "io/files/kept.h"

#include <string.h>

#include "base/str.h"

LpKept *lp_kept_new(void) {
    LpKept *kept = lp_alloc(1, sizeof *kept);
    if (kept != NULL && (kept->arena = lp_arena_new(0)) == NULL) {
        lp_free(kept);
        return NULL;
    }
    return kept;
}

void lp_kept_free(LpKept *kept) {
    if (kept == NULL)
        return;
    lp_arena_free(kept->arena);
    lp_free(kept->file);
    lp_free(kept);
}

static const LpKeptFile *find(const LpKept *kept, const char *name) {
    for (size_t i = 0; i < kept->files; i++)
        if (strcmp(kept->file[i].name, name) == 0)
            return &kept->file[i];
    return NULL;
}

LpErr lp_kept_add(LpKept *kept, const char *name, const char *text, size_t len, LpDiag *diag) {
    void *items = kept->file;
    char shown[64];
    if (find(kept, name) != NULL)
        return lp_fail(diag, LP_EINVAL, "the file \"%s\" is there twice",
                       lp_str_show(shown, sizeof shown, name));
    if (lp_grow(&items, &kept->cap, kept->files + 1, sizeof *kept->file) != LP_OK)
        return lp_fail_memory(diag, "the files of a scenario");
    kept->file = items;
    char *copy = lp_arena_raw(kept->arena, len + 1, 1);
    const char *own = lp_arena_strdup(kept->arena, name);
    if (copy == NULL || own == NULL)
        return lp_fail_memory(diag, "the files of a scenario");
    memcpy(copy, text, len);
    copy[len] = '\0';
    kept->file[kept->files++] = (LpKeptFile){own, copy, len, 0, NULL};
    return LP_OK;
}

LpErr lp_kept_keep(LpKept *kept, const char *path, size_t graph, const char *text, size_t len,
                   LpDiag *diag) {
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    LpBuf name = {0};
    lp_buf_addf(&name, "graphs/%s", base);
    if (!name.failed && find(kept, lp_buf_text(&name)) != NULL) {
        lp_buf_clear(&name); /* another file of that name, or the same one again */
        lp_buf_addf(&name, "graphs/%zu/%s", graph, base);
    }
    LpErr err = lp_buf_ok(&name, diag);
    if (err == LP_OK)
        err = lp_kept_add(kept, lp_buf_text(&name), text, len, diag);
    const char *own = err == LP_OK ? lp_arena_strdup(kept->arena, path) : NULL;
    if (err == LP_OK && own == NULL)
        err = lp_fail_memory(diag, "the files of a scenario");
    if (err == LP_OK) {
        kept->file[kept->files - 1].graph = graph;
        kept->file[kept->files - 1].path = own;
    }
    lp_buf_fini(&name);
    return err;
}

/* ---- to read from ---- */

static bool exists(void *user, const char *path) {
    (void)user;
    (void)path;
    return true;
}

static LpErr read_kept(void *user, const char *path, size_t max, char **text, size_t *len,
                       LpDiag *diag) {
    const LpKeptFile *file = find(user, path);
    char shown[64];
    (void)max;
    if (file == NULL)
        return lp_fail_at(diag, LP_EIO, lp_str_show(shown, sizeof shown, path), 0, 0,
                          "is not in the session");
    char *copy = lp_alloc(file->len + 1, 1);
    if (copy == NULL)
        return lp_fail_memory(diag, "an input file");
    memcpy(copy, file->text, file->len);
    *text = copy;
    *len = file->len;
    return LP_OK;
}

LpFiles lp_kept_files(LpKept *kept) {
    return (LpFiles){kept, read_kept, exists, NULL};
}
