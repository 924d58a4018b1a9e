/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal through ncursesw. No ACS, no colours redefined, default background throughout. */
#include "term/term.h"

#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include <curses.h>
#include <term.h>

#include "base/mem.h"
#include "term/clipboard.h"
#include "term/sequence.h"
#include "term/tty_size.h"

enum {
    LONGEST_WAIT_MS = 1000,
    REST_MS = 25,      /* for the rest of a key that comes in several bytes */
    REST_SSH_MS = 100, /* for it over a network */
    SEQUENCE_MS = 50,  /* for the next character of a control sequence */
    PASTE_MS = 300,    /* for the next character of what is pasted */
    PASTE_MOST = 4096, /* bytes of it that are kept */
    ASK_MS = 100,      /* for an answer of the terminal */
    ASK_SSH_MS = 300,
    ASK_KEYS = 64 /* that are kept while it is waited for */
};

struct LpTerm {
    SCREEN *screen;
    LpCanvas shown; /* what the terminal shows now */
    int colors;     /* 256, 16, 8 or 0 */
    bool utf8;
    bool mouse; /* is ours */
    LpMouse last;
    LpTheme theme;
    LpBuf pasted;           /* what was pasted last, without controls */
    double background;      /* luminance, 0 to 1; < 0: the terminal did not say */
    const char *said_light; /* what is known of the background; NULL: nobody asked */
    char notice[160];       /* what is not as TERM says, "": nothing */
};

/* What a signal handler may touch: the flag of Ctrl-C, and what it takes to give the terminal
 * back. A handler has no other way to know. */
static struct {
    volatile sig_atomic_t flag;
    volatile sig_atomic_t taken; /* the terminal is ours */
    struct termios before;
    char reset[256]; /* leaves the alternate screen, shows the cursor, plain attributes */
    size_t reset_len;
    volatile sig_atomic_t motion;  /* the terminal tells how the mouse is dragged */
    volatile sig_atomic_t paste;   /* the terminal puts brackets around what is pasted */
    volatile sig_atomic_t ending;  /* the signal that ends the program, 0: none */
    volatile sig_atomic_t resized; /* the terminal has another size */
    int tty, nowhere;              /* what curses writes to, and where it cannot wait */
    pthread_t main_thread;
    void (*volatile stop)(int number); /* what curses does on SIGTSTP */
} interrupted;

/* ---- signals ---- */

static void on_interrupt(int number) {
    (void)number;
    interrupted.flag = 1;
}

/* curses reports pressing and releasing a button; these also turn on reports of moving meanwhile.
 */
static const char motion_on[] = "\033[?1002h", motion_off[] = "\033[?1002l";
static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

static void write_all(const char *text, size_t len) {
    ssize_t wrote = write(STDOUT_FILENO, text, len);
    (void)wrote;
}

/* Async-signal-safe. A terminal that has stopped, or is not read, would keep whoever writes to it:
 * what waits there is dropped, so that there is room for the little that gives it back. */
static void give_back(void) {
    if (!interrupted.taken)
        return;
    interrupted.taken = 0;
    tcflow(interrupted.tty, TCOOFF); /* Ctrl-S ends only with a stop of ours */
    tcflow(interrupted.tty, TCOON);
    tcflush(interrupted.tty, TCOFLUSH);
    dup2(interrupted.tty, STDOUT_FILENO);
    if (interrupted.motion)
        write_all(motion_off, sizeof motion_off - 1);
    if (interrupted.paste)
        write_all(paste_off, sizeof paste_off - 1);
    write_all(interrupted.reset, interrupted.reset_len);
    tcsetattr(STDIN_FILENO, TCSANOW, &interrupted.before);
}

static void on_fatal(int number) {
    give_back();
    raise(number); /* SA_RESETHAND: now with its usual end */
}

/* Time for an end in good order, s. */
enum { ENDING_S = 5 };

/* SIGTERM and SIGHUP: the program ends in good order, which takes the main thread. That may wait
 * for the terminal just now: what it writes goes nowhere from here on. */
static void on_end(int number) {
    if (!pthread_equal(pthread_self(), interrupted.main_thread)) {
        pthread_kill(interrupted.main_thread, number);
        return;
    }
    if (interrupted.ending != 0) {
        on_fatal(number);
        return;
    }
    interrupted.ending = number;
    dup2(interrupted.nowhere, STDOUT_FILENO);
    alarm(ENDING_S);
}

/* It took too long. */
static void on_late(int number) {
    (void)number;
    give_back();
    signal((int)interrupted.ending, SIG_DFL);
    raise((int)interrupted.ending);
}

static void on_resize(int number) {
    (void)number;
    interrupted.resized = 1;
}

/* Around what curses does: it gives the terminal back, stops, and takes it again. */
static void on_stop(int number) {
    if (interrupted.motion)
        write_all(motion_off, sizeof motion_off - 1);
    if (interrupted.paste)
        write_all(paste_off, sizeof paste_off - 1);
    if (interrupted.stop)
        interrupted.stop(number);
    if (interrupted.motion)
        write_all(motion_on, sizeof motion_on - 1);
    if (interrupted.paste)
        write_all(paste_on, sizeof paste_on - 1);
}

static void catch_stop(void) {
    struct sigaction action = {.sa_handler = on_stop, .sa_flags = (int)SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGTSTP, NULL, &before) != 0 || before.sa_handler == SIG_DFL ||
        before.sa_handler == SIG_IGN || before.sa_handler == on_stop)
        return;
    interrupted.stop = before.sa_handler;
    sigaction(SIGTSTP, &action, NULL);
}

/* Without SA_RESTART reading a key ends, and writing. */
static void catch_one(int number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler}, before;
    action.sa_flags = number == SIGWINCH ? (int)SA_RESTART : 0;
    sigemptyset(&action.sa_mask);
    if (number == SIGHUP && sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN)
        return; /* nohup */
    sigaction(number, &action, NULL);
}

static void catch_signals(void) {
    static const int fatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT};
    struct sigaction action;
    catch_one(SIGINT, on_interrupt);
    catch_one(SIGTERM, on_end);
    catch_one(SIGHUP, on_end);
    catch_one(SIGALRM, on_late);
    catch_one(SIGWINCH, on_resize);
    action = (struct sigaction){.sa_handler = on_fatal, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < LP_COUNTOF(fatal); i++)
        sigaction(fatal[i], &action, NULL);
}

/* Appends a capability without its padding ("$<5>"). */
static void add_capability(const char *name) {
    const char *text = tigetstr((char *)(uintptr_t)name);
    if (!text || text == (const char *)-1)
        return;
    while (*text && interrupted.reset_len < sizeof interrupted.reset) {
        const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;
        if (end)
            text = end + 1;
        else
            interrupted.reset[interrupted.reset_len++] = *text++;
    }
}

static bool knows_mouse(void) {
    const char *text = tigetstr((char *)(uintptr_t) "kmous");
    return text && text != (const char *)-1;
}

/* The console of Linux shows what it does not know. */
static bool knows_osc(void) {
    const char *name = getenv("TERM");
    return name != NULL && strcmp(name, "linux") != 0 && strcmp(name, "dumb") != 0;
}

static void remember_reset(void) {
    static const char *const names[] = {"sgr0", "op", "cnorm", "rmkx", "rmcup"};
    static const char mouse_off[] = "\033[?1000l\033[?1006l\033[?2004l";
    interrupted.reset_len = 0;
    if (knows_mouse())
        for (const char *c = mouse_off; *c; c++)
            interrupted.reset[interrupted.reset_len++] = *c;
    for (size_t i = 0; i < LP_COUNTOF(names); i++)
        add_capability(names[i]);
}

/* ---- colours ---- */

/* Pairs for every role: text, fill, a marked bar, and with 256 colours a dimmed fill; terminals of
 * few colours have 64 pairs. */
static const unsigned variant[] = {0, LP_FILL, LP_SWAP, LP_FILL | LP_DIM};

static int variant_of(const LpTerm *term, unsigned bits) {
    if (bits & LP_SWAP || !(bits & LP_FILL))
        return bits & LP_SWAP ? 2 : 0;
    return !(bits & LP_DIM) ? 1 : term->colors >= 256 ? 3 : 0;
}

static void make_pairs(const LpTerm *term) {
    LpTheme theme = term->theme;
    for (int role = 0; role < LP_ROLE_COUNT; role++)
        theme.look[role].attr &= (uint16_t)~LP_FILL;
    int variants = term->colors >= 256 ? 4 : term->colors ? 3 : 0;
    for (int i = 0; i < variants * LP_ROLE_COUNT; i++) {
        unsigned role = (unsigned)(i % LP_ROLE_COUNT);
        LpInk ink = lp_theme_ink(&theme, role | variant[i / LP_ROLE_COUNT], term->colors);
        init_pair((short)(i + 1), ink.front, ink.back);
    }
}

static void make_colors(LpTerm *term, bool no_color) {
    const char *wish = getenv("NO_COLOR");
    if (no_color || (wish && *wish) || !has_colors() || start_color() == ERR)
        return;
    use_default_colors();
    term->colors = COLORS >= 256 && COLOR_PAIRS > 4 * LP_ROLE_COUNT ? 256
                   : COLORS >= 16                                   ? 16
                   : COLORS >= 8                                    ? 8
                                                                    : 0;
    make_pairs(term);
}

void lp_term_set_theme(LpTerm *term, const LpTheme *theme) {
    term->theme = *theme;
    make_pairs(term);
}

/* Does the C library know the character's width as the canvas does? Curses asks it. */
static bool knows_width(uint32_t cp) {
    return wcwidth((wchar_t)cp) == lp_utf8_columns(cp);
}

static void set_cell(const LpTerm *term, const LpCell *cell, cchar_t *out) {
    int role = cell->style & 0xFF;
    /* reversed twice is not plain again: a marked row stays marked */
    uint16_t bits = lp_theme_ink(&term->theme, cell->style, term->colors).attr;
    attr_t attr = (bits & LP_BOLD ? A_BOLD : 0) | (bits & LP_REVERSE ? A_REVERSE : 0) |
                  (bits & LP_UNDERLINE ? A_UNDERLINE : 0);
    int which = variant_of(term, (unsigned)cell->style | term->theme.look[role].attr);
    int pair = term->colors ? which * LP_ROLE_COUNT + role + 1 : 0;
    wchar_t text[LP_CELL_MARKS + 2] = {(wchar_t)cell->cp, cell->mark[0], cell->mark[1]};
    if (cell->cp == LP_CELL_REST || !knows_width(cell->cp)) /* what follows would be shifted */
        text[0] = cell->cp == LP_CELL_REST ? L' ' : L'?', text[1] = L'\0';
    setcchar(out, text, attr, (short)pair, NULL);
}

/* ---- control sequences ---- */

/* The next character, if it comes in time; a key of curses stays where it is. */
static bool next_char(int ms, wint_t *code) {
    wtimeout(stdscr, ms);
    int kind = wget_wch(stdscr, code);
    if (kind == KEY_CODE_YES)
        ungetch((int)*code);
    return kind == OK;
}

static bool over_network(void) {
    return getenv("SSH_CONNECTION") != NULL || getenv("SSH_TTY") != NULL;
}

/* Reads on after Esc. False: it was the key, and what came after it is still to be read. */
static bool read_sequence(LpSequence *s, bool pasted) {
    wint_t code;
    int rest = getenv("ESCDELAY") == NULL && over_network() ? REST_SSH_MS : get_escdelay();
    *s = (LpSequence){.pasted = pasted};
    for (bool first = true; !s->ended && next_char(first ? rest : SEQUENCE_MS, &code);
         first = false)
        if (!lp_sequence_add(s, code)) {
            unget_wch((wchar_t)code);
            break;
        }
    if (s->ended || s->len > 1)
        return true; /* also one that breaks off */
    if (s->len == 1)
        unget_wch((wchar_t)s->text[0]);
    return false;
}

/* Up to the closing bracket, or until nothing more comes. */
static void read_paste(LpTerm *term) {
    wint_t code;
    lp_buf_clear(&term->pasted);
    while (interrupted.ending == 0) {
        wtimeout(stdscr, PASTE_MS);
        int kind = wget_wch(stdscr, &code);
        if (kind == ERR)
            return;
        if (kind == KEY_CODE_YES)
            continue; /* keys in what was pasted are no text */
        if (code == LP_KEY_ESC) {
            LpSequence s;
            LpKey key;
            double light;
            if (read_sequence(&s, true) && lp_sequence_kind(&s, &key, &light) == LP_SEQUENCE_PASTED)
                return;
            continue;
        }
        char bytes[4];
        uint32_t cp = code == '\n' || code == '\r' || code == '\t' ? ' ' : (uint32_t)code;
        if (cp >= ' ' && cp != 127 && !(cp >= 0x80 && cp < 0xa0) &&
            term->pasted.len + sizeof bytes <= PASTE_MOST)
            lp_buf_add_bytes(&term->pasted, bytes, lp_utf8_encode(cp, bytes));
    }
}

static LpKey read_escape(LpTerm *term) {
    LpSequence s;
    LpKey key = LP_KEY_NONE;
    if (!read_sequence(&s, false))
        return LP_KEY_ESC;
    switch (lp_sequence_kind(&s, &key, &term->background)) {
    case LP_SEQUENCE_KEY:
        return key;
    case LP_SEQUENCE_PASTE:
        read_paste(term);
        return LP_KEY_PASTE;
    default:
        return LP_KEY_NONE; /* it is no key */
    }
}

const char *lp_term_pasted(const LpTerm *term) {
    return lp_buf_text(&term->pasted);
}

/* ---- the background ---- */

/* GNU screen hands on neither the question nor the answer. */
static bool answers(void) {
    const char *type = getenv("TERM");
    bool screen = getenv("STY") != NULL ||
                  (type != NULL && strncmp(type, "screen", 6) == 0 && getenv("TMUX") == NULL);
    return knows_mouse() && knows_osc() && !screen;
}

/* Asks for the colour of the background, and behind it for what every terminal answers: that ends
 * the wait. Keys that are typed meanwhile are read afterwards. */
static void ask_background(LpTerm *term) {
    static const char question[] = "\033]11;?\033\\\033[c";
    struct {
        int kind;
        wint_t code;
    } kept[ASK_KEYS];
    int keys = 0;
    int64_t end = lp_term_now() + (over_network() ? ASK_SSH_MS : ASK_MS), now;
    bool over = !answers();
    if (!over)
        write_all(question, sizeof question - 1);
    while (!over && (now = lp_term_now()) < end && interrupted.ending == 0) {
        LpSequence s;
        LpKey key;
        wint_t code;
        wtimeout(stdscr, (int)(end - now));
        int kind = wget_wch(stdscr, &code);
        if (kind == ERR)
            continue;
        if (kind == OK && code == LP_KEY_ESC && read_sequence(&s, false))
            over = lp_sequence_kind(&s, &key, &term->background) == LP_SEQUENCE_DEVICE;
        else if (keys < ASK_KEYS) {
            kept[keys].kind = kind;
            kept[keys++].code = code;
        }
    }
    while (keys-- > 0)
        if (kept[keys].kind == KEY_CODE_YES)
            ungetch((int)kept[keys].code);
        else
            unget_wch((wchar_t)kept[keys].code);
}

/* The theme that was chosen, else the one for the background. */
static void choose_theme(LpTerm *term, const LpTheme *theme) {
    LpDiag ignored;
    bool light = false;
    if (theme == NULL)
        term->said_light = lp_background_told(term->background, getenv("COLORFGBG"), &light);
    term->theme = theme != NULL ? *theme : *lp_theme_built_in();
    if (light && lp_theme_open("light", NULL, &term->theme, &ignored) != LP_OK)
        term->theme = *lp_theme_built_in();
}

const LpTheme *lp_term_theme(const LpTerm *term) {
    return &term->theme;
}

const char *lp_term_background(const LpTerm *term) {
    return term->said_light;
}

const char *lp_term_notice(const LpTerm *term) {
    return term->notice[0] != '\0' ? term->notice : NULL;
}

/* ---- life ---- */

/* A screen needs a cursor that can be placed. */
static bool places_cursor(void) {
    const char *text = tigetstr((char *)(uintptr_t) "cup");
    return text != NULL && text != (const char *)-1;
}

/* ---- beginning and ending ---- */

static LpErr keep_terminal(LpDiag *diag) {
    interrupted.tty = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    interrupted.nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    interrupted.main_thread = pthread_self();
    if (interrupted.tty >= 0 && interrupted.nowhere >= 0)
        return LP_OK;
    return lp_fail(diag, LP_EIO, "the terminal cannot be taken: %s", strerror(errno));
}

static void let_terminal_go(void) {
    dup2(interrupted.tty, STDOUT_FILENO);
    (void)close(interrupted.tty);
    (void)close(interrupted.nowhere);
}

/* A screen of the type, or where this machine does not know it of one like it: most terminals are
 * like xterm, and the name before a "-" is mostly what one is based on. */
static SCREEN *open_known(const char *type, char *notice, size_t size) {
    static const char *const usual[] = {"xterm-256color", "xterm", "vt100"};
    char shown[64], name[64];
    SCREEN *screen = newterm(NULL, stdout, stdin);
    if (screen != NULL || type == NULL || type[0] == '\0' || strlen(type) >= sizeof name)
        return screen;
    snprintf(name, sizeof name, "%s", type);
    const char *used = name;
    for (char *dash; screen == NULL && (dash = strrchr(name, '-')) != NULL && dash > name;) {
        *dash = '\0';
        screen = newterm(name, stdout, stdin);
    }
    for (size_t i = 0; screen == NULL && i < LP_COUNTOF(usual); i++)
        screen = newterm(used = usual[i], stdout, stdin);
    if (screen != NULL)
        snprintf(notice, size, "TERM is \"%s\", which this machine does not know: taken for %s",
                 lp_str_show(shown, sizeof shown, type), used);
    return screen;
}

static LpErr start_screen(LpTerm *term, LpDiag *diag) {
    const char *type = getenv("TERM");
    tcgetattr(STDIN_FILENO, &interrupted.before);
    /* For as long as curses begins, so that it never asks for memory for a terminal of any size. */
    char text[16], old_rows[16], old_cols[16];
    int rows, cols;
    bool had_rows = lp_tty_keep_env("LINES", old_rows),
         had_cols = lp_tty_keep_env("COLUMNS", old_cols);
    lp_tty_canvas_size(interrupted.tty, &rows, &cols);
    if (rows > 0 && cols > 0) {
        snprintf(text, sizeof text, "%d", rows);
        setenv("LINES", text, 1);
        snprintf(text, sizeof text, "%d", cols);
        setenv("COLUMNS", text, 1);
    }
    SCREEN *screen = open_known(type, term->notice, sizeof term->notice);
    lp_tty_restore_env("LINES", had_rows ? old_rows : NULL);
    lp_tty_restore_env("COLUMNS", had_cols ? old_cols : NULL);
    term->screen = screen;
    if (!term->screen)
        return lp_fail(diag, LP_EIO, "the terminal type \"%s\" is not known: set TERM",
                       type ? type : "");
    if (!places_cursor()) {
        endwin();
        delscreen(term->screen);
        return lp_fail(
            diag, LP_EIO,
            "TERM is \"%s\", a terminal whose cursor cannot be placed: expected --plain, "
            "or another TERM",
            type ? type : "");
    }
    remember_reset();
    interrupted.taken = 1;
    catch_signals();
    catch_stop();
    if (getenv("ESCDELAY") == NULL)
        set_escdelay(REST_MS);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    curs_set(0);
    interrupted.paste = knows_mouse(); /* one like xterm; others may show what they do not know */
    if (interrupted.paste)
        write_all(paste_on, sizeof paste_on - 1);
    return LP_OK;
}

LpErr lp_term_open(const LpTheme *theme, bool no_color, LpTerm **out, LpDiag *diag) {
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return lp_fail(diag, LP_EIO, "standard input and output are no terminal");
    setlocale(LC_CTYPE, "");
    LpTerm *term = lp_alloc(1, sizeof *term);
    if (!term)
        return lp_fail_memory(diag, "the terminal");
    term->background = -1;
    term->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    LpErr err = keep_terminal(diag);
    if (err == LP_OK) {
        err = start_screen(term, diag);
        if (err != LP_OK)
            let_terminal_go();
    }
    if (err != LP_OK) {
        lp_free(term);
        return err;
    }
    if (theme == NULL)
        ask_background(term);
    choose_theme(term, theme);
    make_colors(term, no_color);
    *out = term;
    return LP_OK;
}

void lp_term_close(LpTerm *term) {
    if (!term)
        return;
    lp_term_take_mouse(term, false);
    if (interrupted.paste)
        write_all(paste_off, sizeof paste_off - 1);
    interrupted.paste = 0;
    endwin();
    if (interrupted.ending != 0)
        give_back(); /* what curses has just said went nowhere */
    interrupted.taken = 0;
    let_terminal_go();
    delscreen(term->screen);
    lp_canvas_fini(&term->shown);
    lp_buf_fini(&term->pasted);
    lp_free(term);
}

bool lp_term_is_interrupted(void) {
    return interrupted.flag != 0 || interrupted.ending != 0;
}

int lp_term_ending(void) {
    return (int)interrupted.ending;
}

bool lp_term_is_utf8(const LpTerm *term) {
    return term->utf8;
}

void lp_term_size(const LpTerm *term, int *rows, int *cols) {
    (void)term;
    getmaxyx(stdscr, *rows, *cols);
}

bool lp_term_is_cut(const LpTerm *term, int *rows, int *cols) {
    (void)term;
    lp_tty_size(interrupted.tty, rows, cols);
    return *rows > LP_CANVAS_ROWS || *cols > LP_CANVAS_MAX;
}

/* ---- the mouse ---- */

void lp_term_take_mouse(LpTerm *term, bool take) {
    if (take == term->mouse || !knows_mouse())
        return;
    term->mouse = take;
    if (!take)
        write_all(motion_off, sizeof motion_off - 1);
    interrupted.motion = take;
    mouseinterval(0); /* presses and releases as they come */
    mousemask(take ? BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON4_PRESSED | BUTTON5_PRESSED |
                         REPORT_MOUSE_POSITION
                   : 0,
              NULL);
    fflush(stdout);
    if (take)
        write_all(motion_on, sizeof motion_on - 1);
}

LpMouse lp_term_mouse(const LpTerm *term) {
    return term->last;
}

static LpMouse read_mouse(void) {
    static const struct {
        mmask_t bits;
        LpMouseKind kind;
    } kinds[] = {{BUTTON1_PRESSED, LP_MOUSE_PRESS},
                 {BUTTON1_RELEASED, LP_MOUSE_RELEASE},
                 {BUTTON4_PRESSED, LP_MOUSE_WHEEL_UP},
                 {BUTTON5_PRESSED, LP_MOUSE_WHEEL_DOWN},
                 {REPORT_MOUSE_POSITION, LP_MOUSE_DRAG}};
    MEVENT event;
    LpMouse mouse = {LP_MOUSE_NOTHING, 0, 0};
    if (getmouse(&event) != OK)
        return mouse;
    mouse.x = event.x;
    mouse.y = event.y;
    for (size_t i = LP_COUNTOF(kinds); i-- > 0;)
        if (event.bstate & kinds[i].bits)
            mouse.kind = kinds[i].kind;
    return mouse;
}

/* ---- keys ---- */

static LpKey special_key(wint_t code) {
    static const struct {
        wint_t code;
        LpKey key;
    } keys[] = {
        {KEY_UP, LP_KEY_UP},        {KEY_DOWN, LP_KEY_DOWN},     {KEY_LEFT, LP_KEY_LEFT},
        {KEY_RIGHT, LP_KEY_RIGHT},  {KEY_PPAGE, LP_KEY_PGUP},    {KEY_NPAGE, LP_KEY_PGDN},
        {KEY_HOME, LP_KEY_HOME},    {KEY_END, LP_KEY_END},       {KEY_ENTER, LP_KEY_ENTER},
        {KEY_BTAB, LP_KEY_BACKTAB}, {KEY_DC, LP_KEY_DELETE},     {KEY_BACKSPACE, LP_KEY_BACKSPACE},
        {KEY_IC, LP_KEY_INSERT},    {KEY_RESIZE, LP_KEY_RESIZE}, {KEY_MOUSE, LP_KEY_MOUSE},
    };
    for (size_t i = 0; i < LP_COUNTOF(keys); i++)
        if (keys[i].code == code)
            return keys[i].key;
    return code >= KEY_F(1) && code <= KEY_F(12) ? LP_KEY_F1 + (code - KEY_F(1)) : LP_KEY_NONE;
}

/* Waits for a key, something to read from fd, or a signal (one that comes just before the wait does
 * not end it: it is noticed after it). False when there is no key to ask curses for. */
static bool wait_for(int64_t timeout, int fd) {
    struct pollfd ends[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
    int most = timeout < 0 || timeout > LONGEST_WAIT_MS ? LONGEST_WAIT_MS : (int)timeout;
    int ready = poll(ends, fd >= 0 ? 2 : 1, most);
    return ready < 0 || ends[0].revents != 0;
}

LpKey lp_term_read(LpTerm *term, int64_t timeout, int fd) {
    wint_t code = 0;
    (void)term;
    if (interrupted.flag) {
        interrupted.flag = 0;
        return 'c' - 'a' + 1;
    }
    if (interrupted.resized) {
        /* Curses then says that there is a key: the size has changed. */
        int rows, cols, had_rows, had_cols;
        interrupted.resized = 0;
        lp_tty_canvas_size(interrupted.tty, &rows, &cols);
        getmaxyx(stdscr, had_rows, had_cols);
        if (rows > 0 && cols > 0 && (rows != had_rows || cols != had_cols))
            resizeterm(rows, cols);
    }
    wtimeout(stdscr, 0);
    int kind = wget_wch(stdscr, &code); /* curses may have read it already */
    if (kind == ERR && timeout != 0 && interrupted.ending == 0 && wait_for(timeout, fd)) {
        wtimeout(stdscr, REST_MS);
        kind = wget_wch(stdscr, &code);
    }
    if (interrupted.flag) {
        interrupted.flag = 0;
        return 'c' - 'a' + 1;
    }
    if (kind == ERR)
        return LP_KEY_NONE;
    if (kind == KEY_CODE_YES && code == KEY_MOUSE)
        term->last = read_mouse();
    if (kind == KEY_CODE_YES)
        return special_key(code);
    if (code == LP_KEY_ESC)
        return read_escape(term);
    return code == '\n' || code == '\r' ? LP_KEY_ENTER : code == 8 ? LP_KEY_BACKSPACE : (LpKey)code;
}

/* ---- the screen ---- */

static bool same_size(const LpCanvas *a, const LpCanvas *b) {
    return a->rows == b->rows && a->cols == b->cols;
}

void lp_term_show(LpTerm *term, const LpCanvas *canvas, bool whole) {
    int rows, cols;
    lp_term_size(term, &rows, &cols);
    if (!same_size(&term->shown, canvas)) {
        whole = true;
        if (lp_canvas_resize(&term->shown, canvas->rows, canvas->cols, NULL) != LP_OK)
            return;
    }
    if (whole)
        clearok(stdscr, TRUE);
    for (int i = 0; i < canvas->rows * canvas->cols; i++) {
        LpCell *shown = &term->shown.cell[i];
        int y = i / canvas->cols, x = i % canvas->cols;
        LpCell now = lp_canvas_shown(canvas, x, y);
        if (!whole && lp_cell_same(shown, &now))
            continue;
        bool covered = now.cp == LP_CELL_REST && knows_width(canvas->cell[i - 1].cp);
        if (y < rows && x < cols && !covered) {
            cchar_t out;
            set_cell(term, &now, &out);
            mvwadd_wch(stdscr, y, x, &out);
        }
        *shown = now;
    }
    wnoutrefresh(stdscr);
    doupdate();
}

void lp_term_copy(LpTerm *term, const char *text, size_t len) {
    LpBuf out = {0};
    (void)term;
    lp_clipboard_command(text, len, &out);
    fflush(stdout);
    for (size_t at = 0; knows_osc() && !out.failed && at < out.len;) {
        ssize_t wrote = write(STDOUT_FILENO, out.text + at, out.len - at);
        if (wrote < 0 && errno != EINTR)
            break;
        at += wrote > 0 ? (size_t)wrote : 0;
    }
    lp_buf_fini(&out);
}

bool lp_term_is_gone(const LpTerm *term) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    (void)term;
    return poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

int64_t lp_term_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
