/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a key script of the explorer, on a small session. What such a script could write
 * goes to a folder of its own: it may name no other, since '/' is taken from it. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "front/front.h"
#include "session/session.h"

/* Each key and each wait draws screens, so there are few of them. */
enum { WORDS_MAX = 60, DIGITS_MAX = 2 };

static const char SCENARIO[] =
    "{ \"lightpath\": 1, \"name\": \"keys\", \"cluster\": { \"fabric\": \"ramp\", \"ramp\": {"
    "\"communication_groups\": 2, \"racks_per_group\": 2, \"servers_per_rack\": 1 } },"
    "\"graphs\": [ { \"id\": \"a\", \"zoo\": \"alexnet\", \"batch\": 8 } ], \"jobs\": ["
    "{ \"graph\": \"a\", \"arrival\": 0, \"steps\": 5 }, { \"servers\": 2, \"duration\": \"1 s\","
    "\"arrival\": 0.002 }, { \"graph\": \"a\", \"arrival\": 0.003, \"steps\": 2 } ],"
    "\"partition\": { \"max_degree\": 4 } }";

static void remove_folder(void) {
    DIR *folder = opendir(".");
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)unlink(entry->d_name);
    if (folder != NULL)
        closedir(folder);
}

static void enter_folder(void) {
    static char folder[64];
    if (folder[0] != '\0') {
        remove_folder();
        return;
    }
    snprintf(folder, sizeof folder, "/tmp/lightpath-keys-XXXXXX");
    lp_fuzz_must(mkdtemp(folder) != NULL && chdir(folder) == 0);
    (void)setenv("HOME", folder, 1);
    static const char *const homes[] = {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME",
                                        "XDG_CACHE_HOME"};
    for (size_t i = 0; i < LP_COUNTOF(homes); i++)
        (void)unsetenv(homes[i]);
}

/* Without folders, without large numbers, and cut behind the last word that may stand there. */
static size_t tame(char *text, size_t size) {
    size_t words = 0, digits = 0, out = 0;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        words += (c == ' ' || c == '\t' || c == '\n') ? 1 : 0;
        if (words > WORDS_MAX)
            break;
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        if (digits <= DIGITS_MAX)
            text[out++] = c == '/' ? '_' : c;
    }
    return out;
}

/* From a file, as the explorer does it: such a session can be written. */
static LpSession *open_session(void) {
    LpSessionSpec spec = {.scenario = lp_fuzz_file(SCENARIO, strlen(SCENARIO)),
                          .keep_events = true,
                          .keep_timeline = true,
                          .keep_explain = true};
    LpSession *session = NULL;
    LpDiag diag;
    lp_fuzz_must(lp_session_open(&spec, &session, &diag) == LP_OK);
    return session;
}

/* Accepted: played to its end. */
FUZZ_TARGET(script)(const uint8_t *data, size_t size) {
    char *text = lp_fuzz_text(data, size);
    LpDiag diag = {0};
    enter_folder();
    LpSession *session = open_session();
    const LpUiOptions options = {.keys_file = lp_fuzz_file(text, tame(text, size)),
                                 .no_motion = size > 0 && data[size - 1] != '\n'};
    int code = lp_ui_run_keys(session, &options, &diag);
    lp_fuzz_must(code >= 0 && code <= 2 && (code == 0 || diag.text[0] != '\0'));
    lp_session_close(session);
    remove_folder();
    free(text);
    return code == 0;
}
