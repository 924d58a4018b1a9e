/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state as every call finds it. A decision must follow from what it is given, not from what was
 * decided before, tried out or taken back, nor from when garbage was collected. So the whole heap
 * of the state is kept once it is loaded, and made the same again before each call: variables,
 * sizes of tables, addresses, garbage, prices. Nothing is collected meanwhile; that takes less time
 * than collecting did. */
#include "base/mem.h"
#include "script/sandbox/sandbox.h"

static void free_image(LpSandboxImage *image) {
    if (!image)
        return;
    lp_heap_forget(&image->heap);
    lp_free(image->array);
    lp_free(image);
}

LpErr lp_sandbox_keep(LpSandbox *s, LpDiag *diag) {
    LpSandboxImage *image = lp_alloc(1, sizeof *image);
    if (!image)
        return lp_fail_memory(diag, "a policy");
    lua_gc(s->L, LUA_GCCOLLECT);
    lua_gc(s->L, LUA_GCSTOP); /* in the image, and so in every call */
    image->arrays = s->arrays;
    image->array_next = s->array_next;
    image->used = s->used;
    image->block = s->block;
    image->chain = s->chain;
    image->texts = s->texts;
    image->naming = s->naming;
    image->stack = s->stack;
    image->plain = s->plain;
    image->stack_bytes = s->stack_bytes;
    image->plain_bytes = s->plain_bytes;
    LpErr err = lp_chains_save(s, &image->array, diag);
    if (err == LP_OK)
        err = lp_heap_save(&s->heap, &image->heap, diag);
    if (err != LP_OK) {
        free_image(image);
        return err;
    }
    free_image(s->image);
    s->image = image;
    return LP_OK;
}

void lp_sandbox_let_go(LpSandbox *s) {
    free_image(s->image);
    s->image = NULL;
}

void lp_image_restore(LpSandbox *s) {
    LpSandboxImage *image = s->image;
    s->restored += lp_heap_restore(&s->heap, &image->heap);
    lp_chains_restore(s, image->array, image->arrays);
    s->array_next = image->array_next;
    s->used = s->peak = image->used;
    s->block = image->block;
    s->chain = image->chain;
    s->texts = image->texts;
    s->naming = image->naming;
    s->text = NULL; /* what was made since is gone */
    s->stack = image->stack;
    s->plain = image->plain;
    s->stack_bytes = image->stack_bytes;
    s->plain_bytes = image->plain_bytes;
}
