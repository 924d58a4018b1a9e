/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of what the user has been through. */
#include "app/files/progress.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/files/autosave.h"
#include "base/str.h"
#include "host/paths.h"
#include "host/write_file.h"

enum { FILE_MOST = 4096 };

LpGoneThrough lp_progress_read(void) {
    LpGoneThrough progress = {0};
    char path[LP_AUTOSAVE_PATH], text[FILE_MOST];
    if (!lp_paths_in_home(LP_PROGRESS_HOME, LP_PROGRESS_FILE, path, sizeof path))
        return progress;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0)
        (void)close(fd);
    text[got > 0 ? got : 0] = '\0';
    for (char *line = text; *line;) {
        char *end = line + strcspn(line, "\n"), *next = *end ? end + 1 : end;
        *end = '\0';
        unsigned number = 0, answered = 0, asked = 0, in = 0;
        if (strcmp(line, "tour") == 0)
            progress.toured = true;
        else if (strncmp(line, "lesson ", 7) == 0)
            number = (unsigned)strtoul(line + 7, NULL, 10);
        if (number > 0 && number < LP_PROGRESS_LESSONS)
            progress.lesson[number] = true;
        if (sscanf(line, "answered %3u of %3u in lesson %3u", &answered, &asked, &in) == 3 &&
            in > 0 && in < LP_PROGRESS_LESSONS && answered <= asked && asked <= UINT8_MAX) {
            progress.answered[in] = (uint8_t)answered;
            progress.asked[in] = (uint8_t)asked;
        }
        line = next;
    }
    return progress;
}

static bool merge(LpGoneThrough *all, const LpGoneThrough *more) {
    bool grew = more->toured && !all->toured;
    all->toured |= more->toured;
    for (int i = 0; i < LP_PROGRESS_LESSONS; i++) {
        grew |= more->lesson[i] && !all->lesson[i];
        all->lesson[i] |= more->lesson[i];
        /* A lesson that asks another number of questions by now is another one. */
        bool other = more->asked[i] > 0 && more->asked[i] != all->asked[i];
        if (other || more->answered[i] > all->answered[i]) {
            grew = true;
            all->answered[i] = more->answered[i];
            all->asked[i] = more->asked[i];
        }
    }
    return grew;
}

LpErr lp_progress_add(const LpGoneThrough *more, LpDiag *diag) {
    LpGoneThrough all = lp_progress_read();
    char folder[LP_AUTOSAVE_PATH], path[LP_AUTOSAVE_PATH];
    LpBuf text = {0};
    if (!merge(&all, more))
        return LP_OK;
    if (!lp_paths_home(LP_PROGRESS_HOME, folder, sizeof folder) ||
        !lp_paths_in_home(LP_PROGRESS_HOME, LP_PROGRESS_FILE, path, sizeof path))
        return lp_fail(diag, LP_EIO, "there is no folder for it: neither XDG_DATA_HOME nor HOME");
    LP_TRY(lp_autosave_folder(folder, diag));
    if (all.toured)
        lp_buf_add(&text, "tour\n");
    for (int i = 0; i < LP_PROGRESS_LESSONS; i++)
        if (all.lesson[i])
            lp_buf_addf(&text, "lesson %d\n", i);
    for (int i = 0; i < LP_PROGRESS_LESSONS; i++)
        if (all.asked[i])
            lp_buf_addf(&text, "answered %u of %u in lesson %d\n", (unsigned)all.answered[i],
                        (unsigned)all.asked[i], i);
    LpWriteSpec spec = {.path = path};
    LpErr err = lp_write_text(&spec, &text, diag);
    lp_buf_fini(&text);
    return err;
}
