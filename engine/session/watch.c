/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hot reload: looking after the files of a session's policy, and loading it again when one was
 * saved. Events say when to look, stamps say what changed; where there are no events stamps do for
 * both. */
#include <stdio.h>
#include <string.h>

#include "host/paths.h"
#include "io/files/watch.h"
#include "session/file.h"
#include "session/session_impl.h"

enum {
    FOLDER = LP_STAMPS_MAX - 1, /* stamps that are not of a file of the policy */
    CULPRIT = LP_STAMPS_MAX - 2,
    FILES_MAX = LP_STAMPS_MAX - 2,
    LIBRARIES_MAX = 2 * LP_PATHS_MAX,
    PATH_ROOM = 4096
};

static uint32_t files_of(const LpSession *s) {
    uint32_t files = lp_policy_files(s->loaded.policy);
    return files < FILES_MAX ? files : FILES_MAX;
}

static bool is_broken(const LpSession *s) {
    return s->saved.error.code != LP_OK;
}

/* ---- stamps ---- */

static uint64_t folder_stamp(const LpSession *s) {
    char path[PATH_ROOM];
    const char *slash = strrchr(s->loaded.path, '/');
    int len = slash != NULL ? (int)(slash - s->loaded.path) + 1 : 0;
    snprintf(path, sizeof path, "%.*s.", len, s->loaded.path);
    return lp_file_stamp(path);
}

void lp_session_stamp(LpSession *s, uint64_t own) {
    LpStamps *stamps = s->loaded.stamps;
    stamps->at[0] = own;
    for (uint32_t i = 1; i < files_of(s); i++)
        stamps->at[i] = lp_file_stamp(lp_policy_file(s->loaded.policy, i));
    stamps->at[CULPRIT] = is_broken(s) ? lp_file_stamp(s->saved.error.file) : 0;
    stamps->at[FOLDER] = is_broken(s) ? folder_stamp(s) : 0;
}

/* A file that is not there is being saved, or needed no more: it is no news. */
static bool files_changed(const LpSession *s) {
    for (uint32_t i = 0; i < files_of(s); i++) {
        uint64_t stamp = lp_file_stamp(lp_policy_file(s->loaded.policy, i));
        if (stamp != 0 && stamp != s->loaded.stamps->at[i])
            return true;
    }
    return false;
}

/* What keeps a save from being taken may lie in a file that the old policy does not know. */
static bool surroundings_changed(const LpSession *s) {
    return lp_file_stamp(s->saved.error.file) != s->loaded.stamps->at[CULPRIT] ||
           folder_stamp(s) != s->loaded.stamps->at[FOLDER];
}

/* ---- events ---- */

/* The policy's files; after a broken save also every folder where one that it wants may appear. */
static bool watch_files(LpSession *s) {
    LpDiag ignored;
    char path[LIBRARIES_MAX][PATH_ROOM];
    const char *file[FILES_MAX + LIBRARIES_MAX + 1];
    uint32_t count = files_of(s);
    for (uint32_t i = 0; i < count; i++)
        file[i] = lp_policy_file(s->loaded.policy, i);
    if (is_broken(s)) {
        file[count++] = s->saved.error.file;
        for (int i = 0; i < LIBRARIES_MAX && s->loaded.library[i] != NULL; i++) {
            snprintf(path[i], PATH_ROOM, "%s/?", s->loaded.library[i]); /* no name of a file */
            file[count++] = path[i];
        }
    }
    return lp_watch_files(s->saved.watch, file, count, &ignored) == LP_OK;
}

void lp_session_watch(LpSession *s, bool watch) {
    LpDiag ignored;
    lp_watch_free(s->saved.watch);
    s->saved.watch = NULL;
    if (watch && lp_watch_new(&s->saved.watch, &ignored) == LP_OK && s->loaded.policy != NULL)
        watch_files(s); /* where that fails the next poll tries again */
}

int lp_session_watch_fd(const LpSession *s) {
    return s->saved.watch != NULL ? lp_watch_fd(s->saved.watch) : -1;
}

/* ---- loading again ---- */

static void take(LpSession *s, LpPolicy *fresh) {
    LpDiag ignored;
    if (s->save != NULL) /* what the old one decided is to be noted as its doing */
        (void)!lp_save_update(s->save, s, &ignored);
    lp_policy_free(s->loaded.policy);
    s->loaded.policy = fresh;
    if (s->timeline != NULL)
        s->home[lp_timeline_branch(s->timeline, s->timeline->current)->policy] = s->loaded;
    s->saved.count++;
    lp_session_forget(s);
}

/* saved: a file of the policy was; else something near it, which need not have to do with it. */
static LpErr load_again(LpSession *s, bool saved) {
    LpPolicy *fresh = NULL;
    LpDiag error = {0}, before = s->saved.error;
    uint64_t own = lp_file_stamp(s->loaded.path);
    LpErr err = lp_session_load_again(s, NULL, &fresh, &error);
    if (err == LP_OK) {
        s->saved.error = (LpDiag){0};
        if (before.code == LP_OK && lp_policy_hash(fresh) == lp_policy_hash(s->loaded.policy))
            lp_policy_free(fresh); /* nothing new in it */
        else
            take(s, fresh);
    } else {
        s->saved.error = error;
    }
    lp_session_stamp(s, own); /* it may require other files now */
    return err != LP_OK && (saved || strcmp(error.text, before.text) != 0) ? err : LP_OK;
}

LpErr lp_session_poll(LpSession *s) {
    if (s->saved.watch == NULL || s->loaded.policy == NULL)
        return LP_OK;
    /* stamps first: of a change that they show the events are there already */
    bool saved = files_changed(s), near = is_broken(s) && surroundings_changed(s);
    LpWatchNews news = lp_watch_news(s->saved.watch);
    if (!watch_files(s) || news == LP_WATCH_WRITING)
        return LP_OK;
    saved = saved || news == LP_WATCH_SAVED;
    near = near || (is_broken(s) && news == LP_WATCH_NEAR);
    if ((!saved && !near) || lp_file_stamp(s->loaded.path) == 0)
        return LP_OK;
    LpErr err = load_again(s, saved);
    watch_files(s);
    return err;
}

const LpDiag *lp_session_reload_error(const LpSession *s) {
    return is_broken(s) ? &s->saved.error : NULL;
}

uint32_t lp_session_reloads(const LpSession *s) {
    return s->saved.count;
}
