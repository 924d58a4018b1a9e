/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a session: what it was opened from, then every step of every branch as it comes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/write_file.h"
#include "io/files/chain.h"
#include "session/file.h"
#include "session/session_impl.h"

enum { PATH_ROOM = 4096 };

/* What is in the file of a branch and of a policy. */
typedef struct Written {
    bool known, deleted;
    uint64_t tip;
    uint64_t name; /* hash of it */
    uint32_t policy;
} Written;

typedef struct WrittenPolicy {
    const LpPolicy *policy; /* and its hash: a fresh one may be where an old one was */
    uint64_t hash;
    uint32_t number;
} WrittenPolicy;

struct LpSave {
    LpWriter file;
    uint64_t chain;
    char *path;
    LpJsonOut line; /* into the text */
    LpBuf text, out;
    Written *branch;
    size_t branches, branches_cap;
    WrittenPolicy *policy; /* by number of the home */
    size_t homes, homes_cap;
    uint32_t policies; /* lines written */
    bool paused;
    bool foreign; /* another program's file is in the place */
    bool ended;   /* the last line is written */
    LpDiag why;
};

/* ---- lines ---- */

/* The chain closes the object. */
static void end_line(LpSave *w) {
    w->out.failed |= w->text.failed;
    lp_chain_line(&w->out, &w->chain, lp_buf_text(&w->text), w->text.len);
}

static LpJsonOut *begin_line(LpSave *w, const char *kind) {
    lp_buf_clear(&w->text);
    w->line = (LpJsonOut){.out = &w->text};
    lp_json_open(&w->line, NULL, '{');
    if (kind != NULL)
        lp_json_put_text(&w->line, "is", kind);
    return &w->line;
}

/* JSON has no infinities: what is no number is a text. */
static void put_real(LpJsonOut *line, const char *key, double value) {
    if (isfinite(value))
        lp_json_put_number(line, key, value);
    else
        lp_json_put_text(line, key, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

static bool is_utf8(const char *text, size_t len) {
    uint32_t cp;
    for (size_t at = 0, used; at < len; at += used) {
        used = lp_utf8_decode(text + at, len - at, &cp);
        if (text[at] == '\0' || (cp == 0xfffd && used == 1))
            return false;
    }
    return true;
}

/* A file's bytes: as text where they are one. */
static void put_bytes(LpJsonOut *line, const char *bytes, size_t len) {
    if (is_utf8(bytes, len)) {
        lp_json_put_text(line, "text", bytes);
        return;
    }
    lp_json_put_raw(line, "hex", "\"");
    for (size_t i = 0; i < len; i++)
        lp_buf_addf(line->out, "%02x", (unsigned char)bytes[i]);
    lp_buf_add(line->out, "\"");
}

/* ---- what a session starts from ---- */

static void write_head(LpSave *w, const LpSession *s) {
    LpJsonOut *line = begin_line(w, NULL);
    lp_json_put_count(line, "lightpath-session", LP_SESSION_FORMAT);
    lp_json_put_count(line, "defaults", LP_SESSION_DEFAULTS);
    lp_json_put_text(&w->line, "version", LP_VERSION);
    lp_json_put_text(&w->line, "scenario", s->kept->name);
    lp_json_put_text(&w->line, "semantics",
                     s->scenario->semantics_published ? "published" : "corrected");
    lp_json_put_count(&w->line, "seed", s->scenario->seed);
    if (s->until > 0)
        put_real(&w->line, "until", s->until);
    put_real(&w->line, "max_memory", *s->context->max_memory);
    end_line(w);
    begin_line(w, "scenario");
    lp_json_put_raw(&w->line, "scenario", s->kept->scenario);
    end_line(w);
    for (size_t i = 0; i < s->kept->files; i++) {
        begin_line(w, "file");
        lp_json_put_text(&w->line, "name", s->kept->file[i].name);
        put_bytes(&w->line, s->kept->file[i].text, s->kept->file[i].len);
        end_line(w);
    }
}

/* ---- policies ---- */

/* The last part of a path. */
static void base_name(const char *path, char out[PATH_ROOM]) {
    const char *slash = strrchr(path, '/');
    lp_str_copy(out, PATH_ROOM, slash != NULL ? slash + 1 : path);
}

static bool ends_in(const char *name, const char *end) {
    size_t len = strlen(name), most = strlen(end);
    return len >= most && strcmp(name + len - most, end) == 0;
}

/* Do the policy's networks have file names that tell them from each other and from scripts? */
static bool are_distinct(const LpPolicy *policy) {
    char name[PATH_ROOM], other[PATH_ROOM];
    for (uint32_t i = 1; i < lp_policy_files(policy); i++) {
        if (lp_policy_file_param(policy, i) == NULL)
            continue;
        base_name(lp_policy_file(policy, i), name);
        if (strchr(name, '.') == NULL || ends_in(name, ".lua"))
            return false;
        for (uint32_t k = 1; k < i; k++) {
            base_name(lp_policy_file(policy, k), other);
            if (strcmp(name, other) == 0)
                return false;
        }
    }
    return true;
}

/* What a file of a policy is called in the session: as it is, but for its folder, which is nobody's
 * business. */
static void sealed_name(const LpPolicy *policy, uint32_t file, char out[PATH_ROOM]) {
    char name[PATH_ROOM];
    base_name(lp_policy_file(policy, file), name);
    if (lp_policy_file_param(policy, file) == NULL || are_distinct(policy))
        lp_str_copy(out, PATH_ROOM, name);
    else
        snprintf(out, PATH_ROOM, "%u-%.200s%s", (unsigned)file, name,
                 ends_in(name, ".json") ? "" : ".json");
}

static void add_modules(LpJsonOut *line, const LpPolicy *policy) {
    char name[PATH_ROOM];
    size_t len;
    lp_json_open(line, "modules", '[');
    for (uint32_t i = 1; i < lp_policy_files(policy); i++) {
        const char *text = lp_policy_text(policy, i, &len);
        sealed_name(policy, i, name);
        if (lp_policy_file_param(policy, i) == NULL && strlen(name) > 4)
            name[strlen(name) - 4] = '\0'; /* as require() names it */
        lp_json_open(line, NULL, '{');
        lp_json_put_text(line, "name", name);
        put_bytes(line, text, len);
        lp_json_close(line, '}');
    }
    lp_json_close(line, ']');
}

/* A parameter's value, of networks the file in the session. */
static void add_param(LpJsonOut *line, const LpPolicy *policy, const LpPolicyParam *param) {
    LpBuf both = {0};
    char name[PATH_ROOM] = "";
    for (uint32_t i = 1; i < lp_policy_files(policy); i++) {
        const char *whose = lp_policy_file_param(policy, i);
        if (whose != NULL && strcmp(whose, param->name) == 0)
            sealed_name(policy, i, name);
    }
    lp_buf_addf(&both, "%s=", param->name);
    if (name[0] != '\0')
        lp_str_json(&both, name);
    else
        lp_buf_add(&both, param->json);
    lp_json_put_text(line, NULL, lp_buf_text(&both));
    line->out->failed |= both.failed;
    lp_buf_fini(&both);
}

static void write_policy(LpSave *w, const LpPolicyHome *home) {
    char name[PATH_ROOM];
    size_t len;
    const char *text = lp_policy_text(home->policy, 0, &len);
    base_name(home->path, name);
    begin_line(w, "policy");
    lp_json_put_count(&w->line, "policy", w->policies);
    lp_json_put_text(&w->line, "file", name);
    lp_json_put_text(&w->line, "name", lp_policy_name(home->policy));
    lp_json_put_hash(&w->line, "hash", lp_policy_hash(home->policy));
    put_bytes(&w->line, text, len);
    add_modules(&w->line, home->policy);
    /* Those that are given, and networks that are but have another name in the session. */
    LpJsonOut *line = &w->line;
    const LpPolicy *policy = home->policy;
    bool renamed = !are_distinct(policy);
    lp_json_open(line, "params", '[');
    for (uint32_t i = 0; i < home->params; i++)
        add_param(line, policy, &home->param[i]);
    for (uint32_t i = 1; renamed && i < lp_policy_files(policy); i++) {
        const LpPolicyParam param = {.name = lp_policy_file_param(policy, i)};
        bool given = param.name == NULL;
        for (uint32_t k = 0; k < home->params; k++)
            given = given || strcmp(home->param[k].name, param.name) == 0;
        if (!given)
            add_param(line, policy, &param);
    }
    lp_json_close(line, ']');
    end_line(w);
}

/* The number of the home's policy in the file; written first where it is new. */
static LpErr policy_of(LpSave *w, const LpSession *s, uint32_t home, uint32_t *number,
                       LpDiag *diag) {
    const LpPolicy *policy = s->home[home].policy;
    void *items = w->policy;
    if (policy == NULL) {
        *number = LP_NO_INDEX;
        return LP_OK;
    }
    if (lp_grow(&items, &w->homes_cap, (size_t)home + 1, sizeof *w->policy) != LP_OK)
        return lp_fail_memory(diag, "a saved session");
    w->policy = items;
    while (w->homes <= home)
        w->policy[w->homes++] = (WrittenPolicy){0};
    WrittenPolicy *known = &w->policy[home];
    uint64_t hash = lp_policy_hash(policy);
    if (known->policy == NULL || known->hash != hash) {
        write_policy(w, &s->home[home]);
        *known = (WrittenPolicy){policy, hash, w->policies++};
    }
    *number = known->number;
    return LP_OK;
}

/* ---- steps ---- */

static void add_record(LpJsonOut *line, const LpRecord *r) {
    lp_json_open(line, NULL, '{');
    lp_json_put_text(line, "kind", lp_record_name(r->kind));
    put_real(line, "time", r->time);
    lp_json_put_count(line, "event", r->event);
    if (r->subject != LP_NO_INDEX)
        lp_json_put_count(line, "subject", r->subject);
    lp_json_open(line, "payload", '[');
    for (uint32_t i = 0; i < r->count; i++)
        put_real(line, NULL, r->payload[i]);
    lp_json_close(line, ']');
    if (r->why[0] != '\0')
        lp_json_put_text(line, "why", r->why);
    lp_json_close(line, '}');
}

/* How many of the policy's actions were applied at the very instant of a mark. */
static uint32_t acted_now(const LpMark *mark) {
    return mark->acted_at == mark->time ? mark->acted : 0;
}

/* A step that a goal of events says all about. */
static bool is_quiet(const LpMark *mark) {
    return mark->record == mark[-1].record && !mark->over && !mark->hand && acted_now(mark) == 0;
}

/* Steps first .. last of a branch, all quiet but the last. */
static void write_step(LpSave *w, uint32_t number, const LpBranch *b, size_t first, size_t last) {
    const LpMark *mark = &b->mark[last];
    LpJsonOut *line = begin_line(w, "step");
    lp_json_put_count(line, "branch", number);
    lp_json_put_count(line, "step", b->forked_at + last);
    put_real(line, "time", mark->time);
    if (first < last) {
        lp_json_open(line, "quiet", '[');
        for (size_t i = first; i < last; i++)
            lp_json_put_count(line, NULL, b->mark[i].events);
        lp_json_close(line, ']');
    }
    lp_json_put_count(line, "events", mark->events);
    if (mark->over)
        lp_json_put_bool(line, "over", true);
    if (mark->hand)
        lp_json_put_bool(line, "hand", true);
    if (acted_now(mark) > 0)
        lp_json_put_count(line, "acted", mark->acted);
    lp_json_open(line, "records", '[');
    for (size_t at = mark[-1].record; at < mark->record; at++)
        add_record(line, lp_log_at(b->log, at));
    lp_json_close(line, ']');
    if (mark->hash != 0)
        lp_json_put_hash(line, "hash", mark->hash);
    end_line(w);
}

static void write_steps(LpSave *w, const LpSession *s, uint32_t number, LpBranch *b) {
    size_t from = (size_t)(w->branch[number].tip - b->forked_at) + 1;
    if (from >= b->marks)
        return;
    LpMark *tip = &b->mark[b->marks - 1];
    if (tip->hash == 0)
        tip->hash = lp_world_hash(lp_session_tip_world(s, number));
    for (size_t i = from; i < b->marks; i++) {
        if (i + 1 < b->marks && is_quiet(&b->mark[i]))
            continue;
        write_step(w, number, b, from, i);
        from = i + 1;
    }
    w->branch[number].tip = b->forked_at + b->marks - 1;
}

/* ---- branches ---- */

static void write_branch(LpSave *w, uint32_t number, const LpBranch *b, uint32_t policy) {
    begin_line(w, "branch");
    lp_json_put_count(&w->line, "branch", number);
    lp_json_put_text(&w->line, "name", b->name);
    if (b->parent != LP_NO_INDEX) {
        lp_json_put_count(&w->line, "parent", b->parent);
        lp_json_put_count(&w->line, "step", b->forked_at);
        lp_json_put_text(&w->line, "what", b->what);
    }
    lp_json_put_index(&w->line, "policy", policy);
    end_line(w);
    w->branch[number] =
        (Written){true, false, b->forked_at, lp_hash_text(LP_HASH_INIT, b->name), policy};
}

static void write_delete(LpSave *w, uint32_t number) {
    if (!w->branch[number].known || w->branch[number].deleted)
        return;
    begin_line(w, "delete");
    lp_json_put_count(&w->line, "branch", number);
    end_line(w);
    w->branch[number].deleted = true;
}

static void write_changes(LpSave *w, uint32_t number, const LpBranch *b, uint32_t policy) {
    Written *known = &w->branch[number];
    uint64_t name = lp_hash_text(LP_HASH_INIT, b->name);
    if (known->name != name) {
        begin_line(w, "rename");
        lp_json_put_count(&w->line, "branch", number);
        lp_json_put_text(&w->line, "name", b->name);
        end_line(w);
        known->name = name;
    }
    if (known->policy != policy) {
        begin_line(w, "decides");
        lp_json_put_count(&w->line, "branch", number);
        lp_json_put_index(&w->line, "policy", policy);
        end_line(w);
        known->policy = policy;
    }
}

static LpErr write_one(LpSave *w, const LpSession *s, uint32_t number, LpDiag *diag) {
    LpBranch *b = lp_timeline_branch(s->timeline, number);
    uint32_t policy = LP_NO_INDEX;
    if (b->deleted) {
        write_delete(w, number);
        return LP_OK;
    }
    LP_TRY(policy_of(w, s, b->policy, &policy, diag));
    if (!w->branch[number].known)
        write_branch(w, number, b, policy);
    else
        write_changes(w, number, b, policy);
    write_steps(w, s, number, b);
    return LP_OK;
}

/* Everything that is new, into w->out. */
static LpErr write_new(LpSave *w, const LpSession *s, LpDiag *diag) {
    void *items = w->branch;
    size_t count = s->timeline->branches;
    if (lp_grow(&items, &w->branches_cap, count, sizeof *w->branch) != LP_OK)
        return lp_fail_memory(diag, "a saved session");
    w->branch = items;
    while (w->branches < count)
        w->branch[w->branches++] = (Written){0};
    for (uint32_t i = 0; i < count; i++)
        LP_TRY(write_one(w, s, i, diag));
    return lp_buf_ok(&w->out, diag);
}

static LpErr put_out(LpSave *w, LpDiag *diag) {
    LpErr err = lp_buf_ok(&w->out, diag);
    if (err == LP_OK && w->out.len > 0)
        err = lp_writer_add(&w->file, lp_buf_text(&w->out), w->out.len, diag);
    lp_buf_clear(&w->out);
    return err;
}

/* ---- files ---- */

static LpErr write_all(LpSave *w, const LpSession *s, LpDiag *diag) {
    w->chain = LP_CHAIN_START;
    w->branches = w->homes = 0;
    w->policies = 0;
    lp_buf_clear(&w->out);
    write_head(w, s);
    LP_TRY(write_new(w, s, diag));
    return put_out(w, diag);
}

/* Writes the whole and puts it in its place; what was there stays until then. `before` has the
 * place now, and gives way. */
static LpErr write_file(LpSave *w, const LpSession *s, bool replace, const LpWriter *before,
                        LpDiag *diag) {
    LpWriter old = w->file;
    if (before == &w->file)
        before = &old;
    LpWriteSpec spec = {.path = w->path,
                        .fresh = !replace,
                        .kind = {"session", "{\"lightpath-session\":"},
                        .secret = true,
                        .locked = true,
                        .before = before};
    w->file = (LpWriter){0};
    LpErr err = lp_writer_open(&w->file, &spec, diag);
    if (err == LP_OK)
        err = write_all(w, s, diag);
    if (err == LP_OK)
        err = lp_writer_place(&w->file, diag);
    w->file.spec.before = NULL;
    if (err != LP_OK) {
        lp_writer_drop(&w->file);
        w->file = old;
    } else {
        lp_writer_drop(&old);
    }
    return err;
}

static LpErr pause_save(LpSave *w, LpErr err, const LpDiag *diag) {
    if (err != LP_OK) {
        w->paused = true;
        w->why = *diag;
    }
    return err;
}

static void free_save(LpSave *w) {
    lp_writer_drop(&w->file);
    lp_buf_fini(&w->text);
    lp_buf_fini(&w->out);
    lp_free(w->branch);
    lp_free(w->policy);
    lp_free(w->path);
    lp_free(w);
}

static LpErr open_save(LpSession *s, const char *path, bool replace, const LpWriter *before,
                       LpSave **out, LpDiag *diag) {
    if (s->timeline == NULL || s->kept == NULL || s->kept->scenario == NULL)
        return lp_fail(diag, LP_ESTATE, "this session cannot be saved: it %s",
                       s->timeline == NULL ? "keeps no time line" : "was not read from a file");
    LpSave *w = lp_alloc(1, sizeof *w);
    size_t len = strlen(path) + 1;
    if (w == NULL || (w->path = lp_alloc(len, 1)) == NULL) {
        lp_free(w);
        return lp_fail_memory(diag, "a saved session");
    }
    memcpy(w->path, path, len);
    LpErr err = write_file(w, s, replace, before, diag);
    if (err != LP_OK) {
        free_save(w);
        return err;
    }
    s->timeline->hashing = true;
    s->save = w;
    *out = w;
    return LP_OK;
}

LpErr lp_save_open(LpSession *s, const char *path, bool replace, LpSave **out, LpDiag *diag) {
    return open_save(s, path, replace, NULL, out, diag);
}

LpErr lp_save_move(LpSession *s, const char *path, LpSave **save, LpDiag *diag) {
    LpSave *fresh = NULL;
    LP_TRY(open_save(s, path, true, *save != NULL ? &(*save)->file : NULL, &fresh, diag));
    lp_save_close(*save, s);
    *save = fresh;
    return LP_OK;
}

/* Is the file still ours? Where another program has put something in its place that is not ours to
 * replace. */
static LpErr check_file(LpSave *w, LpDiag *diag) {
    LpErr err = lp_writer_check(&w->file, diag);
    w->foreign = err == LP_ESTATE;
    return err;
}

LpErr lp_save_update(LpSave *w, LpSession *s, LpDiag *diag) {
    LpDiag why = {0};
    if (w->paused || w->ended)
        return LP_OK;
    LpErr err = check_file(w, &why);
    if (err == LP_OK)
        err = write_new(w, s, &why);
    if (err == LP_OK)
        err = put_out(w, &why);
    if (err != LP_OK && diag != NULL)
        *diag = why;
    return pause_save(w, err, &why);
}

LpErr lp_save_sync(LpSave *w, LpDiag *diag) {
    LpDiag why = {0};
    if (w->paused)
        return LP_OK;
    LpErr err = lp_writer_sync(&w->file, &why);
    if (err != LP_OK && diag != NULL)
        *diag = why;
    return pause_save(w, err, &why);
}

bool lp_save_needs_sync(const LpSave *w) {
    return !w->paused && w->file.synced < w->file.size;
}

const char *lp_save_paused(const LpSave *w) {
    return w->paused ? w->why.text : NULL;
}

LpErr lp_save_resume(LpSave *w, LpSession *s, LpDiag *diag) {
    LpDiag why = {0};
    LpErr err = w->foreign ? lp_fail(&why, LP_EIO, "%s: expected another name", w->why.text)
                           : write_file(w, s, true, &w->file, &why);
    if (err != LP_OK) {
        if (diag != NULL)
            *diag = why;
        return w->foreign ? err : pause_save(w, err, &why);
    }
    w->paused = false;
    return LP_OK;
}

const char *lp_save_path(const LpSave *w) {
    return w->path;
}

LpErr lp_save_end(LpSave *w, LpSession *s, LpDiag *diag) {
    LP_TRY(lp_save_update(w, s, diag));
    if (w->paused) {
        if (diag != NULL)
            *diag = w->why;
        return w->why.code;
    }
    if (w->ended)
        return LP_OK;
    LpDiag why = {0};
    LpMoment at = lp_session_moment(s);
    begin_line(w, "end");
    lp_json_put_count(&w->line, "branch", at.branch);
    lp_json_put_count(&w->line, "step", at.step);
    end_line(w);
    w->ended = true;
    LpErr err = put_out(w, &why);
    if (err == LP_OK)
        err = lp_writer_sync(&w->file, &why);
    if (err != LP_OK && diag != NULL)
        *diag = why;
    return pause_save(w, err, &why);
}

void lp_save_close(LpSave *w, LpSession *s) {
    LpDiag ignored;
    if (w == NULL)
        return;
    (void)!lp_save_end(w, s, &ignored);
    if (s->save == w)
        s->save = NULL;
    free_save(w);
}
