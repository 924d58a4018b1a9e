/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what a screen is asked to point at. */
#include "model/pointer.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"

static const struct {
    const char *name, *form;
} kinds[LP_POINTER_KINDS] = {
#define X(id, name, what) {name, what},
    LP_POINTER_TABLE(X)
#undef X
};

static bool read_number(const char *text, uint32_t *out) {
    uint64_t number;
    if (lp_num_parse_u64(text, &number, NULL) != LP_OK || number > UINT32_MAX)
        return false;
    *out = (uint32_t)number;
    return true;
}

static bool is_letter(const char *text) {
    return text[1] == '\0' && ((*text >= 'A' && *text <= 'Z') || (*text >= 'a' && *text <= 'z'));
}

/* "0-8" */
static bool read_path(const char *text, LpPointer *out) {
    char first[16];
    const char *dash = strchr(text, '-');
    if (dash == NULL || dash == text || (size_t)(dash - text) >= sizeof first)
        return false;
    lp_str_copy(first, (size_t)(dash - text) + 1, text);
    return read_number(first, &out->number) && read_number(dash + 1, &out->other) &&
           out->number != out->other;
}

static bool read_which(const char *text, LpPointer *out) {
    lp_str_copy(out->text, sizeof out->text, text);
    out->numbered = out->kind != LP_POINTER_WORDS && read_number(text, &out->number);
    switch (out->kind) {
    case LP_POINTER_OP:
    case LP_POINTER_CURVE:
        return out->numbered && out->number > 0;
    case LP_POINTER_ROW:
        return !out->numbered || out->number > 0;
    case LP_POINTER_LETTER:
        return is_letter(text);
    case LP_POINTER_PATH:
        return read_path(text, out);
    default:
        return true;
    }
}

static void fail_kind(const char *text, LpDiag *diag) {
    LpBuf names = {0};
    char shown[LP_POINTER_TEXT];
    for (int i = 0; i < LP_POINTER_KINDS; i++)
        lp_buf_addf(&names, "%s%s",
                    i == 0                      ? ""
                    : i + 1 == LP_POINTER_KINDS ? " or "
                                                : ", ",
                    kinds[i].name);
    lp_fail(diag, LP_EINVAL, "\"%s\" is nothing to mark: expected %s and which one",
            lp_str_show(shown, sizeof shown, text), lp_buf_text(&names));
    lp_buf_fini(&names);
}

LpErr lp_pointer_parse(const char *text, LpPointer *out, LpDiag *diag) {
    size_t len = strcspn(text, " ");
    const char *which = text + len + strspn(text + len, " ");
    char shown[LP_POINTER_TEXT];
    LpPointer pointer = {.kind = LP_POINTER_KINDS};
    for (int i = 0; i < LP_POINTER_KINDS; i++)
        if (strlen(kinds[i].name) == len && strncmp(kinds[i].name, text, len) == 0)
            pointer.kind = (LpPointerKind)i;
    if (pointer.kind == LP_POINTER_KINDS) {
        fail_kind(text, diag);
        return LP_EINVAL;
    }
    if (*which == '\0' || strlen(which) >= LP_POINTER_TEXT || !read_which(which, &pointer))
        return lp_fail(diag, LP_EINVAL, "\"%s\": expected %s",
                       lp_str_show(shown, sizeof shown, text), kinds[pointer.kind].form);
    *out = pointer;
    return LP_OK;
}
