/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and checks command lines of moments. */
#include "session/moment/line.h"

#include <string.h>

#include "base/hash.h"
#include "base/word.h"
#include "session/moment/job_words.h"
#include "session/moment/plan_words.h"
#include "session/session_impl.h"
#include "sim/condition.h"

enum { PATH_MOST = 64, SHOWN = 80 };

/* Would it be shown otherwise than it is? */
static bool acts_on_terminals(const char *word) {
    LpBuf guarded = {0};
    lp_str_guard(&guarded, word, strlen(word));
    bool acts = strcmp(lp_buf_text(&guarded), word) != 0;
    lp_buf_fini(&guarded);
    return acts;
}

/* $'a\x0ab': what bash, zsh and ksh read back. */
static void add_ansi_word(LpBuf *out, const char *word) {
    lp_buf_add(out, "$'");
    for (const char *c = word; *c; c++) {
        if (*c == '\'' || *c == '\\')
            lp_buf_addf(out, "\\%c", *c);
        else if (*c >= ' ' && *c < 0x7f)
            lp_buf_add_bytes(out, c, 1);
        else
            lp_buf_addf(out, "\\x%02x", (unsigned)(unsigned char)*c);
    }
    lp_buf_add(out, "'");
}

void lp_shell_word(LpBuf *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./=:,+@%";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        lp_buf_add(out, word);
        return;
    }
    if (acts_on_terminals(word)) {
        add_ansi_word(out, word);
        return;
    }
    lp_buf_add(out, "'");
    for (const char *c = word; *c; c++) {
        if (*c == '\'')
            lp_buf_add(out, "'\\''");
        else
            lp_buf_add_bytes(out, c, 1);
    }
    lp_buf_add(out, "'");
}

/* ---- where ---- */

static void add_at(const LpSession *s, LpMoment moment, LpBuf *out) {
    LpMomentFacts facts;
    if (moment.step == 0 || lp_session_moment_facts(s, moment, &facts) != LP_OK)
        return;
    if (facts.due != LP_NO_INDEX)
        lp_buf_addf(out, " --at d%llu", (unsigned long long)facts.decisions);
    else if (facts.events > 0)
        lp_buf_addf(out, " --at e%llu", (unsigned long long)facts.events - 1);
}

/* ---- how it was forked ---- */

/* Is this a word of a fork, or does it give a parameter of a policy? */
static bool is_fork_word(const char *word, size_t len) {
    static const char *const keys[] = {"degree", "servers", "wait", "decline", "policy"};
    if (lp_is_plan_key(word, len))
        return true;
    for (int i = 0; i < LP_JOB_WORD_COUNT; i++) {
        const char *name = lp_job_word_name((LpJobWord)i);
        if (strlen(name) == len && strncmp(word, name, len) == 0)
            return true;
    }
    for (size_t i = 0; i < LP_COUNTOF(keys); i++)
        if (strlen(keys[i]) == len && strncmp(word, keys[i], len) == 0)
            return true;
    for (int k = 0; k < LP_CONDITION_COUNT; k++) {
        const char *name = lp_condition_name((LpConditionKind)k);
        if (strlen(name) == len && strncmp(word, name, len) == 0)
            return true;
    }
    return false;
}

/* What a branch says of itself as the words that make it. False where there are none for it. */
static bool add_fork(const char *what, LpBuf *out) {
    LpBuf words = {0};
    bool answer = false, servers = false; /* an answer by servers alone is what it says */
    for (const char *at = what; *at;) {
        size_t key = strcspn(at, "= "), len = key;
        if (lp_word_length(at, &len, NULL) != LP_OK) /* of a session from before quotes */
            len = strcspn(at, " ");
        bool is_answer = len == 6 && strncmp(at, "answer", 6) == 0;
        answer = answer || is_answer;
        servers = servers || strncmp(at, "servers=", 8) == 0;
        if (!is_answer) {
            lp_buf_add(&words, words.len > 0 ? " " : "");
            lp_buf_add(&words, is_fork_word(at, key) ? "" : "param=");
            lp_buf_add_bytes(&words, at, len);
        }
        at += len + (at[len] == ' ');
    }
    lp_buf_add(out, " --fork ");
    lp_shell_word(out, lp_buf_text(&words));
    lp_buf_fini(&words);
    return !answer || servers;
}

/* Steps of a branch that somebody made after it was forked. */
static bool has_hand(const LpBranch *b, uint64_t upto) {
    size_t own = b->parent == LP_NO_INDEX ? 1 : 3; /* a fork may clear data, then answer */
    for (size_t i = own; i < b->marks && b->forked_at + i <= upto; i++)
        if (b->mark[i].hand)
            return true;
    return false;
}

void lp_moment_words(const LpSession *s, bool from_here, LpBuf *out, bool *all) {
    const LpTimeline *t = s->timeline;
    uint32_t path[PATH_MOST], count = 0;
    *all = true;
    if (t == NULL)
        return;
    if (from_here) {
        lp_buf_add(out, " --branch ");
        lp_shell_word(out, lp_timeline_branch(t, t->current)->name);
        add_at(s, lp_session_moment(s), out);
        return;
    }
    for (uint32_t b = t->current; b != LP_NO_INDEX && count < PATH_MOST;
         b = lp_timeline_branch(t, b)->parent)
        path[count++] = b;
    *all = lp_timeline_branch(t, path[count - 1])->parent == LP_NO_INDEX;
    uint64_t upto = t->step;
    for (uint32_t i = 0; i < count; i++) {
        const LpBranch *b = lp_timeline_branch(t, path[i]);
        *all = *all && !has_hand(b, upto);
        upto = upto < b->forked_at ? upto : b->forked_at;
    }
    for (uint32_t i = count; i-- > 0;) {
        const LpBranch *b = lp_timeline_branch(t, path[i]);
        if (b->parent == LP_NO_INDEX)
            continue;
        add_at(s, (LpMoment){b->parent, b->forked_at}, out);
        *all = add_fork(b->what, out) && *all;
    }
    add_at(s, lp_session_moment(s), out);
}

/* ---- what it should be ---- */

typedef struct Prints {
    uint64_t value[3];
} Prints;

static const char *const names[] = {"scenario", "policy", "state"};
static const char *const changed[] = {"the scenario or a graph was changed",
                                      "the policy or a parameter was changed",
                                      "the state is another one"};

static Prints prints_of(const LpSession *s) {
    Prints p = {{LP_HASH_INIT, LP_HASH_INIT, lp_world_hash(s->world)}};
    if (s->kept != NULL) {
        p.value[0] = lp_hash_text(p.value[0], s->kept->scenario);
        for (size_t i = 0; i < s->kept->files; i++)
            p.value[0] = lp_hash_bytes(p.value[0], s->kept->file[i].text, s->kept->file[i].len);
    }
    if (s->loaded.policy != NULL)
        p.value[1] = lp_policy_hash(s->loaded.policy);
    return p;
}

void lp_moment_expect(const LpSession *s, LpBuf *out) {
    Prints p = prints_of(s);
    char hex[LP_HASH_HEX];
    lp_buf_add(out, " --expect ");
    for (size_t i = s->kept != NULL ? 0 : 1; i < LP_COUNTOF(names); i++)
        lp_buf_addf(out, "%s=%s%s", names[i], lp_hash_hex(p.value[i], hex),
                    i + 1 < LP_COUNTOF(names) ? "," : "");
}

/* Index of "name=0123456789abcdef" at the start of the text, -1: none. */
static int read_print(const char *text) {
    for (size_t i = 0; i < LP_COUNTOF(names); i++) {
        size_t len = strlen(names[i]);
        if (strncmp(text, names[i], len) == 0 && text[len] == '=' &&
            strspn(text + len + 1, "0123456789abcdef") == LP_HASH_HEX - 1 &&
            strchr(",", text[len + LP_HASH_HEX]) != NULL)
            return (int)i;
    }
    return -1;
}

LpErr lp_moment_check(const LpSession *s, const char *expect, LpBuf *out, LpDiag *diag) {
    Prints p = prints_of(s);
    char hex[LP_HASH_HEX], shown[SHOWN];
    bool some = false;
    for (const char *at = expect;; at++) {
        int i = read_print(at);
        if (i < 0)
            return lp_fail(diag, LP_EINVAL,
                           "--expect %s: expected scenario=HASH,policy=HASH,state=HASH as y writes "
                           "them",
                           lp_str_show(shown, sizeof shown, expect));
        at += strlen(names[i]) + 1;
        if (strncmp(at, lp_hash_hex(p.value[i], hex), LP_HASH_HEX - 1) != 0) {
            lp_buf_addf(out, "%s%s", some ? "; " : "", changed[i]);
            some = true;
        }
        at += LP_HASH_HEX - 1;
        if (*at == '\0')
            return lp_buf_ok(out, diag);
    }
}
