/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be said about a lesson without running it: its handout, and its numbers. */
#include "model/lesson/lesson.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"

/* ---- numbers in texts ---- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

size_t lp_lesson_next_number(const char **at) {
    bool name = false;
    for (const char *c = *at; *c != '\0'; c++) {
        if (!is_digit(*c)) {
            name = is_letter(*c);
            continue;
        }
        size_t len = 0;
        while (is_digit(c[len]) || (c[len] == '.' && is_digit(c[len + 1])))
            len++;
        if (!name) {
            *at = c;
            return len;
        }
        c += len - 1;
    }
    return 0;
}

static bool has_number(const char *text, const char *number, size_t len) {
    for (size_t found; (found = lp_lesson_next_number(&text)) > 0; text += found)
        if (found == len && memcmp(text, number, len) == 0)
            return true;
    return false;
}

static bool is_shown(const LpLesson *lesson, const char *number, size_t len) {
    for (uint32_t s = 0; s < lesson->steps; s++)
        for (uint32_t f = 0; f < lesson->step[s].facts; f++)
            if (has_number(lesson->step[s].fact[f].shows, number, len))
                return true;
    return false;
}

/* False with the first number of the text that no fact shows. */
static bool text_known(const LpLesson *lesson, const char *text, char *number, size_t size) {
    if (text == NULL)
        return true;
    for (size_t len; (len = lp_lesson_next_number(&text)) > 0; text += len) {
        if (is_shown(lesson, text, len))
            continue;
        lp_str_copy(number, len + 1 < size ? len + 1 : size, text);
        return false;
    }
    return true;
}

static bool step_known(const LpLesson *lesson, const LpLessonStep *step, char *number,
                       size_t size) {
    const LpLessonQuestion *q = step->question;
    if (!text_known(lesson, step->title, number, size) ||
        !text_known(lesson, step->text, number, size))
        return false;
    return q == NULL || (text_known(lesson, q->ask, number, size) &&
                         text_known(lesson, q->choice[q->answer].text, number, size) &&
                         text_known(lesson, q->reveal, number, size));
}

bool lp_lesson_numbers_known(const LpLesson *lesson, uint32_t *step, char *number, size_t size) {
    const LpLessonExercise *e = lesson->exercise;
    *step = 0;
    if (!text_known(lesson, lesson->goal, number, size))
        return false;
    for (uint32_t s = 0; s < lesson->steps; s++) {
        *step = s + 1;
        if (!step_known(lesson, &lesson->step[s], number, size))
            return false;
    }
    *step = lesson->steps + 1;
    for (uint32_t h = 0; e != NULL && h < e->hints; h++)
        if (!text_known(lesson, e->hint[h], number, size))
            return false;
    return e == NULL ||
           (text_known(lesson, e->task, number, size) && text_known(lesson, e->done, number, size));
}

/* How many of the unit that follows a number make one of its SI unit. */
static double per_unit(const char *text) {
    static const struct {
        const char *unit;
        double per;
    } units[] = {{"%", 1e2},   {"ms", 1e3},  {"us", 1e6},   {"ns", 1e9},       {"kB", 1e-3},
                 {"MB", 1e-6}, {"GB", 1e-9}, {"TB", 1e-12}, {"min", 1 / 60.0}, {"h", 1 / 3600.0}};
    text += strspn(text, " ");
    for (size_t i = 0; i < LP_COUNTOF(units); i++) {
        size_t len = strlen(units[i].unit);
        if (strncmp(text, units[i].unit, len) == 0 && !is_letter(text[len]))
            return units[i].per;
    }
    return 1;
}

bool lp_lesson_agrees(const char *shows, const char *value) {
    char text[400];
    double number;
    const char *at = shows;
    size_t len = lp_lesson_next_number(&at);
    if (strcmp(shows, value) == 0)
        return true;
    if (len == 0 || lp_num_parse(value, &number, NULL) != LP_OK)
        return false;
    const char *point = memchr(at, '.', len);
    int decimals = point != NULL ? (int)(len - (size_t)(point - at) - 1) : 0;
    snprintf(text, sizeof text, "%.*f", decimals, number * per_unit(at + len));
    bool minus = text[0] == '-';
    return minus == (at > shows && at[-1] == '-') && strlen(text + minus) == len &&
           memcmp(text + minus, at, len) == 0;
}

double lp_lesson_per_unit(const char *unit) {
    return unit != NULL ? per_unit(unit) : 1;
}

/* Digits that count; what is large has no powers of ten. */
static void print_digits(double number, uint32_t digits, const char *unit, char *text,
                         size_t size) {
    double least = 1;
    for (uint32_t i = 0; i < digits; i++)
        least *= 10;
    bool whole = (number >= least || number <= -least) && number < 1e15 && number > -1e15;
    bool close = unit[0] == '\0';
    if (whole)
        snprintf(text, size, "%.0f%s%s", number, close ? "" : " ", unit);
    else
        snprintf(text, size, "%.*g%s%s", (int)digits, number, close ? "" : " ", unit);
}

const char *lp_lesson_print(const LpLessonValue *value, const char *unit, double number,
                            char text[LP_LESSON_PRINTED]) {
    const char *at = value->shows, *own = value->unit != NULL ? value->unit : unit;
    size_t len = at != NULL ? lp_lesson_next_number(&at) : 0;
    if (len == 0) {
        own = own != NULL ? own : "";
        print_digits(number * per_unit(own), value->digits > 0 ? value->digits : 3, own, text,
                     LP_LESSON_PRINTED);
        return text;
    }
    const char *point = memchr(at, '.', len);
    int decimals = point != NULL ? (int)(len - (size_t)(point - at) - 1) : 0;
    int before = (int)(at - value->shows) - (at > value->shows && at[-1] == '-' ? 1 : 0);
    snprintf(text, LP_LESSON_PRINTED, "%.*s%.*f%s", before, value->shows, decimals,
             number * per_unit(at + len), at + len);
    return text;
}

/* ---- on paper ---- */

/* Paragraphs; what Markdown would take for markup stays what it is. */
static void add_text(LpBuf *out, const char *text) {
    static const char marks[] = "\\`*_<>[]#|~";
    char shown[2];
    for (bool begin = true; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '\n') {
            lp_buf_add(out, "\n\n");
        } else if (c < 0x20 || c == 0x7f) {
            lp_buf_addf(out, "\\\\x%02x", c);
        } else {
            if (strchr(marks, *text) != NULL || (begin && strchr("-+=", *text) != NULL))
                lp_buf_add(out, "\\");
            shown[0] = *text;
            lp_buf_add_bytes(out, shown, 1);
        }
        begin = c == '\n';
    }
}

/* The text with what is invisible or wrong in it made visible, line by line. */
static void add_shown(LpBuf *out, const char *text) {
    while (*text != '\0') {
        LpBuf safe = {0};
        size_t len = strcspn(text, "\n");
        lp_str_escape(&safe, text, len);
        add_text(out, lp_buf_text(&safe));
        out->failed |= safe.failed;
        lp_buf_fini(&safe);
        text += len;
        if (*text == '\n') {
            lp_buf_add(out, "\n\n");
            text++;
        }
    }
}

static void add_question(LpBuf *out, const LpLessonQuestion *q) {
    lp_buf_add(out, "**Question.** ");
    add_shown(out, q->ask);
    lp_buf_add(out, "\n\n");
    for (uint32_t i = 0; i < q->choices; i++) {
        lp_buf_addf(out, "- [ ] %c) ", 'a' + (int)i);
        add_shown(out, q->choice[i].text);
        lp_buf_add(out, "\n");
    }
    lp_buf_add(out, "\n");
}

static void add_step(LpBuf *out, const LpLesson *lesson, uint32_t index,
                     const LpLessonPaper *paper) {
    const LpLessonStep *step = &lesson->step[index];
    lp_buf_addf(out, "## %u. ", (unsigned)index + 1);
    add_shown(out, step->title);
    lp_buf_add(out, "\n\n");
    add_shown(out, step->text);
    lp_buf_add(out, "\n\n");
    if (step->commands > 0) {
        lp_buf_add(out, "On the screen:");
        for (uint32_t i = 0; i < step->commands; i++) {
            LpBuf safe = {0};
            lp_str_escape(&safe, step->command[i].text, strlen(step->command[i].text));
            lp_buf_addf(out, "%s ``:%s``", i > 0 ? "," : "", lp_buf_text(&safe));
            lp_buf_fini(&safe);
        }
        lp_buf_add(out, "\n\n");
    }
    if (step->figure != NULL && paper->figure != NULL)
        paper->figure(paper->user, index, out);
    if (step->question != NULL)
        add_question(out, step->question);
}

/* Why what else one may think is not so. */
static void add_whys(LpBuf *out, const LpLessonQuestion *q) {
    bool any = false;
    for (uint32_t i = 0; i < q->choices; i++)
        if (q->choice[i].why != NULL) {
            any = true;
            lp_buf_addf(out, "- not %c) ", 'a' + (int)i);
            add_shown(out, q->choice[i].text);
            lp_buf_add(out, ": ");
            add_shown(out, q->choice[i].why);
            lp_buf_add(out, "\n");
        }
    lp_buf_add(out, any ? "\n" : "");
}

static void add_answers(LpBuf *out, const LpLesson *lesson) {
    bool headed = false;
    for (uint32_t s = 0; s < lesson->steps; s++) {
        const LpLessonQuestion *q = lesson->step[s].question;
        if (q == NULL)
            continue;
        lp_buf_addf(out, "%s%u. %c) ", headed ? "" : "## Answers\n\n", (unsigned)s + 1,
                    'a' + (int)q->answer);
        add_shown(out, q->reveal);
        lp_buf_add(out, "\n\n");
        add_whys(out, q);
        headed = true;
    }
}

/* What is asked for, with its points; hints are for who asks for them. */
static void add_exercise(LpBuf *out, const LpLessonExercise *e, const LpLessonPaper *paper) {
    lp_buf_add(out, "## Exercise\n\n");
    add_shown(out, e->task);
    lp_buf_add(out, "\n\n");
    if (paper->own != NULL) {
        lp_buf_add(out, "Your own numbers: ");
        add_shown(out, paper->own);
        lp_buf_add(out, "\n\n");
    }
    bool named = false;
    for (uint32_t i = 0; i < e->checks; i++) {
        if (e->check[i].name == NULL)
            continue;
        named = true;
        lp_buf_addf(out, "- %u point%s: ", (unsigned)e->check[i].points,
                    e->check[i].points == 1 ? "" : "s");
        add_shown(out, e->check[i].name);
        lp_buf_add(out, e->trial[e->check[i].run].hidden ? " (hidden run)\n" : "\n");
    }
    if (named)
        lp_buf_addf(out, "\n%u of %u point%s %s needed.\n\n", (unsigned)e->pass,
                    (unsigned)e->points, lp_str_s(e->points), e->pass == 1 ? "is" : "are");
    for (uint32_t h = 0; !paper->student && h < e->hints; h++) {
        lp_buf_add(out, "Hint: ");
        add_shown(out, e->hint[h]);
        lp_buf_add(out, "\n\n");
    }
}

void lp_lesson_plain(LpBuf *out, const char *text) {
    add_shown(out, text);
}

void lp_lesson_handout(const LpLesson *lesson, const LpLessonPaper *paper, LpBuf *out) {
    const char *title = paper->title != NULL ? paper->title : "";
    lp_buf_add(out, "# ");
    if (lesson->number > 0)
        lp_buf_addf(out, "Lesson %u%s", (unsigned)lesson->number, title[0] ? ": " : "");
    add_shown(out, title[0] ? title : lesson->number > 0 ? "" : "A lesson");
    lp_buf_addf(out, "\n\n%u minutes. Goal: ", (unsigned)lesson->minutes);
    add_shown(out, lesson->goal);
    lp_buf_add(out, "\n\n");
    for (uint32_t s = 0; s < lesson->steps; s++)
        add_step(out, lesson, s, paper);
    if (lesson->exercise != NULL)
        add_exercise(out, lesson->exercise, paper);
    if (!paper->student)
        add_answers(out, lesson);
}
