/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files by path, each read once under a lock. */
#include "host/inputs.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "host/profile.h"
#include "io/files/file.h"

enum { PIECE = 65536 };

typedef struct Entry {
    char *path;
    bool asked, exists; /* was it asked whether it exists? */
    bool read;          /* then: */
    LpErr err;
    LpDiag diag;
    char *text; /* NULL where texts are not kept */
    size_t len;
    const char *kind; /* NULL: nothing was read */
    char sha256[LP_SHA256_HEX];
} Entry;

struct LpInputs {
    pthread_mutex_t lock;
    LpFiles files;
    Entry *entry; /* a batch has few: looked for one by one */
    size_t count, cap;
    uint64_t hash;
    bool passes; /* texts are not kept */
};

/* NULL: out of memory. */
static Entry *entry_of(LpInputs *in, const char *path) {
    void *items = in->entry;
    for (size_t i = 0; i < in->count; i++)
        if (strcmp(in->entry[i].path, path) == 0)
            return &in->entry[i];
    if (lp_grow(&items, &in->cap, in->count + 1, sizeof *in->entry) != LP_OK)
        return NULL;
    in->entry = items;
    size_t size = strlen(path) + 1;
    char *copy = lp_alloc(size, 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, path, size);
    in->entry[in->count] = (Entry){.path = copy};
    return &in->entry[in->count++];
}

/* ---- what they were ---- */

/* Is this the first key of its object? */
static bool begins_with_key(const char *text, const char *key) {
    text += strspn(text, " \t\r\n{");
    return *text == '"' && strncmp(text + 1, key, strlen(key)) == 0;
}

/* The scenario is what is read first. */
static const char *kind_of(const LpInputs *in, const Entry *e, const char *text, size_t len) {
    const char *end = strrchr(e->path, '.');
    if (e == in->entry)
        return "scenario";
    if (end != NULL && strcmp(end, ".lua") == 0)
        return "policy";
    if (begins_with_key(text, "lightpath_network\""))
        return "network";
    return lp_profile_format(text, len) != LP_PROFILE_NEITHER ? "graph" : "failures";
}

static void note_text(LpInputs *in, Entry *e, const char *text, size_t len) {
    in->hash = lp_hash_bytes(in->hash, text, len);
    e->kind = kind_of(in, e, text, len);
    lp_sha256_of(text, len, e->sha256);
}

/* What is wrong with a file that somebody else reads is told there. */
static void note_file(Entry *e) {
    uint8_t piece[PIECE];
    LpSha256 sha;
    ssize_t got = -1;
    struct stat about;
    int fd = open(e->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    lp_sha256_begin(&sha);
    if (fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode))
        while ((got = read(fd, piece, sizeof piece)) > 0)
            lp_sha256_add(&sha, piece, (size_t)got);
    if (fd >= 0)
        (void)close(fd);
    if (got < 0)
        return;
    e->kind = "trace";
    lp_sha256_end(&sha, e->sha256);
}

static int by_place(const void *a, const void *b) {
    const LpSource *x = a, *y = b;
    bool first = strcmp(x->kind, "scenario") == 0, other = strcmp(y->kind, "scenario") == 0;
    return first != other ? (first ? -1 : 1) : strcmp(x->file, y->file);
}

static LpErr list_sources(const LpInputs *in, LpArena *arena, LpSource **out, uint32_t *count) {
    LpSource *list = lp_arena_alloc(arena, in->count + 1, sizeof *list);
    uint32_t n = 0;
    if (list == NULL)
        return LP_ENOMEM;
    for (size_t i = 0; i < in->count; i++) {
        const Entry *e = &in->entry[i];
        if (e->kind == NULL)
            continue;
        list[n] = (LpSource){.kind = e->kind, .file = lp_arena_strdup(arena, e->path)};
        memcpy(list[n].sha256, e->sha256, sizeof e->sha256);
        if (list[n++].file == NULL)
            return LP_ENOMEM;
    }
    qsort(list, n, sizeof *list, by_place);
    *out = list;
    *count = n;
    return LP_OK;
}

LpErr lp_inputs_sources(LpInputs *in, LpArena *arena, LpSource **out, uint32_t *count,
                        LpDiag *diag) {
    pthread_mutex_lock(&in->lock);
    LpErr err = list_sources(in, arena, out, count);
    pthread_mutex_unlock(&in->lock);
    return err == LP_OK ? LP_OK : lp_fail_memory(diag, "the list of inputs");
}

/* ---- reading ---- */

static void read_once(LpInputs *in, Entry *e, size_t max) {
    if (e->read)
        return;
    e->read = true;
    e->err = lp_file_read(e->path, max, &e->text, &e->len, &e->diag);
    if (e->err == LP_OK)
        note_text(in, e, e->text, e->len);
}

static LpErr give(const Entry *e, char **text, size_t *len, LpDiag *diag) {
    if (e->err != LP_OK) {
        if (diag != NULL)
            *diag = e->diag;
        return e->err;
    }
    char *copy = lp_alloc(e->len + 1, 1);
    if (copy == NULL)
        return lp_fail_memory(diag, "an input file");
    memcpy(copy, e->text, e->len);
    *text = copy;
    *len = e->len;
    return LP_OK;
}

/* Hands the text over, so that the next one who asks reads it anew. */
static LpErr pass(Entry *e, char **text, size_t *len, LpDiag *diag) {
    e->read = false;
    if (e->err != LP_OK) {
        if (diag != NULL)
            *diag = e->diag;
        return e->err;
    }
    *text = e->text;
    *len = e->len;
    e->text = NULL;
    return LP_OK;
}

static LpErr put(LpInputs *in, const char *path, const char *text, size_t len) {
    Entry *e = entry_of(in, path);
    char *copy = e != NULL && !e->read ? lp_alloc(len + 1, 1) : NULL;
    if (copy == NULL)
        return LP_ENOMEM;
    memcpy(copy, text, len);
    e->text = copy;
    e->len = len;
    e->err = LP_OK;
    e->read = e->asked = e->exists = true;
    note_text(in, e, copy, len);
    return LP_OK;
}

LpErr lp_inputs_put(LpInputs *in, const char *path, const char *text, size_t len, LpDiag *diag) {
    pthread_mutex_lock(&in->lock);
    LpErr err = put(in, path, text, len);
    pthread_mutex_unlock(&in->lock);
    return err == LP_OK ? LP_OK : lp_fail_memory(diag, "an input file");
}

static LpErr read_input(void *user, const char *path, size_t max, char **text, size_t *len,
                        LpDiag *diag) {
    LpInputs *in = user;
    pthread_mutex_lock(&in->lock);
    Entry *e = entry_of(in, path);
    if (e != NULL)
        read_once(in, e, max);
    LpErr err = e == NULL    ? lp_fail_memory(diag, "an input file")
                : in->passes ? pass(e, text, len, diag)
                             : give(e, text, len, diag);
    pthread_mutex_unlock(&in->lock);
    return err;
}

static void note_input(void *user, const char *path) {
    LpInputs *in = user;
    pthread_mutex_lock(&in->lock);
    Entry *e = entry_of(in, path);
    if (e != NULL && e->kind == NULL)
        note_file(e);
    pthread_mutex_unlock(&in->lock);
}

static bool input_exists(void *user, const char *path) {
    LpInputs *in = user;
    struct stat about;
    pthread_mutex_lock(&in->lock);
    Entry *e = entry_of(in, path);
    if (e != NULL && !e->asked) {
        e->asked = true;
        e->exists = (e->read && e->err == LP_OK) || stat(path, &about) == 0;
    }
    bool exists = e != NULL ? e->exists : stat(path, &about) == 0;
    pthread_mutex_unlock(&in->lock);
    return exists;
}

LpErr lp_inputs_new(LpInputs **out, LpDiag *diag) {
    LpInputs *in = lp_alloc(1, sizeof *in);
    if (in == NULL)
        return lp_fail_memory(diag, "the input files");
    pthread_mutex_init(&in->lock, NULL);
    in->hash = LP_HASH_INIT;
    in->files = (LpFiles){in, read_input, input_exists, note_input};
    *out = in;
    return LP_OK;
}

LpErr lp_inputs_new_passing(LpInputs **out, LpDiag *diag) {
    LP_TRY(lp_inputs_new(out, diag));
    (*out)->passes = true;
    return LP_OK;
}

void lp_inputs_free(LpInputs *in) {
    if (in == NULL)
        return;
    for (size_t i = 0; i < in->count; i++) {
        lp_free(in->entry[i].path);
        lp_free(in->entry[i].text);
    }
    lp_free(in->entry);
    pthread_mutex_destroy(&in->lock);
    lp_free(in);
}

const LpFiles *lp_inputs_files(LpInputs *in) {
    return &in->files;
}

uint64_t lp_inputs_hash(LpInputs *in) {
    pthread_mutex_lock(&in->lock);
    uint64_t hash = in->hash;
    pthread_mutex_unlock(&in->lock);
    return hash;
}

/* ---- what a policy was made of ---- */

static int index_of(const LpPolicy *policy, const char *path) {
    for (uint32_t i = 0; i < lp_policy_files(policy); i++)
        if (strcmp(lp_policy_file(policy, i), path) == 0)
            return (int)i;
    return -1;
}

static bool policy_has(void *user, const char *path) {
    return index_of(user, path) >= 0;
}

static LpErr read_policy(void *user, const char *path, size_t max, char **text, size_t *len,
                         LpDiag *diag) {
    int index = index_of(user, path);
    (void)max;
    if (index < 0)
        return lp_fail_at(diag, LP_EIO, path, 0, 0, "the policy was made without this file");
    const char *own = lp_policy_text(user, (uint32_t)index, len);
    char *copy = lp_alloc(*len + 1, 1);
    if (copy == NULL)
        return lp_fail_memory(diag, "a policy's text");
    memcpy(copy, own, *len);
    *text = copy;
    return LP_OK;
}

LpFiles lp_inputs_of_policy(const LpPolicy *policy) {
    union {
        const void *from;
        void *to;
    } user = {policy};
    return (LpFiles){user.to, read_policy, policy_has, NULL};
}
