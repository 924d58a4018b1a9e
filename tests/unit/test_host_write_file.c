/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer of files: whole or not at all, nothing but what may give way gives way, nothing is
 * left behind, and of two that write one file the second is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "group.h"
#include "host/write_file.h"

enum { PATH = 4096 };

typedef struct Place {
    char folder[64], path[PATH];
    int cwd;
} Place;

static int set_up(void **state) {
    Place *p = test_calloc(1, sizeof *p);
    snprintf(p->folder, sizeof p->folder, "/tmp/lp-write XXXXXX"); /* a blank, too */
    *state = p;
    p->cwd = open(".", O_RDONLY | O_DIRECTORY);
    umask(022);
    return p->cwd < 0 || mkdtemp(p->folder) == NULL || chdir(p->folder) != 0;
}

static int tear_down(void **state) {
    Place *p = *state;
    char command[PATH];
    snprintf(command, sizeof command, "rm -rf '%s'", p->folder);
    int failed = fchdir(p->cwd) != 0 || system(command) != 0;
    close(p->cwd);
    test_free(p);
    return failed;
}

/* Files in the folder, hidden ones too. */
static int files_here(void) {
    int count = 0;
    DIR *dir = opendir(".");
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

static void put(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
}

static void has(const char *path, const char *text) {
    char read_text[256];
    int fd = open(path, O_RDONLY | O_NOFOLLOW);
    assert_true(fd >= 0);
    ssize_t len = read(fd, read_text, sizeof read_text - 1);
    assert_true(len >= 0);
    close(fd);
    read_text[len] = '\0';
    assert_string_equal(read_text, text);
}

static int mode_of(const char *path) {
    struct stat about;
    assert_int_equal(lstat(path, &about), 0);
    return (int)(about.st_mode & 07777);
}

static LpErr write_one(const LpWriteSpec *spec, const char *text, LpDiag *diag) {
    return lp_write_file(spec, text, strlen(text), diag);
}

static void refused(const LpWriteSpec *spec, LpErr code, const char *why) {
    LpDiag diag = {0};
    int before = files_here();
    assert_int_equal(write_one(spec, "new", &diag), code);
    if (strstr(diag.text, why) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", diag.text, why);
    assert_int_equal(lp_write_try(spec, &diag), code);
    assert_int_equal(files_here(), before);
}

static void test_writes(void **state) {
    LpDiag diag;
    (void)state;
    LpWriteSpec spec = {.path = "a"};
    assert_int_equal(lp_write_try(&spec, &diag), LP_OK);
    assert_int_equal(files_here(), 0);
    assert_int_equal(write_one(&spec, "one", &diag), LP_OK);
    has("a", "one");
    assert_int_equal(mode_of("a"), 0644);
    assert_int_equal(chmod("a", 0640), 0);
    assert_int_equal(write_one(&spec, "two", &diag), LP_OK);
    has("a", "two");
    assert_int_equal(mode_of("a"), 0640);
    LpWriteSpec own = {.path = "b", .secret = true};
    assert_int_equal(write_one(&own, "", &diag), LP_OK);
    has("b", "");
    assert_int_equal(mode_of("b"), 0600);
    assert_int_equal(files_here(), 2);
}

/* What was there stays until the new file is whole; nobody sees another name meanwhile. */
static void test_is_whole_or_not_there(void **state) {
    LpDiag diag;
    LpWriter w;
    (void)state;
    put("a", "old");
    LpWriteSpec spec = {.path = "a"};
    assert_int_equal(lp_writer_open(&w, &spec, &diag), LP_OK);
    assert_int_equal(lp_writer_add(&w, "new", 3, &diag), LP_OK);
    has("a", "old");
    lp_writer_drop(&w);
    assert_false(lp_writer_is_open(&w));
    lp_writer_drop(&w); /* again: nothing */
    has("a", "old");
    assert_int_equal(files_here(), 1);
    assert_int_equal(lp_writer_open(&w, &spec, &diag), LP_OK);
    assert_int_equal(lp_writer_add(&w, "new", 3, &diag), LP_OK);
    assert_int_equal(lp_writer_close(&w, &diag), LP_OK);
    has("a", "new");
    assert_int_equal(files_here(), 1);
}

static void test_refuses(void **state) {
    (void)state;
    put("file", "old");
    assert_int_equal(symlink("file", "link"), 0);
    assert_int_equal(symlink("nothing", "dangling"), 0);
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    refused(&(LpWriteSpec){.path = "link"}, LP_EIO, "link: is a link, which is not followed");
    refused(&(LpWriteSpec){.path = "dangling"}, LP_EIO, "dangling: is a link");
    refused(&(LpWriteSpec){.path = "folder"}, LP_EIO, "is a folder, expected a regular file");
    refused(&(LpWriteSpec){.path = "folder/"}, LP_EIO, "is a folder");
    refused(&(LpWriteSpec){.path = "."}, LP_EIO, "is a folder");
    refused(&(LpWriteSpec){.path = ""}, LP_EIO, "is empty");
    refused(&(LpWriteSpec){.path = "fifo"}, LP_EIO, "is a FIFO");
    refused(&(LpWriteSpec){.path = "/dev/null"}, LP_EIO, "is a device");
    refused(&(LpWriteSpec){.path = "/dev/full"}, LP_EIO, "is a device");
    refused(&(LpWriteSpec){.path = "none/such"}, LP_EIO, "No such file or directory");
    refused(&(LpWriteSpec){.path = "file/below"}, LP_EIO, "Not a directory");
    refused(&(LpWriteSpec){.path = "file", .fresh = true}, LP_EIO, "it exists already");
    put("p.lua", "return {}");
    refused(&(LpWriteSpec){.path = "p.lua"}, LP_EIO, "p.lua: it is there and is a policy");
    put("mine.json", "{\n  \"lightpath\": 1,\n");
    refused(&(LpWriteSpec){.path = "mine.json"}, LP_EIO, "it is there and is a scenario");
    put("mine.lps", "{\"lightpath-session\":1}");
    refused(&(LpWriteSpec){.path = "mine.lps"}, LP_EIO, "it is there and is a session");
    refused(&(LpWriteSpec){.path = "./file", .input = {"file"}}, LP_EINVAL, "is read and written");
    refused(&(LpWriteSpec){.path = "file", .kind = {"network", "{\"net\":"}}, LP_EIO,
            "is no network");
    assert_int_equal(chmod("file", 0444), 0);
    if (geteuid() != 0)
        refused(&(LpWriteSpec){.path = "file"}, LP_EIO, "Permission denied");
    has("file", "old");
    assert_int_equal(mode_of("link") & 0777, 0777);
}

static void test_kinds(void **state) {
    LpDiag diag;
    (void)state;
    LpWriteSpec spec = {.path = "n", .kind = {"network", "{\"net\": 1"}};
    assert_int_equal(write_one(&spec, "{ \"net\":1}", &diag), LP_OK); /* none there */
    put("n", "{ \n\t\"net\"   :1, 2}");
    assert_int_equal(write_one(&spec, "{\"net\": 1}", &diag), LP_OK);
    put("n", ""); /* an empty file has nothing to lose */
    assert_int_equal(write_one(&spec, "x", &diag), LP_OK);
    refused(&spec, LP_EIO, "n: it is there and is no network: expected another name");
    has("n", "x");
}

/* What comes into the place while a file is written is looked at as well. */
static void test_looks_again(void **state) {
    LpDiag diag;
    LpWriter w;
    (void)state;
    LpWriteSpec fresh = {.path = "a", .fresh = true};
    assert_int_equal(lp_writer_open(&w, &fresh, &diag), LP_OK);
    put("a", "another's");
    assert_int_equal(lp_writer_close(&w, &diag), LP_EIO);
    has("a", "another's");
    LpWriteSpec any = {.path = "b"};
    assert_int_equal(lp_writer_open(&w, &any, &diag), LP_OK);
    assert_int_equal(symlink("a", "b"), 0);
    assert_int_equal(lp_writer_close(&w, &diag), LP_EIO);
    assert_non_null(strstr(diag.text, "is a link"));
    has("a", "another's");
    assert_int_equal(files_here(), 2);
}

static void limit_files(rlim_t bytes) {
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* An addition is in the file as a whole or not at all, and what was there before stays. */
static void test_full_disk(void **state) {
    LpDiag diag;
    LpWriter w;
    (void)state;
    put("a", "old");
    LpWriteSpec spec = {.path = "a"};
    assert_int_equal(lp_writer_open(&w, &spec, &diag), LP_OK);
    assert_int_equal(lp_writer_add(&w, "12345", 5, &diag), LP_OK);
    limit_files(8);
    assert_int_equal(lp_writer_add(&w, "6789abc", 7, &diag), LP_EIO);
    assert_non_null(strstr(diag.text, "cannot write a: File too large"));
    limit_files(RLIM_INFINITY);
    assert_int_equal(lp_writer_add(&w, "6", 1, &diag), LP_OK);
    has("a", "old");
    assert_int_equal(lp_writer_close(&w, &diag), LP_OK);
    has("a", "123456");
    limit_files(2);
    assert_int_equal(write_one(&spec, "123", &diag), LP_EIO);
    limit_files(RLIM_INFINITY);
    has("a", "123456");
    assert_int_equal(files_here(), 1);
}

static void test_grows(void **state) {
    LpDiag diag;
    LpWriter w;
    (void)state;
    LpWriteSpec spec = {.path = "a"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(lp_writer_append(&w, &spec, &diag), LP_OK);
        assert_int_equal(w.size, 2 * i);
        assert_int_equal(lp_writer_add(&w, "x\n", 2, &diag), LP_OK);
        assert_int_equal(lp_writer_close(&w, &diag), LP_OK);
    }
    has("a", "x\nx\n");
    assert_int_equal(symlink("a", "link"), 0);
    spec.path = "link";
    assert_int_equal(lp_writer_append(&w, &spec, &diag), LP_EIO);
    spec = (LpWriteSpec){.path = "placed"};
    assert_int_equal(lp_writer_open(&w, &spec, &diag), LP_OK);
    assert_int_equal(lp_writer_add(&w, "1", 1, &diag), LP_OK);
    assert_int_equal(lp_writer_place(&w, &diag), LP_OK);
    has("placed", "1");
    assert_int_equal(lp_writer_add(&w, "2", 1, &diag), LP_OK);
    has("placed", "12");
    assert_int_equal(lp_writer_close(&w, &diag), LP_OK);
    assert_int_equal(files_here(), 3);
}

/* What is added to a file that is no longer under its name would be lost. */
static void test_notices(void **state) {
    static const struct {
        const char *command, *why;
        LpErr code;
    } cases[] = {{"true", NULL, LP_OK},
                 {"rm a", "removed", LP_EIO},
                 {"echo b >b; mv b a", "replaced", LP_ESTATE},
                 {"rm a; ln -s b a", "replaced", LP_ESTATE},
                 {"echo more >>a", "changed", LP_ESTATE},
                 {": >a", "changed", LP_ESTATE}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        LpDiag diag;
        LpWriter w;
        LpWriteSpec spec = {.path = "a"};
        assert_int_equal(system("rm -f a b"), 0);
        assert_int_equal(lp_writer_open(&w, &spec, &diag), LP_OK);
        assert_int_equal(lp_writer_add(&w, "1", 1, &diag), LP_OK);
        assert_int_equal(lp_writer_place(&w, &diag), LP_OK);
        assert_int_equal(system(cases[i].command), 0);
        assert_int_equal(lp_writer_check(&w, &diag), cases[i].code);
        if (cases[i].why != NULL)
            assert_non_null(strstr(diag.text, cases[i].why));
        lp_writer_drop(&w);
    }
}

/* Another process that writes a file under its lock until it is killed. */
static pid_t begin_other(const char *path) {
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        LpWriter w;
        LpDiag diag;
        LpWriteSpec spec = {.path = path, .locked = true};
        bool good = lp_writer_open(&w, &spec, &diag) == LP_OK &&
                    lp_writer_add(&w, "other", 5, &diag) == LP_OK &&
                    lp_writer_place(&w, &diag) == LP_OK;
        if (write(ready[1], good ? "y" : "n", 1) == 1)
            pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    close(ready[0]);
    close(ready[1]);
    return pid;
}

static void test_locks(void **state) {
    LpDiag diag;
    LpWriter w;
    char said[64];
    (void)state;
    LpWriteSpec spec = {.path = "a", .locked = true};
    pid_t pid = begin_other("a");
    assert_true(lp_lock_holder_of("a").held);
    assert_int_equal(lp_lock_holder_of("a").pid, pid);
    assert_int_equal(lp_writer_open(&w, &spec, &diag), LP_EIO);
    snprintf(said, sizeof said, "a: process %ld is writing it", (long)pid);
    assert_non_null(strstr(diag.text, said));
    has("a", "other");
    kill(pid, SIGKILL); /* however it ends, it holds nothing */
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_false(lp_lock_holder_of("a").held);
    assert_int_equal(lp_writer_open(&w, &spec, &diag), LP_OK);
    assert_int_equal(lp_writer_add(&w, "mine", 4, &diag), LP_OK);
    assert_int_equal(lp_writer_place(&w, &diag), LP_OK);
    has("a", "mine");

    /* the same program again: only who has the file may give it away */
    LpWriter second;
    assert_int_equal(lp_writer_open(&second, &spec, &diag), LP_EIO);
    spec.before = &w;
    assert_int_equal(lp_writer_open(&second, &spec, &diag), LP_OK);
    assert_int_equal(lp_writer_add(&second, "again", 5, &diag), LP_OK);
    assert_int_equal(lp_writer_close(&second, &diag), LP_OK);
    has("a", "again");
    assert_int_equal(lp_writer_check(&w, &diag), LP_ESTATE);
    lp_writer_drop(&w);

    /* two that begin at once where nothing is: the second finds the first's file */
    LpWriteSpec fresh = {.path = "b", .locked = true};
    assert_int_equal(lp_writer_open(&w, &fresh, &diag), LP_OK);
    assert_int_equal(lp_writer_open(&second, &fresh, &diag), LP_OK);
    assert_int_equal(lp_writer_place(&w, &diag), LP_OK);
    assert_int_equal(lp_writer_close(&second, &diag), LP_EIO);
    assert_int_equal(lp_writer_check(&w, &diag), LP_OK);
    lp_writer_drop(&w);
    assert_int_equal(files_here(), 2);
}

TEST_GROUP(test_host_write_file) {
#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {TEST(test_writes),      TEST(test_is_whole_or_not_there),
                                       TEST(test_refuses),     TEST(test_kinds),
                                       TEST(test_looks_again), TEST(test_full_disk),
                                       TEST(test_grows),       TEST(test_notices),
                                       TEST(test_locks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
