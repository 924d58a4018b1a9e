/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The console: asking Lua about the moment, keeping what was said, completing names. */
#include <ctype.h>
#include <string.h>

#include "ask/policy/tools.h"
#include "session/breakpoint.h"
#include "views/console/console_view.h"
#include "views/console/console_view_impl.h"

enum { SAID_MOST = 1 << 18 /* bytes; what is older is forgotten by halves */ };

void lp_console_open(LpHost *host) {
    if (lp_model_shown(host->model) != &lp_console_view)
        host->app->show(host, LP_PANE_CONSOLE);
    host->app->prompt(host, '>', "");
}

static void scroll(LpHost *host, int lines) {
    int most = lp_view_console_lines(lp_buf_text(&lp_console_state(host->model)->said));
    int scroll = host->ui->scroll - lines;
    host->ui->scroll = scroll < 0 ? 0 : scroll > most ? most : scroll;
}

/* ---- what was said ---- */

static void add_lines(LpBuf *out, char mark, const char *text) {
    while (*text) {
        size_t len = strcspn(text, "\n");
        lp_buf_add_bytes(out, &mark, 1);
        for (size_t i = 0; i < len; i++)
            lp_buf_add_bytes(out, text[i] == '\t' ? "  " : text + i, text[i] == '\t' ? 2 : 1);
        lp_buf_add(out, "\n");
        text += len + (text[len] == '\n');
    }
}

/* Statements have no value: what they printed is enough. */
static void add_answer(LpBuf *out, LpBuf *answer) {
    static const char none[] = "\nnil";
    size_t len = answer->len, end = sizeof none - 1;
    while (len > 0 && answer->text[len - 1] == '\n')
        len--;
    if (len > end && memcmp(answer->text + len - end, none, end) == 0)
        len -= end;
    if (answer->text)
        answer->text[len] = '\0';
    add_lines(out, LP_CONSOLE_ANSWER, len ? answer->text : "nil");
}

static void forget(LpBuf *said) {
    LpBuf kept = {0};
    if (said->len <= SAID_MOST)
        return;
    const char *from = strchr(lp_buf_text(said) + said->len / 2, '\n');
    lp_buf_add(&kept, from ? from + 1 : "");
    lp_buf_fini(said);
    *said = kept;
}

void lp_console_ask(LpHost *host, const char *text) {
    LpBuf *said = &lp_console_state(host->model)->said;
    LpBuf answer = {0};
    LpDiag diag = {0};
    LpErr err = lp_session_query(host->session, text, &answer, &diag);
    add_lines(said, LP_CONSOLE_ASKED, text);
    if (err != LP_OK)
        add_lines(said, LP_CONSOLE_ERROR, diag.text);
    else
        add_answer(said, &answer);
    lp_buf_fini(&answer);
    forget(said);
    host->ui->scroll = 0;
}

/* ---- names ---- */

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':';
}

size_t lp_console_word(const LpPrompt *prompt) {
    size_t at = prompt->cursor;
    while (at > 0 && is_name(prompt->text[at - 1]))
        at--;
    return at;
}

/* "cluster.predict" also as "cluster:predict", and what follows "job(3)" as ".state". */
static void add_topic(const char *topic, size_t len, const char *prefix, LpBuf *out) {
    size_t dot = 0;
    while (dot < len && topic[dot] != '.')
        dot++;
    if (prefix[0] == '.' || prefix[0] == ':') {
        if (dot == len || strncmp(topic, "job.", 4) != 0)
            return;
        lp_buf_add_bytes(out, prefix, 1);
    } else {
        lp_buf_add_bytes(out, topic, dot);
        if (dot < len)
            lp_buf_add(out, strchr(prefix, ':') ? ":" : ".");
    }
    if (dot < len)
        lp_buf_add_bytes(out, topic + dot + 1, len - dot - 1);
    lp_buf_add(out, "\n");
}

void lp_console_words(const char *prefix, LpBuf *out) {
    static const char lua[] =
        "ipairs(\npairs(\nprint(\ntostring(\njob(\nstring.format(\nmath.max(\n"
        "math.min(\nmath.floor(\ntable.concat(\ntable.sort(\nfor\nlocal\n"
        "function\nreturn\n";
    LpBuf topics = {0};
    lp_policy_tool_topics(&topics);
    for (const char *at = lp_buf_text(&topics); *at;) {
        size_t len = strcspn(at, "\n");
        add_topic(at, len, prefix, out);
        at += len + (at[len] == '\n');
    }
    lp_buf_fini(&topics);
    if (prefix[0] != '.' && prefix[0] != ':')
        lp_buf_add(out, lua);
}

/* What the interface says of the name before the cursor, in one line. */
void lp_console_hint(const LpPrompt *prompt, char *hint, size_t size) {
    char word[80], line[300];
    LpBuf about = {0};
    size_t start = lp_console_word(prompt), len = prompt->cursor - start;
    lp_str_copy(word, len + 1 < sizeof word ? len + 1 : sizeof word, prompt->text + start);
    for (char *c = word; *c; c++)
        *c = *c == ':' ? '.' : *c;
    const char *name = word[0] == '.' ? word + 1 : word;
    lp_str_copy(hint, size, "an expression or statements; Tab completes names, Esc leaves");
    if (*name && lp_policy_tool_about(name, &about) > 0) {
        const char *text = lp_buf_text(&about);
        if (*text == '#')
            text += strcspn(text, "\n") + 1;
        size_t used = 0;
        for (; *text && used + 2 < sizeof line && used < size - 1; text++)
            line[used++] = *text == '\n' || *text == '\t' ? ' ' : *text;
        line[used] = '\0';
        lp_str_copy(hint, size, line);
    }
    lp_buf_fini(&about);
}

static void end(void *state) {
    lp_buf_fini(&((LpConsoleState *)state)->said);
}

static const LpViewKey keys[] = {
    {"Enter", "a line of Lua; in it Tab completes, the arrows bring the lines before"},
    {"Up Down", "scroll what was said"},
    {NULL, NULL},
};

const LpView lp_console_view = {
    .state = sizeof(LpConsoleState),
    .end = end,
    .draw = lp_view_console,
    .move = scroll,
    .take = lp_console_open,
    .ask = lp_console_ask,
    .keys = keys,
};
