/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ECMA-48: CSI has parameters and a final byte, SS3 one byte, strings end with ST or BEL. */
#include "term/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

enum { ESC = 27, BEL = 7, ST = 0x9c };

static bool is_string(char first) {
    return first == ']' || first == 'P' || first == '_' || first == '^' || first == 'X';
}

static void keep(LpSequence *s, uint32_t cp) {
    if (s->len < LP_SEQUENCE_MOST)
        s->text[s->len++] = cp < 0x80 ? (char)cp : '?';
    else
        s->ended = true;
}

/* Within OSC, DCS, APC, PM or SOS. */
static void add_to_string(LpSequence *s, uint32_t cp) {
    if (cp == BEL || cp == ST || s->escaped) {
        s->ended = true; /* Esc \; whatever else follows an Esc ends the string as well */
        return;
    }
    s->escaped = cp == ESC;
    if (!s->escaped)
        keep(s, cp);
}

bool lp_sequence_add(LpSequence *s, uint32_t cp) {
    if (s->len == 0) {
        bool string = cp < 0x80 && (cp == 'O' || is_string((char)cp));
        if (cp != '[' && (s->pasted || !string))
            return false;
        keep(s, cp);
        return true;
    }
    if (is_string(s->text[0])) {
        if (s->len == 1 && s->text[0] == ']' && !(cp >= '0' && cp <= '9'))
            return false; /* the key ] after Esc: commands of a terminal have a number */
        add_to_string(s, cp);
        return true;
    }
    if (cp < 0x20 || cp > 0x7e)
        return false;
    keep(s, cp);
    s->ended = s->ended || s->text[0] == 'O' || cp >= 0x40;
    return true;
}

/* Keys that ncurses knows as well, but for their bytes coming one by one over a slow line. */
static LpKey key_of(const LpSequence *s) {
    static const struct {
        const char *text;
        LpKey key;
    } keys[] = {
        {"[A", LP_KEY_UP},      {"[B", LP_KEY_DOWN},    {"[C", LP_KEY_RIGHT}, {"[D", LP_KEY_LEFT},
        {"[H", LP_KEY_HOME},    {"[F", LP_KEY_END},     {"OA", LP_KEY_UP},    {"OB", LP_KEY_DOWN},
        {"OC", LP_KEY_RIGHT},   {"OD", LP_KEY_LEFT},    {"OH", LP_KEY_HOME},  {"OF", LP_KEY_END},
        {"[1~", LP_KEY_HOME},   {"[7~", LP_KEY_HOME},   {"[4~", LP_KEY_END},  {"[8~", LP_KEY_END},
        {"[2~", LP_KEY_INSERT}, {"[3~", LP_KEY_DELETE}, {"[5~", LP_KEY_PGUP}, {"[6~", LP_KEY_PGDN},
        {"[Z", LP_KEY_BACKTAB}, {"OM", LP_KEY_ENTER},
    };
    for (size_t i = 0; i < LP_COUNTOF(keys); i++)
        if (strcmp(keys[i].text, s->text) == 0)
            return keys[i].key;
    return LP_KEY_NONE;
}

/* "rgb:ffff/ffff/ffff": one to four digits each. */
static bool read_colour(const char *text, double *luminance) {
    static const double weight[3] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    if (strncmp(text, "rgb:", 4) != 0)
        return false;
    text += 4;
    for (int i = 0; i < 3; i++) {
        size_t digits = strspn(text, "0123456789abcdefABCDEF");
        if (digits < 1 || digits > 4 || text[digits] != (i < 2 ? '/' : '\0'))
            return false;
        double most = (double)((1u << (4 * digits)) - 1);
        sum += weight[i] * (double)strtoul(text, NULL, 16) / most;
        text += digits + 1;
    }
    *luminance = sum;
    return true;
}

LpSequenceKind lp_sequence_kind(const LpSequence *s, LpKey *key, double *luminance) {
    *key = key_of(s);
    if (*key != LP_KEY_NONE)
        return LP_SEQUENCE_KEY;
    if (strcmp(s->text, "[200~") == 0)
        return LP_SEQUENCE_PASTE;
    if (strcmp(s->text, "[201~") == 0)
        return LP_SEQUENCE_PASTED;
    if (strncmp(s->text, "]11;", 4) == 0 && read_colour(s->text + 4, luminance))
        return LP_SEQUENCE_BACKGROUND;
    if (strncmp(s->text, "[?", 2) == 0 && s->text[s->len - 1] == 'c')
        return LP_SEQUENCE_DEVICE;
    return LP_SEQUENCE_OTHER;
}

static bool variable_is_light(const char *colorfgbg) {
    const char *last = strrchr(colorfgbg, ';');
    char *end;
    if (last == NULL || last[1] < '0' || last[1] > '9')
        return false;
    long colour = strtol(last + 1, &end, 10);
    return *end == '\0' && (colour == 7 || (colour >= 9 && colour <= 15));
}

const char *lp_background_told(double luminance, const char *colorfgbg, bool *light) {
    if (luminance >= 0) {
        *light = luminance > 0.5;
        return *light ? "light, the terminal says" : "dark, the terminal says";
    }
    *light = colorfgbg != NULL && variable_is_light(colorfgbg);
    if (colorfgbg == NULL)
        return "not known, taken for dark";
    return *light ? "light, COLORFGBG says" : "dark, COLORFGBG says";
}
