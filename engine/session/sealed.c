/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies that are in memory and not on a disk. */
#include <string.h>

#include "session/session_impl.h"

static const LpSealedFile *find(const LpSealed *sealed, const char *path) {
    for (size_t i = 0; i < sealed->count; i++)
        if (strcmp(sealed->file[i].path, path) == 0)
            return &sealed->file[i];
    return NULL;
}

static bool exists(void *user, const char *path) {
    return find(user, path) != NULL;
}

static LpErr read_file(void *user, const char *path, size_t max, char **text, size_t *len,
                       LpDiag *diag) {
    const LpSealedFile *file = find(user, path);
    (void)max;
    if (file == NULL)
        return lp_fail_at(diag, LP_EIO, path, 0, 0, "is not in the session");
    char *copy = lp_alloc(file->len + 1, 1);
    if (copy == NULL)
        return lp_fail_memory(diag, "a policy's text");
    memcpy(copy, file->text, file->len);
    *text = copy;
    *len = file->len;
    return LP_OK;
}

LpErr lp_sealed_new(LpSealed **out, LpDiag *diag) {
    LpSealed *sealed = lp_alloc(1, sizeof *sealed);
    if (sealed == NULL || (sealed->arena = lp_arena_new(0)) == NULL) {
        lp_free(sealed);
        return lp_fail_memory(diag, "the policies of a session");
    }
    sealed->files = (LpFiles){sealed, read_file, exists, NULL};
    *out = sealed;
    return LP_OK;
}

void lp_sealed_free(LpSealed *sealed) {
    if (sealed == NULL)
        return;
    lp_arena_free(sealed->arena);
    lp_free(sealed->file);
    lp_free(sealed);
}

LpErr lp_sealed_add(LpSealed *sealed, const LpSealedFile *file, LpDiag *diag) {
    void *items = sealed->file;
    if (find(sealed, file->path) != NULL)
        return lp_fail(diag, LP_EINVAL, "a file of a policy is there twice");
    if (lp_grow(&items, &sealed->cap, sealed->count + 1, sizeof *sealed->file) != LP_OK)
        return lp_fail_memory(diag, "the policies of a session");
    sealed->file = items;
    sealed->file[sealed->count++] = *file;
    return LP_OK;
}

const LpFiles *lp_sealed_files(const LpSealed *sealed, const char *path) {
    return sealed != NULL && path != NULL && find(sealed, path) != NULL ? &sealed->files : NULL;
}
