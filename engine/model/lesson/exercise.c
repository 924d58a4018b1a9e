/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be said about an exercise without running it: words in a text, and a student's own. */
#include "model/lesson/exercise.h"

#include <string.h>

#include "base/hash.h"

/* ---- words ---- */

static char lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool stands_at(const char *text, const char *word, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (text[i] == '\0' || lower(text[i]) != lower(word[i]))
            return false;
    return true;
}

static bool holds_word(const char *text, const char *word, size_t len) {
    for (; *text != '\0'; text++)
        if (stands_at(text, word, len))
            return true;
    return false;
}

bool lp_lesson_words_hold(const LpLessonCondition *condition, const char *text) {
    bool found = false;
    for (const char *word = condition->text; !found;) {
        size_t len = strcspn(word, "|");
        found = len > 0 && holds_word(text, word, len);
        if (word[len] == '\0')
            break;
        word += len + 1;
    }
    return found != condition->absent;
}

/* ---- a student's own ---- */

void lp_lesson_own(const LpLessonExercise *exercise, const char *id, uint64_t *seed,
                   uint32_t index[LP_LESSON_OWN]) {
    static const LpLessonOwn any = {.first = 1, .last = 1000};
    const LpLessonOwn *own = exercise->own != NULL ? exercise->own : &any;
    uint64_t hash = lp_hash_text(LP_HASH_INIT, id), range = own->last - own->first;
    *seed = range == UINT64_MAX ? hash : own->first + hash % (range + 1);
    for (uint32_t i = 0; i < own->lists && i < LP_LESSON_OWN; i++) {
        hash = lp_hash_u64(hash, i + 1);
        index[i] = (uint32_t)(hash % own->list[i].sets);
    }
}
