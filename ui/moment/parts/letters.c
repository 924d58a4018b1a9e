/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Letters for jobs, read off the events. */
#include "moment/parts/letters.h"

#include <string.h>

#include "base/mem.h"
#include "moment/parts/event_face.h"

char lp_letter(int number) {
    if (number < 0 || number >= LP_LETTERS)
        return '#';
    return (char)(number < 26 ? 'A' + number : 'a' + number - 26);
}

LpStyle lp_letter_hue(uint32_t job) {
    return (LpStyle)(job == LP_NO_INDEX ? LP_ROLE_TEXT : LP_ROLE_JOB0 + job % LP_JOB_ROLES);
}

static unsigned round_of(uint32_t job) {
    return job != LP_NO_INDEX && job / LP_JOB_ROLES % 2 ? LP_UNDERLINE : 0;
}

LpStyle lp_letter_style(uint32_t job) {
    return (LpStyle)(lp_letter_hue(job) | round_of(job));
}

void lp_letter_put(const LpArea *area, int x, int y, LpStyle style, uint32_t job, int letter) {
    lp_area_put(area, x, y, (LpStyle)(style | round_of(job)), (uint32_t)lp_letter(letter));
}

int lp_letters_of(const LpLetters *letters, uint32_t job) {
    return job < letters->cap && letters->of_job[job] > 0 ? letters->of_job[job] - 1 : -1;
}

int lp_letters_was(const LpLetters *letters, uint32_t job) {
    return job < letters->cap && letters->of_job[job] < 0 ? -letters->of_job[job] - 1 : -1;
}

int lp_letters_ever(const LpLetters *letters, uint32_t job) {
    int letter = lp_letters_of(letters, job);
    return letter >= 0 ? letter : lp_letters_was(letters, job);
}

void lp_letters_fini(LpLetters *letters) {
    lp_free(letters->of_job);
    *letters = (LpLetters){0};
}

static LpErr make_room(LpLetters *letters, uint32_t job, LpDiag *diag) {
    size_t old = letters->cap;
    if (job < old)
        return LP_OK;
    if (lp_grow((void **)&letters->of_job, &letters->cap, (size_t)job + 1, 1) != LP_OK)
        return lp_fail_memory(diag, "the letters of the jobs");
    memset(letters->of_job + old, 0, letters->cap - old);
    return LP_OK;
}

/* A job's number is that of its arrival. One that found all letters taken may find one when it
 * starts. */
static void give(LpLetters *letters, uint32_t job) {
    if (letters->of_job[job] > 0)
        return;
    for (uint32_t i = 0; i < LP_LETTERS; i++) {
        uint32_t letter = (job % LP_LETTERS + i) % LP_LETTERS;
        if (letters->taken[letter])
            continue;
        letters->taken[letter] = true;
        letters->of_job[job] = (int8_t)(letter + 1);
        return;
    }
}

static void take_back(LpLetters *letters, uint32_t job) {
    int letter = letters->of_job[job] - 1;
    if (letter < 0)
        return;
    letters->taken[letter] = false;
    letters->of_job[job] = (int8_t)(-letter - 1);
}

/* Events of the session up to now, or of any branch of its time line. */
static LpErr read_events(LpLetters *letters, const LpSession *session, bool timed, uint32_t branch,
                         size_t count, LpDiag *diag) {
    if (count < letters->seen || branch != letters->branch) {
        int8_t *of_job = letters->of_job;
        size_t cap = letters->cap;
        if (cap)
            memset(of_job, 0, cap);
        *letters = (LpLetters){.of_job = of_job, .cap = cap};
    }
    letters->branch = branch;
    for (; letters->seen < count; letters->seen++) {
        const LpEvent *event = timed ? lp_session_branch_event(session, branch, letters->seen)
                                     : lp_session_event(session, letters->seen);
        if (event->job == LP_NO_INDEX)
            continue;
        LP_TRY(make_room(letters, event->job, diag));
        if (lp_event_face(event->kind)->gives)
            give(letters, event->job);
        else if (lp_event_is(event->kind, LP_EVENT_ENDS) && event->kind != LP_EVENT_ABORT)
            take_back(letters, event->job);
    }
    return LP_OK;
}

LpErr lp_letters_update(LpLetters *letters, const LpSession *session, LpDiag *diag) {
    bool timed = lp_session_branches(session) > 0;
    uint32_t branch = timed ? lp_session_moment(session).branch : 0;
    return read_events(letters, session, timed, branch, lp_session_events(session), diag);
}

LpErr lp_letters_of_branch(LpLetters *letters, const LpSession *session, uint32_t branch,
                           size_t events, LpDiag *diag) {
    return read_events(letters, session, true, branch, events, diag);
}
