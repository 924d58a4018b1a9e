/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files are the ranks of a Chakra trace, and the communicators that stand beside them. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/lack.h"
#include "base/num.h"
#include "base/str.h"
#include "import/steps/chakra.h"
#include "io/files/file.h"
#include "io/json/json.h"

typedef struct File {
    const char *path;
    uint64_t rank; /* of its name, PREFIX.RANK.et; UINT64_MAX: the name has none */
} File;

typedef struct Files {
    LpArena *arena;
    File *file;
    size_t files, cap;
    const char *groups;
} Files;

static LpErr no_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "the names of files");
}

static bool ends(const char *text, size_t len, const char *ending) {
    size_t n = strlen(ending);
    return len >= n && memcmp(text + len - n, ending, n) == 0;
}

/* Length of a name without .gz or .zst. */
static size_t unpacked_name(const char *name) {
    size_t len = strlen(name);
    return ends(name, len, ".gz") ? len - 3 : ends(name, len, ".zst") ? len - 4 : len;
}

static uint64_t rank_of(const char *path) {
    size_t len = unpacked_name(path), end;
    uint64_t rank = 0;
    if (!ends(path, len, ".et"))
        return UINT64_MAX;
    end = len -= 3;
    while (len > 0 && path[len - 1] >= '0' && path[len - 1] <= '9')
        len--;
    if (len == end || len == 0 || path[len - 1] != '.' || end - len > 9)
        return UINT64_MAX;
    for (; len < end; len++)
        rank = 10 * rank + (uint64_t)(path[len] - '0');
    return rank;
}

static LpErr add_file(Files *all, const char *path, LpDiag *diag) {
    if (lp_grow((void **)&all->file, &all->cap, all->files + 1, sizeof *all->file) != LP_OK)
        return no_memory(diag);
    all->file[all->files++] = (File){path, rank_of(path)};
    return LP_OK;
}

static LpErr add_entry(Files *all, const char *folder, const char *name, LpDiag *diag) {
    bool groups = strcmp(name, "comm_group.json") == 0;
    LpBuf path = {0};
    if (!groups && !ends(name, unpacked_name(name), ".et"))
        return LP_OK;
    size_t len = strlen(folder);
    lp_buf_addf(&path, "%s%s%s", folder, len > 0 && folder[len - 1] == '/' ? "" : "/", name);
    char *kept = path.failed ? NULL : lp_arena_strdup(all->arena, lp_buf_text(&path));
    lp_buf_fini(&path);
    if (kept == NULL)
        return no_memory(diag);
    if (!groups)
        return add_file(all, kept, diag);
    all->groups = kept;
    return LP_OK;
}

static LpErr add_folder(Files *all, const char *folder, LpDiag *diag) {
    size_t before = all->files;
    DIR *dir = opendir(folder);
    LpErr err = LP_OK;
    if (dir == NULL)
        return lp_fail_at(diag, lp_err_of(errno), folder, 0, 0, "%s", strerror(errno));
    for (struct dirent *entry; err == LP_OK && (entry = readdir(dir)) != NULL;)
        err = add_entry(all, folder, entry->d_name, diag);
    closedir(dir);
    if (err == LP_OK && all->files == before)
        return lp_fail_at(diag, LP_EINVAL, folder, 0, 0,
                          "the folder has no file that ends in .et: expected PREFIX.0.et, "
                          "PREFIX.1.et and so on");
    return err;
}

static int compare_files(const void *pa, const void *pb) {
    const File *a = pa, *b = pb;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return strcmp(a->path, b->path);
}

/* Numbers in the names say who is who; names without numbers are ranks in the order given. */
static LpErr order(Files *all, LpDiag *diag) {
    size_t numbered = 0;
    for (size_t i = 0; i < all->files; i++)
        numbered += all->file[i].rank != UINT64_MAX;
    if (numbered < all->files)
        return LP_OK;
    if (all->files > 1)
        qsort(all->file, all->files, sizeof *all->file, compare_files);
    for (size_t i = 0; i < all->files; i++) {
        if (all->file[i].rank == i)
            continue;
        if (i > 0 && all->file[i].rank == i - 1)
            return lp_fail_at(diag, LP_EINVAL, all->file[i].path, 0, 0,
                              "rank %zu stands there twice, also in %s", i - 1,
                              all->file[i - 1].path);
        return lp_fail_at(diag, LP_EINVAL, all->file[i].path, 0, 0,
                          "this is rank %llu, but there is no file of rank %zu: ranks count from 0 "
                          "without gaps",
                          (unsigned long long)all->file[i].rank, i);
    }
    return LP_OK;
}

static bool is_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

LpErr lp_chakra_files(const LpReading *reading, LpChakra *chakra, LpDiag *diag) {
    Files all = {.arena = chakra->arena};
    LpErr err = LP_OK;
    for (size_t i = 0; err == LP_OK && i < reading->files; i++)
        err = is_folder(reading->file[i]) ? add_folder(&all, reading->file[i], diag)
                                          : add_file(&all, reading->file[i], diag);
    if (err == LP_OK)
        err = order(&all, diag);
    if (err == LP_OK)
        err = lp_step_trace_new(all.files, &chakra->trace, diag);
    if (err == LP_OK) {
        chakra->rank = lp_alloc(all.files, sizeof *chakra->rank);
        if (chakra->rank == NULL)
            err = no_memory(diag);
    }
    for (size_t i = 0; err == LP_OK && i < all.files; i++)
        chakra->rank[i] = (LpChakraRank){.file = all.file[i].path, .version = ""};
    chakra->groups = reading->options->groups != NULL ? reading->options->groups : all.groups;
    lp_free(all.file);
    return err;
}

/* ---- communicators ---- */

/* The empty list stands for all ranks where `empty_is_all`. */
static LpErr read_members(LpChakra *chakra, LpJsonValue list, const char *name, bool empty_is_all,
                          LpDiag *diag) {
    size_t members = lp_json_count(list), at = 0;
    uint32_t comm, *member = NULL;
    LpErr err;
    LP_TRY(lp_json_expect(list, LP_JSON_LIST, diag));
    LP_TRY(lp_step_trace_comm(chakra->trace, name, strlen(name), &comm, diag));
    if (members == 0 && !empty_is_all)
        return lp_json_fail(list, diag, LP_EINVAL, "the communicator has no members");
    if (members == 0)
        return lp_step_trace_group(chakra->trace, comm, NULL, 0, diag);
    member = lp_alloc(members, sizeof *member);
    err = member != NULL ? LP_OK : no_memory(diag);
    for (LpJsonValue v = lp_json_first(list); err == LP_OK && at < members; v = lp_json_next(v)) {
        uint64_t rank = 0;
        err = lp_json_u64(v, 0, UINT32_MAX - 1, &rank, diag);
        member[at++] = (uint32_t)rank;
    }
    if (err == LP_OK)
        err = lp_step_trace_group(chakra->trace, comm, member, (uint32_t)members, diag);
    if (err == LP_EINVAL && diag != NULL && diag->file[0] == '\0') {
        LpDiag why = *diag;
        err = lp_json_fail(list, diag, LP_EINVAL, "%s", why.text);
    }
    lp_free(member);
    return err;
}

LpErr lp_chakra_groups(LpChakra *chakra, const char *file, LpDiag *diag) {
    char *text;
    size_t len;
    LpJson *doc = NULL;
    LP_TRY(lp_file_read(file, 0, &text, &len, diag));
    LpErr err = lp_json_parse(file, text, len, &doc, diag);
    if (err == LP_OK) {
        LpJsonValue root = lp_json_root(doc);
        err = lp_json_expect(root, LP_JSON_OBJECT, diag);
        for (LpJsonValue v = lp_json_first(root);
             err == LP_OK && lp_json_kind(v) != LP_JSON_NOTHING; v = lp_json_next(v))
            err = read_members(chakra, v, lp_json_key(v), false, diag);
    }
    lp_json_free(doc);
    lp_free(text);
    return err;
}

static LpErr read_group(LpChakra *chakra, LpJsonValue group, LpDiag *diag) {
    LpJsonValue name = lp_json_member(group, "pg_name"), ranks = lp_json_member(group, "ranks");
    char digits[LP_NUM_TEXT];
    const char *text = lp_json_text(name);
    if (lp_json_kind(name) == LP_JSON_NUMBER)
        text = lp_num_print(lp_json_number(name), digits);
    if (text == NULL || lp_json_kind(ranks) != LP_JSON_LIST)
        return LP_OK; /* a process group that is not described */
    return read_members(chakra, ranks, text, true, diag);
}

LpErr lp_chakra_groups_of(LpChakra *chakra, const char *text, size_t len, LpDiag *diag) {
    /* a list of one text, which is JSON: ["[{\"pg_name\": ...}]"], its quotes perhaps escaped */
    static const char word[] = "pg_name";
    LpBuf inner = {0};
    LpJson *doc = NULL;
    bool speaks = false;
    for (size_t i = 0; !speaks && i + sizeof word - 1 <= len; i++)
        speaks = memcmp(text + i, word, sizeof word - 1) == 0;
    if (!speaks || len < 4)
        return LP_OK;
    for (size_t i = 2; i < len - 2; i++)
        if (text[i] != '\\' || text[i + 1] != '"')
            lp_buf_add_bytes(&inner, text + i, 1);
    LpErr err = lp_buf_ok(&inner, diag);
    if (err == LP_OK)
        err = lp_json_parse("process groups", lp_buf_text(&inner), inner.len, &doc, diag);
    LpJsonValue root = doc != NULL ? lp_json_root(doc) : (LpJsonValue){0};
    for (LpJsonValue v = lp_json_first(root); err == LP_OK && lp_json_kind(v) != LP_JSON_NOTHING;
         v = lp_json_next(v))
        err = read_group(chakra, v, diag);
    lp_json_free(doc);
    lp_buf_fini(&inner);
    return err;
}
