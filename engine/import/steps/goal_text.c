/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GOAL as text: blocks of ranks, a line an op or a dependency. */
#include <string.h>

#include "base/hash.h"
#include "base/str.h"
#include "import/steps/goal.h"
#include "io/files/lines.h"

typedef struct Text {
    const char *at;
    size_t len;
} Text;

/* The name of an op, within its rank. */
typedef struct Label {
    uint64_t hash;
    size_t name; /* offset of its letters */
    uint32_t len, op;
} Label;

typedef struct Reader {
    LpGoal *goal;
    LpLineFile *lines;
    bool in_comment, in_rank, has_ranks;
    uint32_t rank; /* while in_rank */
    LpTraceDraft draft;
    LpBuf names;
    Label *label;
    size_t labels, label_cap;
    uint32_t *slot; /* of labels: number + 1 */
    size_t slots;
    const char *line; /* for messages */
} Reader;

static LpErr no_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "a schedule");
}

/* ---- words ---- */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Passes over blanks and comments; a comment may go on in the next line. */
static const char *skip(Reader *r, const char *at) {
    for (;;) {
        if (r->in_comment) {
            const char *end = strstr(at, "*/");
            if (end == NULL)
                return at + strlen(at);
            r->in_comment = false;
            at = end + 2;
        }
        while (*at == ' ' || *at == '\t')
            at++;
        if (at[0] == '/' && at[1] == '/')
            return at + strlen(at);
        if (at[0] != '/' || at[1] != '*')
            return at;
        r->in_comment = true;
        at += 2;
    }
}

/* Takes a word that begins with a letter; len 0: there is none. */
static Text take_word(Reader *r, const char **at) {
    Text word = {*at, 0};
    if (is_letter(word.at[0]))
        while (is_letter(word.at[word.len]) || is_digit(word.at[word.len]) ||
               word.at[word.len] == '_')
            word.len++;
    *at = skip(r, word.at + word.len);
    return word;
}

static bool is_word(Text word, const char *text) {
    return strlen(text) == word.len && memcmp(word.at, text, word.len) == 0;
}

/* Takes digits; false where there are none or they are more than `most`. */
static bool take_number(Reader *r, const char **at, uint64_t most, uint64_t *out) {
    const char *p = *at;
    uint64_t value = 0;
    if (!is_digit(*p))
        return false;
    for (; is_digit(*p); p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (value > (most - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *at = skip(r, p);
    *out = value;
    return true;
}

static bool take_sign(Reader *r, const char **at, const char *sign) {
    size_t len = strlen(sign);
    if (strncmp(*at, sign, len) != 0)
        return false;
    *at = skip(r, *at + len);
    return true;
}

/* ---- labels ---- */

static uint32_t *slot_of(const Reader *r, uint64_t hash, Text name) {
    size_t at = hash & (r->slots - 1);
    for (; r->slot[at] != 0; at = (at + 1) & (r->slots - 1)) {
        const Label *there = &r->label[r->slot[at] - 1];
        if (there->hash == hash && there->len == name.len &&
            memcmp(lp_buf_text(&r->names) + there->name, name.at, name.len) == 0)
            break;
    }
    return &r->slot[at];
}

static LpErr more_slots(Reader *r, LpDiag *diag) {
    if (r->slots > 2 * r->labels)
        return LP_OK;
    size_t slots = r->slots > 0 ? 2 * r->slots : 1024;
    uint32_t *slot = lp_alloc(slots, sizeof *slot);
    if (slot == NULL)
        return no_memory(diag);
    lp_free(r->slot);
    r->slot = slot;
    r->slots = slots;
    for (size_t i = 0; i < r->labels; i++) { /* all differ */
        size_t at = r->label[i].hash & (slots - 1);
        while (slot[at] != 0)
            at = (at + 1) & (slots - 1);
        slot[at] = (uint32_t)i + 1;
    }
    return LP_OK;
}

static LpErr fail_at(const Reader *r, LpDiag *diag, const char *what, Text name) {
    char text[64], shown[64];
    size_t len = name.len < sizeof text ? name.len : sizeof text - 1;
    memcpy(text, name.at, len);
    text[len] = '\0';
    return lp_lines_fail(r->lines, diag, "label %s %s", lp_str_show(shown, sizeof shown, text),
                         what);
}

/* Names the op that is added next. */
static LpErr add_label(Reader *r, Text name, LpDiag *diag) {
    uint64_t hash = lp_hash_bytes(LP_HASH_INIT, name.at, name.len);
    LP_TRY(more_slots(r, diag));
    uint32_t *slot = slot_of(r, hash, name);
    if (*slot != 0)
        return fail_at(r, diag, "stands there twice in its rank", name);
    if (lp_grow((void **)&r->label, &r->label_cap, r->labels + 1, sizeof *r->label) != LP_OK)
        return no_memory(diag);
    r->label[r->labels++] =
        (Label){hash, r->names.len, (uint32_t)name.len, (uint32_t)r->draft.nodes};
    lp_buf_add_bytes(&r->names, name.at, name.len);
    *slot = (uint32_t)r->labels;
    return lp_buf_ok(&r->names, diag);
}

static LpErr find_label(const Reader *r, Text name, uint32_t *op, LpDiag *diag) {
    const uint32_t *slot =
        r->slots > 0 ? slot_of(r, lp_hash_bytes(LP_HASH_INIT, name.at, name.len), name) : NULL;
    if (slot == NULL || *slot == 0)
        return fail_at(r, diag, "is not defined before", name);
    *op = r->label[*slot - 1].op;
    return LP_OK;
}

/* ---- lines ---- */

static LpErr no_line(const Reader *r, LpDiag *diag) {
    char shown[96];
    const char *at = r->line + strspn(r->line, " \t");
    return lp_lines_fail(r->lines, diag,
                         "line %d: \"%s\" is no calc, send, recv, requires or irequires as GOAL "
                         "has them, nor the begin or the end of a rank",
                         lp_lines_number(r->lines), lp_str_show(shown, sizeof shown, at));
}

static bool take_options(Reader *r, const char **at, LpTraceNode *node) {
    while (**at != '\0') {
        Text word = take_word(r, at);
        uint64_t value = LP_TRACE_ANY;
        if (is_word(word, "tag")) {
            if (!take_sign(r, at, "-1") && !take_number(r, at, UINT32_MAX, &value))
                return false;
            node->tag = (uint32_t)value;
        } else if (is_word(word, "cpu") || is_word(word, "nic")) {
            if (!take_number(r, at, LP_GOAL_STREAM_MAX, &value))
                return false;
            *(word.at[0] == 'c' ? &node->stream : &node->port) = (uint8_t)value;
        } else {
            return false;
        }
    }
    return true;
}

/* What stands behind "send" or "recv". */
static bool take_flow(Reader *r, const char **at, bool sends, LpTraceNode *node) {
    uint64_t peer = LP_TRACE_ANY;
    if (!take_number(r, at, UINT64_MAX, &node->amount) || !is_word(take_word(r, at), "b") ||
        !is_word(take_word(r, at), sends ? "to" : "from"))
        return false;
    if (!(!sends && take_sign(r, at, "-1")) && !take_number(r, at, LP_GOAL_RANK_MAX, &peer))
        return false;
    node->kind = sends ? LP_TRACE_SEND : LP_TRACE_RECEIVE;
    node->peer = (uint32_t)peer;
    return true;
}

static LpErr read_op(Reader *r, Text word, const char *at, LpDiag *diag) {
    LpTraceNode node = {0};
    bool sends = is_word(word, "send"), fine;
    if (is_word(word, "calc")) {
        node.kind = LP_TRACE_OP;
        fine = take_number(r, &at, UINT64_MAX, &node.amount);
    } else {
        fine = (sends || is_word(word, "recv")) && take_flow(r, &at, sends, &node);
    }
    if (!fine || !take_options(r, &at, &node))
        return no_line(r, diag);
    if (node.kind != LP_TRACE_OP && node.peer != LP_TRACE_ANY && node.peer >= r->goal->trace->ranks)
        return lp_lines_fail(r->lines, diag, "the op is about rank %u of %u", node.peer,
                             r->goal->trace->ranks);
    return lp_trace_draft_node(&r->draft, &node, diag);
}

static LpErr read_dependency(Reader *r, Text from, Text word, Text to, LpDiag *diag) {
    bool begun = is_word(word, "irequires");
    uint32_t a, b;
    LP_TRY(find_label(r, from, &a, diag));
    LP_TRY(find_label(r, to, &b, diag));
    return lp_trace_draft_edge(&r->draft, a, b | (begun ? LP_TRACE_BEGUN : 0), diag);
}

static LpErr begin_rank(Reader *r, const char *at, LpDiag *diag) {
    uint64_t rank;
    if (!take_number(r, &at, LP_GOAL_RANK_MAX, &rank) || !take_sign(r, &at, "{") || *at != '\0')
        return no_line(r, diag);
    if (!r->has_ranks)
        return lp_lines_fail(r->lines, diag, "expected num_ranks and their number before rank %llu",
                             (unsigned long long)rank);
    if (rank >= r->goal->trace->ranks)
        return lp_lines_fail(r->lines, diag, "this is rank %llu of %u, which count from 0",
                             (unsigned long long)rank, r->goal->trace->ranks);
    if (r->in_rank)
        return lp_lines_fail(r->lines, diag, "rank %llu begins inside rank %u",
                             (unsigned long long)rank, r->rank);
    if (r->goal->trace->rank[rank].edge != NULL)
        return lp_lines_fail(r->lines, diag, "rank %llu stands there twice",
                             (unsigned long long)rank);
    r->rank = (uint32_t)rank;
    r->in_rank = true;
    return LP_OK;
}

static LpErr end_rank(Reader *r, LpDiag *diag) {
    uint32_t cycle;
    if (!r->in_rank)
        return lp_lines_fail(r->lines, diag, "\"}\" without a rank that it could end");
    LP_TRY(lp_trace_draft_end(&r->draft, &r->goal->trace->rank[r->rank], &cycle, diag));
    const char *name = "";
    int len = 0;
    for (size_t i = 0; cycle != LP_NO_INDEX && i < r->labels; i++)
        if (r->label[i].op == cycle) {
            name = lp_buf_text(&r->names) + r->label[i].name;
            len = r->label[i].len < 64 ? (int)r->label[i].len : 64;
        }
    if (cycle != LP_NO_INDEX)
        return lp_lines_fail(r->lines, diag,
                             "label %.*s of rank %u, which ends here, waits for itself", len, name,
                             r->rank);
    lp_buf_clear(&r->names);
    r->labels = r->slots = 0;
    lp_free(r->slot); /* emptying that of a large rank would cost each small one as much */
    r->slot = NULL;
    r->in_rank = false;
    return LP_OK;
}

static LpErr read_count(Reader *r, const char *at, LpDiag *diag) {
    uint64_t ranks;
    if (!take_number(r, &at, UINT32_MAX, &ranks) || *at != '\0' || ranks == 0)
        return lp_lines_fail(r->lines, diag, "expected num_ranks and a number above 0");
    if (r->has_ranks)
        return lp_lines_fail(r->lines, diag, "num_ranks stands there twice");
    r->has_ranks = true;
    return lp_step_trace_new(ranks, &r->goal->trace, diag);
}

static LpErr read_line(Reader *r, const char *at, LpDiag *diag) {
    at = skip(r, at);
    if (*at == '\0')
        return LP_OK;
    if (*at == '}')
        return *skip(r, at + 1) == '\0' ? end_rank(r, diag) : no_line(r, diag);
    Text first = take_word(r, &at);
    if (first.len == 0)
        return no_line(r, diag);
    if (*at != ':' && !r->in_rank && is_word(first, "num_ranks"))
        return read_count(r, at, diag);
    if (*at != ':' && is_word(first, "rank"))
        return begin_rank(r, at, diag);
    if (!r->has_ranks)
        return lp_lines_fail(r->lines, diag, "expected num_ranks and their number first");
    if (!r->in_rank)
        return no_line(r, diag);
    if (*at == ':') {
        at = skip(r, at + 1);
        LP_TRY(add_label(r, first, diag));
        first = take_word(r, &at);
        return read_op(r, first, at, diag);
    }
    const char *behind = at;
    Text word = take_word(r, &behind);
    if (is_word(word, "requires") || is_word(word, "irequires")) {
        Text to = take_word(r, &behind);
        return to.len > 0 && *behind == '\0' ? read_dependency(r, first, word, to, diag)
                                             : no_line(r, diag);
    }
    return read_op(r, first, at, diag);
}

LpErr lp_goal_read_text(const char *file, uint64_t max, LpGoal *goal, LpDiag *diag) {
    Reader r = {.goal = goal};
    char *line = NULL;
    size_t len;
    LP_TRY(lp_lines_open(file, max, &r.lines, diag));
    LpErr err;
    while ((err = lp_lines_next(r.lines, &line, &len, diag)) == LP_OK && line != NULL) {
        r.line = line;
        err = read_line(&r, line, diag);
        if (err != LP_OK)
            break;
    }
    if (err == LP_OK && r.in_rank)
        err = lp_lines_fail(r.lines, diag, "the file ends inside rank %u: expected }", r.rank);
    else if (err == LP_OK && !r.has_ranks)
        err = lp_lines_fail(r.lines, diag, "the file ends before num_ranks and their number");
    for (uint32_t i = 0; err == LP_OK && i < goal->trace->ranks; i++)
        if (goal->trace->rank[i].edge == NULL)
            err = lp_lines_fail(r.lines, diag, "the file ends and has no rank %u, of %u", i,
                                goal->trace->ranks);
    lp_lines_close(r.lines);
    lp_trace_draft_fini(&r.draft);
    lp_buf_fini(&r.names);
    lp_free(r.label);
    lp_free(r.slot);
    return err;
}
