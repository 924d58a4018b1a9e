/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Themes: the files that come with the program, what a file leaves out, and what is wrong in one.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "group.h"
#include "io/theme.h"
#include "term/colour.h"
#include "term/theme.h"

static const char *const shipped[] = {"dark", "light", "high-contrast", "colour-blind", "paper"};
static const char *const roles[] = {"text", "good", "bad", NULL};

static LpErr parse(const char *text, LpThemeSpec *out, LpDiag *diag) {
    return lp_theme_parse("t.json", text, strlen(text), roles, out, diag);
}

/* A file in the test's own folder, which goes with it. */
static const char *write_file(const char *name, const char *text) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
    return path;
}

static void assert_same(const LpTheme *a, const LpTheme *b) {
    for (int role = 0; role < LP_ROLE_COUNT; role++) {
        const LpLook *x = &a->look[role], *y = &b->look[role];
        if (x->c256 != y->c256 || x->c16 != y->c16 || x->c8 != y->c8 || x->attr != y->attr ||
            x->mono != y->mono || x->fill != y->fill || x->dim != y->dim)
            fail_msg("%s differs", lp_role_name((LpRole)role));
    }
    assert_int_equal(a->light, b->light);
    assert_string_equal(a->name, b->name);
}

static void test_shipped(void **state) {
    (void)state;
    LpDiag diag = {0};
    for (size_t i = 0; i < LP_COUNTOF(shipped); i++) {
        LpTheme theme;
        if (lp_theme_open(shipped[i], NULL, &theme, &diag) != LP_OK)
            fail_msg("%s: %s", shipped[i], diag.text);
        assert_string_equal(theme.name, shipped[i]);
        for (int role = 0; role < LP_ROLE_COUNT; role++) {
            assert_true(theme.look[role].c256 + 1 >= 0 && theme.look[role].c256 + 1 <= 256);
            assert_true(theme.look[role].c16 + 1 >= 0 && theme.look[role].c16 + 1 <= 16);
            assert_true(theme.look[role].c8 + 1 >= 0 && theme.look[role].c8 + 1 <= 8);
        }
        /* without colours trouble still stands out */
        assert_int_not_equal(theme.look[LP_ROLE_BAD].mono, theme.look[LP_ROLE_TEXT].mono);
        assert_int_equal(theme.light, i == 1 || i == 4);
    }
}

/* Every role is said by every file that comes with the program, so none depends on another. */
static void test_shipped_are_whole(void **state) {
    (void)state;
    const char *all[LP_ROLE_COUNT + 1] = {NULL};
    for (int role = 0; role < LP_ROLE_COUNT; role++)
        all[role] = lp_role_name((LpRole)role);
    for (size_t i = 0; i < LP_COUNTOF(shipped); i++) {
        char path[512];
        LpThemeSpec spec;
        LpDiag diag = {0};
        snprintf(path, sizeof path, "%s/themes/%s.json", LP_SOURCEDIR, shipped[i]);
        if (lp_theme_load(path, all, &spec, &diag) != LP_OK)
            fail_msg("%s", diag.text);
        assert_int_equal(spec.given, (UINT32_C(1) << LP_ROLE_COUNT) - 1);
    }
}

static void test_built_in(void **state) {
    (void)state;
    LpTheme theme;
    LpDiag diag = {0};
    assert_int_equal(lp_theme_open(NULL, NULL, &theme, &diag), LP_OK);
    assert_same(&theme, lp_theme_built_in());
    assert_int_equal(lp_theme_open("dark", NULL, &theme, &diag), LP_OK);
    assert_same(&theme, lp_theme_built_in());
}

static void test_fallbacks(void **state) {
    (void)state;
    LpThemeSpec spec;
    LpDiag diag = {0};
    assert_int_equal(parse("{\"lightpath_theme\":1,\"name\":\"x\",\"roles\":{"
                           "\"text\":{\"c256\":200},"
                           "\"good\":{\"c16\":\"bright-green\",\"attr\":[\"bold\"]},"
                           "\"bad\":{\"c256\":9,\"c8\":\"default\",\"attr\":[\"bold\",\"reverse\"],"
                           "\"mono\":[\"underline\"]}}}",
                           &spec, &diag),
                     LP_OK);
    const LpLook text = spec.look[0], good = spec.look[1], bad = spec.look[2];
    assert_int_equal(spec.given, 7);
    assert_int_equal(text.c256, 200);
    assert_int_equal(text.c16, -1);
    assert_int_equal(text.c8, -1);
    assert_int_equal(good.c256, 10);
    assert_int_equal(good.c16, 10);
    assert_int_equal(good.c8, 2);
    assert_int_equal(good.mono, LP_BOLD);
    assert_int_equal(bad.c256, 9);
    assert_int_equal(bad.c16, 9);
    assert_int_equal(bad.c8, -1);
    assert_int_equal(bad.attr, LP_BOLD | LP_REVERSE);
    assert_int_equal(bad.mono, LP_UNDERLINE);
    assert_int_equal(lp_look_ink(&bad, 0, 8).front, -1);
    assert_int_equal(lp_look_ink(&bad, 0, 16).front, 9);
    assert_int_equal(lp_look_ink(&bad, 0, 0).front, -1);
    assert_int_equal(lp_look_ink(&bad, 0, 0).attr, LP_UNDERLINE);
    assert_int_equal(lp_look_ink(&bad, 0, 8).attr, LP_BOLD | LP_REVERSE);
}

/* The text of every filled cell can be read: WCAG 2 asks for a contrast of 4.5. */
static void test_contrast(void **state) {
    (void)state;
    LpDiag diag = {0};
    for (size_t i = 0; i < LP_COUNTOF(shipped); i++) {
        LpTheme theme;
        assert_int_equal(lp_theme_open(shipped[i], NULL, &theme, &diag), LP_OK);
        for (int role = LP_ROLE_STAGE; role < LP_ROLE_COUNT; role++)
            for (int dim = 0; dim < 2; dim++) {
                LpInk ink = lp_look_ink(&theme.look[role], dim ? LP_FILL | LP_DIM : LP_FILL, 256);
                bool job = role >= LP_ROLE_JOB0;
                if (ink.back < 0 || (!job && (role != LP_ROLE_STAGE || dim)))
                    continue;
                double contrast =
                    lp_colour_contrast(lp_colour_of(ink.front), lp_colour_of(ink.back));
                if (contrast < 4.9)
                    fail_msg("%s, %s%s: %d on %d has a contrast of %.2f", theme.name,
                             lp_role_name((LpRole)role), dim ? " dimmed" : "", ink.front, ink.back,
                             contrast);
            }
    }
}

/* Fills with fewer colours: dimmed is a letter, and without colours the accent is reversed. */
static void test_few_colours(void **state) {
    (void)state;
    const LpLook *job = &lp_theme_built_in()->look[LP_ROLE_JOB0];
    const LpLook *accent = &lp_theme_built_in()->look[LP_ROLE_STAGE];
    assert_int_equal(lp_look_ink(job, LP_FILL, 256).back, 44);
    assert_int_equal(lp_look_ink(job, LP_FILL, 256).front, 16);
    assert_int_equal(lp_look_ink(job, LP_FILL | LP_DIM, 256).back, 23);
    assert_int_equal(lp_look_ink(job, LP_FILL, 16).back, 6);
    assert_int_equal(lp_look_ink(job, LP_FILL | LP_DIM, 16).back, -1);
    assert_int_equal(lp_look_ink(job, LP_FILL | LP_DIM, 16).front, 6);
    assert_int_equal(lp_look_ink(job, LP_FILL, 0).back, -1);
    assert_int_equal(lp_look_ink(job, LP_FILL, 0).attr, 0);
    assert_int_equal(lp_look_ink(accent, 0, 256).back, 221);
    assert_int_equal(lp_look_ink(accent, 0, 8).back, 3);
    assert_int_equal(lp_look_ink(accent, 0, 0).attr, LP_BOLD | LP_REVERSE);
    /* neighbours among the jobs differ in hue */
    for (int i = 1; i < LP_JOB_ROLES; i++)
        assert_int_not_equal(lp_look_ink(job + i, LP_FILL, 256).back,
                             lp_look_ink(job + i - 1, LP_FILL, 256).back);
}

/* ---- the colours of jobs ---- */

static double part(double t) {
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

static double light(uint8_t value) {
    double x = value / 255.0;
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

/* Distance of two colours of the palette in CIELAB (1976), white of D65. */
static double distance(int a, int b) {
    double lab[2][3];
    for (int i = 0; i < 2; i++) {
        LpColour c = lp_colour_of(i ? b : a);
        double r = light(c.r), g = light(c.g), bl = light(c.b);
        double x = part((0.4124564 * r + 0.3575761 * g + 0.1804375 * bl) / 0.95047);
        double y = part(0.2126729 * r + 0.7151522 * g + 0.0721750 * bl);
        double z = part((0.0193339 * r + 0.1191920 * g + 0.9503041 * bl) / 1.08883);
        lab[i][0] = 116 * y - 16;
        lab[i][1] = 500 * (x - y);
        lab[i][2] = 200 * (y - z);
    }
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (lab[0][k] - lab[1][k]) * (lab[0][k] - lab[1][k]);
    return sqrt(sum);
}

/* Colours of jobs can be told apart, can be read, and are never those of a verdict or of the
 * accent: how far apart at least, in each theme that has colours. */
static void test_jobs(void **state) {
    (void)state;
    static const struct {
        const char *theme;
        double each, verdict, bright, dark; /* distances; contrasts of the text on a fill */
    } least[] = {{"dark", 49, 43.5, 6.6, 5.4},
                 {"light", 22, 15, 5.4, 6.6},
                 {"paper", 22, 15, 5.4, 6.6},
                 {"colour-blind", 28, 22, 5.0, 5.0}};
    static const LpRole others[] = {LP_ROLE_GOOD, LP_ROLE_BAD, LP_ROLE_WAIT};
    LpDiag diag = {0};
    for (size_t t = 0; t < LP_COUNTOF(least); t++) {
        LpTheme theme;
        assert_int_equal(lp_theme_open(least[t].theme, NULL, &theme, &diag), LP_OK);
        const LpLook *job = &theme.look[LP_ROLE_JOB0];
        for (int i = 0; i < LP_JOB_ROLES; i++) {
            LpInk ink = lp_look_ink(&job[i], LP_FILL, 256);
            LpInk dim = lp_look_ink(&job[i], LP_FILL | LP_DIM, 256);
            double fill = lp_colour_contrast(lp_colour_of(ink.front), lp_colour_of(ink.back));
            double dark = lp_colour_contrast(lp_colour_of(dim.front), lp_colour_of(dim.back));
            if (fill < least[t].bright || dark < least[t].dark)
                fail_msg("%s, job%d: contrasts of %.2f and %.2f", theme.name, i, fill, dark);
            for (int k = 0; k < i; k++)
                if (distance(ink.back, lp_look_ink(&job[k], LP_FILL, 256).back) < least[t].each)
                    fail_msg("%s: job%d and job%d are %.1f apart", theme.name, k, i,
                             distance(ink.back, lp_look_ink(&job[k], LP_FILL, 256).back));
            for (size_t k = 0; k < LP_COUNTOF(others); k++)
                if (distance(ink.back, theme.look[others[k]].c256) < least[t].verdict)
                    fail_msg("%s: job%d is %.1f from %s", theme.name, i,
                             distance(ink.back, theme.look[others[k]].c256),
                             lp_role_name(others[k]));
        }
        for (int i = 0; i < LP_JOB_ROLES; i++) { /* and with fewer colours, in a circle */
            const LpLook *next = &job[(i + 1) % LP_JOB_ROLES];
            assert_int_not_equal(job[i].c16, next->c16);
            assert_int_not_equal(job[i].c8, next->c8);
        }
    }
}

/* A marked bar has another colour than what is behind it, with any number of colours, in every
 * theme and role; without colours it is bold. */
static void test_marks(void **state) {
    (void)state;
    LpDiag diag = {0};
    static const int colors[] = {256, 16, 8, 0};
    for (size_t i = 0; i < LP_COUNTOF(shipped); i++) {
        LpTheme theme;
        assert_int_equal(lp_theme_open(shipped[i], NULL, &theme, &diag), LP_OK);
        for (unsigned role = 0; role < LP_ROLE_COUNT; role++)
            for (size_t c = 0; c < LP_COUNTOF(colors); c++) {
                LpInk plain = lp_theme_ink(&theme, role, colors[c]);
                LpInk ink = lp_theme_ink(&theme, role | LP_SWAP, colors[c]);
                assert_false(ink.attr & LP_REVERSE);
                assert_true(ink.attr & LP_BOLD);
                if (ink.front >= 0)
                    assert_int_not_equal(ink.front, ink.back);
                if (role >= LP_ROLE_JOB0 && plain.front >= 0 && colors[c] == 256 &&
                    theme.look[LP_ROLE_CURSOR].c256 >= 0) {
                    assert_int_equal(ink.back, plain.front);
                    assert_int_equal(ink.front, theme.look[LP_ROLE_CURSOR].c256);
                }
            }
    }
}

#define HEAD "{\"lightpath_theme\":1,\"name\":\"x\","

static void test_mistakes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line, col;
        const char *said;
    } cases[] = {
        {"{}", 1, 1, "\"lightpath_theme\" is missing"},
        {"{\"lightpath_theme\":2,\"name\":\"x\"}", 1, 20, "expected format 1"},
        {"{\"lightpath_theme\":1}", 1, 1, "\"name\" is missing"},
        {"{\"lightpath_theme\":1,\"name\":\"\"}", 1, 29, "expected 1 to 63"},
        {HEAD "\n\"role\":{}}", 2, 1, "expected \"roles\""},
        {HEAD "\n\"roles\":[]}", 2, 9, "expected an object"},
        {HEAD "\n\"roles\":{\n \"goood\":{}}}", 3, 2, "expected \"good\""},
        {HEAD "\n\"roles\":{\"zzzz\":{}}}", 2, 10, "there is no role \"zzzz\""},
        {HEAD "\n\"roles\":{\"good\":{\"c256\":256}}}", 2, 25, "from 0 to 255"},
        {HEAD "\n\"roles\":{\"good\":{\"c256\":1.5}}}", 2, 25, "a whole number"},
        {HEAD "\n\"roles\":{\"good\":{\"c16\":16}}}", 2, 24, "from 0 to 15"},
        {HEAD "\n\"roles\":{\"good\":{\"c8\":8}}}", 2, 23, "from 0 to 7"},
        {HEAD "\n\"roles\":{\"good\":{\"c8\":\"bright-red\"}}}", 2, 23, "from 0 to 7"},
        {HEAD "\n\"roles\":{\"good\":{\"c16\":\"gren\"}}}", 2, 24, "expected \"green\""},
        {HEAD "\n\"roles\":{\"good\":{\"c16\":true}}}", 2, 24, "expected a colour"},
        {HEAD "\n\"roles\":{\"good\":{\"attr\":\"bold\"}}}", 2, 25, "expected a list"},
        {HEAD "\n\"roles\":{\"good\":{\"mono\":[\"italic\"]}}}", 2, 26, "expected"},
        {HEAD "\n\"roles\":{\"good\":{\"color\":1}}}", 2, 18, "unknown key \"color\""},
        {HEAD "\n\"background\":\"grey\"}", 2, 14, "expected"},
        {HEAD "\n\"notes\":7}", 2, 9, "expected a text"},
        {HEAD "\n\"roles\":{},}", 2, 11, ""},
        {"{\"lightpath_theme\":1,\"name\":\"\x1b[31m\"}", 1, 30, ""},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpThemeSpec spec = {.given = 77};
        LpDiag diag = {0};
        if (parse(cases[i].text, &spec, &diag) == LP_OK)
            fail_msg("%s is taken", cases[i].text);
        if (diag.line != cases[i].line || diag.col != cases[i].col ||
            strstr(diag.text, cases[i].said) == NULL)
            fail_msg("%s: %d:%d: %s", cases[i].text, diag.line, diag.col, diag.text);
        assert_string_equal(diag.file, "t.json");
        assert_int_equal(spec.given, 77); /* unchanged on failure */
    }
}

static void test_like(void **state) {
    (void)state;
    LpTheme theme, light;
    LpDiag diag = {0};
    assert_int_equal(lp_theme_open("light", NULL, &light, &diag), LP_OK);
    char path[512];
    strcpy(path,
           write_file("mine.json", HEAD "\"like\":\"light\",\"roles\":{\"bad\":{\"c256\":1}}}"));
    assert_int_equal(lp_theme_open(path, NULL, &theme, &diag), LP_OK);
    assert_string_equal(theme.name, "x");
    assert_true(theme.light);
    assert_int_equal(theme.look[LP_ROLE_BAD].c256, 1);
    assert_int_equal(theme.look[LP_ROLE_GOOD].c256, light.look[LP_ROLE_GOOD].c256);
    /* by a bare name beside a scenario, and a path beside the theme that names it */
    char scenario[512], other[512];
    strcpy(scenario, path);
    strcpy(strrchr(scenario, '/'), "/s.json");
    strcpy(other, write_file("other.json", HEAD "\"like\":\"./mine.json\"}"));
    assert_int_equal(lp_theme_open("other", scenario, &theme, &diag), LP_OK);
    assert_int_equal(theme.look[LP_ROLE_BAD].c256, 1);
    assert_int_equal(lp_theme_open("other", NULL, &theme, &diag), LP_EINVAL);
    remove(path);
    remove(other);
}

static void test_like_trouble(void **state) {
    (void)state;
    LpTheme theme = {.name = "kept"};
    LpDiag diag = {0};
    char path[512];
    strcpy(path, write_file("round.json", HEAD "\n \"like\":\"./round.json\"}"));
    assert_int_equal(lp_theme_open(path, NULL, &theme, &diag), LP_ELIMIT);
    assert_int_equal(diag.line, 2);
    assert_int_equal(diag.col, 9);
    assert_non_null(strstr(diag.text, "circle"));
    write_file("round.json", HEAD "\n \"like\":\"ligth\"}");
    assert_int_equal(lp_theme_open(path, NULL, &theme, &diag), LP_EINVAL);
    assert_int_equal(diag.line, 2);
    assert_string_equal(diag.file, path);
    assert_non_null(strstr(diag.text, "light, paper"));
    assert_string_equal(theme.name, "kept");
    remove(path);
}

static void test_unknown(void **state) {
    (void)state;
    LpTheme theme = {.name = "kept"};
    LpDiag diag = {0};
    assert_int_equal(lp_theme_open("no\x1bpe", NULL, &theme, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "colour-blind, dark, high-contrast, light, paper"));
    assert_null(strchr(diag.text, '\x1b'));
    assert_int_equal(lp_theme_open("./none.json", NULL, &theme, &diag), LP_EINVAL);
    assert_int_equal(lp_theme_open("/dev/null", NULL, &theme, &diag), LP_EIO);
    assert_string_equal(theme.name, "kept");
}

/* The user's own choice. */
static void test_default(void **state) {
    (void)state;
    char folder[512], path[600];
    LpTheme theme;
    bool found;
    LpDiag diag = {0};
    snprintf(folder, sizeof folder, "%s", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    assert_int_equal(setenv("XDG_CONFIG_HOME", folder, 1), 0);
    assert_int_equal(lp_theme_open_default(&theme, &found, &diag), LP_OK);
    assert_string_equal(theme.name, "dark");
    snprintf(path, sizeof path, "mkdir -p '%s/lightpath'", folder);
    assert_int_equal(system(path), 0);
    write_file("lightpath/theme.json", HEAD "\"like\":\"paper\"}");
    assert_int_equal(lp_theme_open_default(&theme, &found, &diag), LP_OK);
    assert_string_equal(theme.name, "x");
    assert_true(theme.light);
    write_file("lightpath/theme.json", "{");
    assert_int_equal(lp_theme_open_default(&theme, &found, &diag), LP_EPARSE);
    snprintf(path, sizeof path, "%s/lightpath/theme.json", folder);
    remove(path);
    snprintf(path, sizeof path, "%s/lightpath", folder);
    rmdir(path);
}

TEST_GROUP(test_ui_theme) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shipped),      cmocka_unit_test(test_shipped_are_whole),
        cmocka_unit_test(test_built_in),     cmocka_unit_test(test_fallbacks),
        cmocka_unit_test(test_mistakes),     cmocka_unit_test(test_like),
        cmocka_unit_test(test_like_trouble), cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_default),      cmocka_unit_test(test_contrast),
        cmocka_unit_test(test_few_colours),  cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
