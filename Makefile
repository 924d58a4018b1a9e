# lightpath - needs GNU make 4.2 or later. `make help` lists the targets.
NAME    := lightpath
VERSION := 0.1.0

# --- to be set by the user, in the environment or on the command line --------------------------
PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR    ?= $(PREFIX)/share/$(NAME)
MANDIR     ?= $(PREFIX)/share/man
DESTDIR    ?=
PKG_CONFIG ?= pkg-config
INSTALL    ?= install
NM         ?= nm
OBJDUMP    ?= objdump
# release, dev, debug, asan, coverage, fuzz or tsan
MODE       ?= release
# where everything that is built goes: one word, anywhere, also where the sources are read-only
O          ?= build/$(MODE)
# V=1 shows the commands, WERROR=1 turns warnings into errors
V          ?= 0
WERROR     ?= 0
# opened by `make run`
SCENARIO   ?= scenarios/pac-ml-32.json
# which packages `make deps` looks for: run, test or ci
DEPS       ?= test
# T='word ...' restricts `make test` to the tests whose path holds one of the words
T          ?=
# seconds for one test: much, for a machine with other work to do
TEST_TIMEOUT ?= 1200
FUZZ_SECONDS ?= 10
# CCACHE= compiles without ccache, which is used where it is installed (see below)
CFLAGS     ?=
CPPFLAGS   ?=
LDFLAGS    ?=

ifeq ($(origin CC),default)
  CC := gcc
endif
ifeq ($(MODE),fuzz)
  ifeq ($(findstring clang,$(CC)),)
    override CC := clang
  endif
endif

SHELL := /bin/bash
MAKEFLAGS += --no-print-directory -r
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:
Q := $(if $(filter 1,$(V)),,@)
# a parallel sub-make, unless the user has already said how parallel it is to be
PARALLEL = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$$(nproc 2>/dev/null || echo 2))

# --- where it is built --------------------------------------------------------------------------
ifneq ($(words $(O)),1)
  $(error O=$(O): make cannot build in a folder with blanks in its name; expected one word)
endif
NO_BUILD := deps nightly dead format format-check uninstall clean help
ifneq ($(filter-out $(NO_BUILD),$(or $(MAKECMDGOALS),all)),)
  ifeq ($(shell mkdir -p '$(O)' 2>/dev/null && [ -w '$(O)' ] && echo yes),)
    $(error the folder $(O) cannot be written: O=DIR puts everything that is built into DIR)
  endif
endif

# --- packages: asked for only by goals that compile ----------------------------------------------
PKG.graph  := igraph
PKG.io     := libcjson
PKG.learn  := blas
PKG.script := lua5.4
PKG.ui     := ncursesw
PKG.unpack := zlib
PKGS       := $(PKG.graph) $(PKG.io) $(PKG.learn) $(PKG.script) $(PKG.ui) $(PKG.unpack)

NO_PKGS := run test test-live check nightly test-times deps dead coverage fuzz bench format format-check uninstall clean help _bench _fuzz _coverage
ifneq ($(filter-out $(NO_PKGS),$(or $(MAKECMDGOALS),all)),)
  MISSING := $(shell $(PKG_CONFIG) --exists $(PKGS) 2>/dev/null || \
               for p in $(PKGS); do $(PKG_CONFIG) --exists $$p 2>/dev/null || echo $$p; done)
  ifneq ($(strip $(MISSING)),)
    $(error $(PKG_CONFIG) does not find: $(MISSING) (`make deps` installs what is missing))
  endif
  # headers that are not ours come by -isystem; the feature macros are set below, once
  pkg_cflags = $(filter-out -D_XOPEN_SOURCE=%,$(patsubst -I%,-isystem%,$(shell $(PKG_CONFIG) --cflags $(1))))
  CF.graph  := $(call pkg_cflags,$(PKG.graph))
  CF.io     := $(call pkg_cflags,$(PKG.io))
  CF.learn  := $(call pkg_cflags,$(PKG.learn))
  CF.script := $(call pkg_cflags,$(PKG.script))
  CF.unpack := $(call pkg_cflags,$(PKG.unpack))
  CF.curses := $(call pkg_cflags,$(PKG.ui)) -DNCURSES_WIDECHAR=1
  # GLPK has no file for pkg-config
  LIBS.graph := $(shell $(PKG_CONFIG) --libs $(PKG.graph))
  LIBS.learn := $(shell $(PKG_CONFIG) --libs $(PKG.learn))
  LIBS.solve := -lglpk
  # what the program is linked with; the three above it loads when something of them is needed
  # (engine/late), since finding their thirty libraries took longer than all else that --version does
  LIBS.start := $(shell $(PKG_CONFIG) --libs $(PKG.io) $(PKG.script) $(PKG.ui) $(PKG.unpack)) -lm -pthread
  # tests and benchmarks call them themselves
  LIBS       := $(LIBS.graph) $(LIBS.learn) $(LIBS.solve) $(LIBS.start)
  # of tests alone: empty where it is not installed
  VTERM     := $(shell $(PKG_CONFIG) --exists vterm 2>/dev/null && $(PKG_CONFIG) --libs vterm)
  CF.live   := $(if $(VTERM),$(call pkg_cflags,vterm))
  # ccache, where it has a folder that it may write to, and CC is not ccache already
  ifeq ($(origin CCACHE),undefined)
    CCACHE := $(shell d=$$(ccache -k cache_dir 2>/dev/null) && mkdir -p "$$d" 2>/dev/null && [ -w "$$d" ] && echo ccache)
  endif
  ifneq ($(filter ccache,$(notdir $(firstword $(CC)) $(realpath $(shell command -v $(firstword $(CC)) 2>/dev/null)))),)
    override CCACHE :=
  endif
endif
CF.all = $(CF.graph) $(CF.io) $(CF.learn) $(CF.script) $(CF.curses) $(CF.unpack)

# --- flags ---------------------------------------------------------------------------------------
# clang 21 warns of a double compared with an enumerator, which is an int: nothing is lost there
WARN.clang := -Wno-unknown-warning-option -Wno-enum-float-conversion
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
        -Wold-style-definition -Wwrite-strings -Wcast-qual -Wpointer-arith -Wundef -Wvla \
        -Wconversion -Wno-sign-conversion -Wdouble-promotion -Wformat=2 -Wimplicit-fallthrough \
        $(if $(findstring clang,$(CC)),$(WARN.clang)) $(if $(filter 1,$(WERROR)),-Werror)
SANITIZE      := -fsanitize=address,undefined -fno-sanitize-recover=undefined
OPT.release   := -O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong
# quick to compile
OPT.dev       := -O0 -g
OPT.debug     := -Og -g3 -DLP_CHECKED=1
OPT.asan      := -O1 -g -DLP_CHECKED=1 $(SANITIZE) -fno-omit-frame-pointer
OPT.tsan      := -O1 -g -DLP_CHECKED=1 -fsanitize=thread
OPT.coverage  := -O0 -g --coverage
# tests are compiled more often than they run; a debugger has MODE=debug
OPT.tests     := $(subst -O2 -g,-O1 -g0,$(OPT.release))
OPT.fuzz      := -O1 -g -DLP_CHECKED=1 -fsanitize=fuzzer-no-link $(SANITIZE) -fno-omit-frame-pointer
LINK.asan     := $(SANITIZE)
LINK.tsan     := -fsanitize=thread
LINK.coverage := --coverage
LINK.fuzz     := $(SANITIZE)
ifeq ($(OPT.$(MODE)),)
  $(error MODE=$(MODE) is not one of release dev debug asan coverage fuzz tsan)
endif

# units of many files (.ci/units), where a static name may shadow one of another file
IN_UNITS := $(filter dev fuzz,$(MODE))
ifneq ($(IN_UNITS),)
  WARN := $(filter-out -Wshadow,$(WARN))
endif

INCLUDES     := -Iengine -Iui $(if $(IN_UNITS),-I.)
ALL_CPPFLAGS  = -D_XOPEN_SOURCE=700 -DLP_VERSION='"$(VERSION)"' $(INCLUDES) $(CPPFLAGS)
# only for those who look for data: other objects are the same wherever the tree lies and PREFIX is
SOURCEDIR     = -DLP_SOURCEDIR='"$(CURDIR)"'
PLACES        = $(SOURCEDIR) -DLP_DATADIR='"$(DATADIR)"'
# which sources these are, for results that say so: "unknown" outside of a repository
COMMIT       := $(or $(if $(wildcard .git),$(shell git describe --always --dirty --abbrev=12 2>/dev/null)),unknown)
BUILD         = -DLP_BUILD='"$(COMMIT)"'
# -ffp-contract=off: a fused multiply-add would make results depend on compiler and machine
# -fPIC -fvisibility=hidden: one object is good for the program and for the shared library
# clang writes line tables that the valgrind of Debian 12 gives up on; it reads the older form
DEBUGINFO     = $(if $(findstring clang,$(CC)),-gdwarf-4)
ALL_CFLAGS    = -std=c11 -pthread -ffp-contract=off -fPIC -fvisibility=hidden $(WARN) $(OPT.$(MODE)) $(DEBUGINFO) $(CFLAGS)
# gdb looks for the sources where it is started, gcov where they were
HERE          = $(if $(filter coverage,$(MODE)),,-ffile-prefix-map='$(CURDIR)'=.)
COMPILE       = $(CCACHE) $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(HERE) $(EXTRA) -MMD -MP -c
LINK          = $(CC) $(OPT.$(MODE)) $(LINK.$(MODE)) $(LINKER) $(LDFLAGS)

# The quickest linker that CC can use, tried once per folder. A package (DESTDIR) is linked by the
# default, and LDFLAGS may name another. gold warns of what clang's address sanitizer leaves.
LINKER :=
ifneq ($(LIBS),)
ifeq ($(DESTDIR)$(findstring -fuse-ld,$(LDFLAGS)),)
  LINKERS := $(CC) $(LINK.$(MODE)) $(shell command -v mold ld.lld ld.gold 2>/dev/null)
  -include $(O)/.linker
  ifneq ($(LINKERS),$(TRIED))
    LINKER := $(shell for l in mold lld $(if $(filter asan fuzz,$(MODE)),,gold); do echo 'int main(void) { return 0; }' | \
        $(CC) $(LINK.$(MODE)) -fuse-ld=$$l -x c - -o '$(O)/.tried' 2>/dev/null && echo -fuse-ld=$$l && break; done; rm -f '$(O)/.tried')
    $(file >$(O)/.linker,TRIED := $(LINKERS))
    $(file >>$(O)/.linker,LINKER := $(LINKER))
  endif
endif
endif

# The names of the libraries that are loaded late, as this machine's linker has them, asked once per
# folder and version.
ifneq ($(LIBS),)
  LATE := graph learn solve
  LATELY := $(CC) $(LIBS) $(shell $(PKG_CONFIG) --modversion $(PKGS))
  -include $(O)/.sonames
  ifneq ($(LATELY),$(SONAMES_OF))
    $(foreach f,$(LATE),$(eval SONAME.$(f) := $(shell .ci/soname '$(O)/.tried' '$(OBJDUMP)' '$(CC)' $(LIBS.$(f)))))
    $(file >$(O)/.sonames,SONAMES_OF := $(LATELY))
    $(foreach f,$(LATE),$(file >>$(O)/.sonames,SONAME.$(f) := $(SONAME.$(f))))
  endif
  NO_SHARED := $(foreach f,$(LATE),$(if $(SONAME.$(f)),,$(LIBS.$(f))))
  ifneq ($(strip $(NO_SHARED)),)
    $(error no shared library is found by $(CC) $(strip $(NO_SHARED)) (`make deps` installs what is missing))
  endif
  DEF.graph := -DLP_IGRAPH_SONAME='"$(SONAME.graph)"'
  DEF.learn := -DLP_BLAS_SONAME='"$(SONAME.learn)"'
  DEF.solve := -DLP_GLPK_SONAME='"$(SONAME.solve)"'
endif
DEF.late = $(DEF.graph) $(DEF.learn) $(DEF.solve)

# --- what there is to build ------------------------------------------------------------------------
FOLDERS := base late unpack solve model sim history graph io script learn host import session ask say many lib
KINDS   := unit property golden script tui live fault

src = $(sort $(wildcard $(1)/*.c))
# a folder with its rooms, and the rooms of those
house = $(sort $(wildcard $(1)/*.$(2) $(1)/*/*.$(2) $(1)/*/*/*.$(2)))
obj = $(patsubst %.c,$(O)/%.o,$(1))

ENGINE_OBJ := $(foreach f,$(FOLDERS),$(call obj,$(call house,engine/$(f),c)))
MAIN_OBJ   := $(call obj,$(wildcard ui/main.c))
UI_OBJ     := $(filter-out $(MAIN_OBJ),$(call obj,$(call house,ui,c)))
ifneq ($(IN_UNITS),)
  # those with flags of their own stay by themselves
  SINGLE     := $(sort ui/main.c ui/term/curses.c engine/host/paths.c engine/host/build.c $(if $(filter fuzz,$(MODE)),engine/base/str.c $(wildcard ui/term/*.c)))
  UNITS      := $(addprefix $(O)/,$(shell .ci/units '$(O)' $(SINGLE:%=--alone %) \
                    $(patsubst $(O)/%.o,%.c,$(ENGINE_OBJ) $(UI_OBJ))))
  ENGINE_OBJ := $(filter $(O)/engine/%,$(UNITS))
  UI_OBJ     := $(filter $(O)/ui/%,$(UNITS))
endif
OBJ        := $(ENGINE_OBJ) $(UI_OBJ) $(MAIN_OBJ)
LIB        := $(O)/liblightpath.a
# the library for other programs; .so.N: the interface that they were linked with (LIGHTPATH_API_VERSION)
SHARED     := $(O)/liblightpath.so
SONAME     := liblightpath.so.1
BIN        := $(O)/$(NAME)
PROGRAM    := $(if $(MAIN_OBJ),$(BIN))
LINKED     := $(if $(filter build/release,$(O)),$(if $(PROGRAM),$(NAME)))

TEST_SRC     := $(foreach k,$(KINDS),$(sort $(wildcard tests/$(k)/test_*.c)))
TEST_SCRIPTS := tests/layers.sh tests/dead.sh $(foreach k,$(KINDS),$(sort $(wildcard tests/$(k)/test_*.sh)))
# tests of what builds and tests: only when asked for by T, which .ci/run does
TOOL_TESTS   := $(wildcard $(patsubst %,tests/unit/test_%.sh,layers dead driver deps))
TEST_SCRIPTS := $(if $(T),$(TEST_SCRIPTS),$(filter-out $(TOOL_TESTS),$(TEST_SCRIPTS)))
BENCH_SRC    := $(sort $(wildcard tests/bench/bench_*.c))
FUZZ_SRC     := $(sort $(wildcard tests/fuzz/fuzz_*.c))
# other .c files of a test folder are shared by the tests of that folder
shared        = $(call obj,$(filter-out tests/$(1)/test_%.c tests/$(1)/bench_%.c tests/$(1)/fuzz_%.c,$(call src,tests/$(1))))
# the tests that T names (all without T)
wanted        = $(if $(T),$(foreach t,$(1),$(if $(strip $(foreach w,$(T),$(findstring $(w),$(t)))),$(t))),$(1))
# the tests in C: each file, and each fuzz target once more without a fuzzer, to be asked about its corpus
TESTS        := $(TEST_SRC:.c=) $(patsubst tests/fuzz/fuzz_%.c,tests/seeds/test_%,$(FUZZ_SRC))
TEST_BIN     := $(addprefix $(O)/,$(call wanted,$(TESTS)))
TEST_RUN     := $(TEST_BIN) $(call wanted,$(TEST_SCRIPTS))
# Many tests are one program (tests/main.c), and each is a link to it: those of a folder, in tests/unit
# those with the same prefix. tests/unit/test_sim_hash is in unit-sim, tests/golden/test_cuts in golden.
parts         = $(subst /, ,$(subst _, ,$(1)))
program_of    = $(word 2,$(parts))$(if $(filter tests/unit/%,$(1)),-$(word 4,$(parts)))
PROGRAMS     := $(sort $(foreach t,$(TESTS),$(call program_of,$(t))))
tests_of      = $(foreach t,$(TESTS),$(if $(filter $(1),$(call program_of,$(t))),$(t)))
test_obj      = $(addprefix $(O)/,$(addsuffix .o,$(patsubst tests/seeds/test_%,tests/fuzz/fuzz_%,$(1))))
# what the tests of a program share: the other files of its folder
program_share = $(call shared,$(firstword $(subst -, ,$(1)))) $(if $(filter seeds,$(1)),$(call shared,fuzz))
BENCH_BIN    := $(patsubst %.c,$(O)/%,$(BENCH_SRC))
FUZZ_BIN     := $(patsubst %.c,$(O)/%,$(FUZZ_SRC))
SOURCES      := $(sort $(foreach f,$(FOLDERS),$(call house,engine/$(f),[ch])) $(call house,ui,[ch]) \
                  $(wildcard tests/*/*.[ch] tests/*.[ch]))

.PHONY: all lib run test test-live check nightly test-times deps layers dead docs docs-lists bench lint format format-check fuzz coverage install uninstall \
        clean help _tests _test _benches _bench _fuzzers _fuzz _coverage

all: $(PROGRAM) $(LINKED) $(if $(PROGRAM),,$(LIB)) ## build the program (./lightpath)
	@:

# --- rules -----------------------------------------------------------------------------------------
# A changed command line or list is a changed file: nothing stale is ever linked.
FLAGS := $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(CF.all) $(DEF.late) $(OPT.tests)
LINKS := $(CC) $(OPT.$(MODE)) $(LINK.$(MODE)) $(LDFLAGS) $(LIBS)
# functions of make that write do so under -n and -q too, unless they are kept from it
DRY := $(findstring n,$(filter-out --%,$(firstword -$(MAKEFLAGS))))$(findstring q,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
# kept FILE,VARIABLE: the file of the build folder that has the value of the variable
define kept
ifneq ($$(strip $$(file <$(O)/$(1))),$$(strip $$($(2))))
  .PHONY: $(O)/$(1)
endif
$(O)/$(1):
	$$(if $$(DRY),,$$(shell mkdir -p $$(@D))$$(file >$$@,$$($(2))))@:
endef
$(eval $(call kept,.flags,FLAGS))
$(eval $(call kept,.links,LINKS))
$(eval $(call kept,.linked,LINKER))
$(eval $(call kept,.places,PLACES))
$(eval $(call kept,.build,BUILD))
$(eval $(call kept,.objects,OBJ))

$(O)/engine/graph/%.o:       EXTRA = $(CF.graph) $(DEF.graph)
$(O)/engine/solve/%.o:       EXTRA = $(DEF.solve)
$(O)/engine/io/%.o:          EXTRA = $(CF.io)
# loops over numbers: worth more than the usual, and in units too slow without
OPT.learn.release := -O3
OPT.learn.dev     := -O2
$(O)/engine/learn/%.o:       EXTRA = $(CF.learn) $(DEF.learn) $(OPT.learn.$(MODE))
$(O)/engine/script/%.o:      EXTRA = $(CF.script)
$(O)/engine/unpack/%.o:      EXTRA = $(CF.unpack)
$(O)/ui/term/curses.o:       EXTRA = $(CF.curses)
$(O)/engine/host/paths.o: EXTRA = $(PLACES)
$(O)/engine/host/build.o: EXTRA = $(BUILD)
$(O)/engine/host/build.o: $(O)/.build
$(O)/engine/host/paths.o $(call obj,$(wildcard tests/*/*.c)): $(O)/.places
# what draws compares places and columns: nothing a fuzzer could learn from, and half of its time
ifeq ($(MODE),fuzz)
  DRAWS = $(filter $(O)/ui/views/% $(O)/ui/term/canvas% $(O)/ui/term/glyph% $(O)/ui/term/keymap.o $(O)/engine/base/str.o,$(OBJ)) $(O)/tests/fuzz/stage.o
  $(DRAWS): EXTRA += -fno-sanitize-coverage=trace-cmp
endif
$(O)/tests/%.o:              EXTRA = $(CF.all) $(CF.live) $(SOURCEDIR) -Itests
$(foreach k,$(KINDS) fuzz seeds programs,$(O)/tests/$(k)/%.o): OPT.release = $(OPT.tests)

$(O)/%.o: %.c $(O)/.flags
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(COMPILE) $< -o $@

$(O)/%.o: $(O)/%.c $(O)/.flags
	@echo "  UNIT    $<"
	$(Q)$(COMPILE) $< -o $@

# Tests link an archive, so each takes only what it uses; the program links every object.
$(LIB): $(ENGINE_OBJ) $(UI_OBJ) $(O)/.objects
	@rm -f $@
	$(Q)$(AR) rcs --thin $@ $(ENGINE_OBJ) $(UI_OBJ)

$(BIN): $(OBJ) $(O)/.objects $(O)/.links $(O)/.linked
	@echo "  LINK    $@"
	$(Q)$(LINK) $(filter-out $(O)/engine/lib/%,$(OBJ)) $(LIBS.start) -o $@

# It takes what its interface uses.
$(SHARED): $(filter $(O)/engine/lib/%,$(ENGINE_OBJ)) $(LIB) $(O)/.links $(O)/.linked
	@echo "  LINK    $@"
	$(Q)$(LINK) -shared -Wl,-soname,$(SONAME) $(filter %.o %.a,$^) -Wl,--as-needed $(LIBS.start) -o $@
	@ln -sfn $(notdir $@) $(O)/$(SONAME)

lib: $(SHARED) ## build the library for other programs, $(O)/liblightpath.so (engine/lib/lightpath.h)
	@:

$(NAME): $(BIN)
	@ln -sfn $(BIN) $@

# test_program NAME,TESTS: its main knows them, and each is a link to it
define test_program
GROUPS.$(1) := $(foreach t,$(notdir $(2)),GROUP($(t)))
$(call kept,tests/programs/$(1).groups,GROUPS.$(1))
$(O)/tests/programs/$(1).o: EXTRA += -D'GROUPS=$$(GROUPS.$(1))'
$(O)/tests/programs/$(1).o: tests/main.c $(O)/.flags $(O)/tests/programs/$(1).groups
	$$(Q)$$(COMPILE) $$< -o $$@
$(O)/tests/programs/$(1): $(O)/tests/programs/$(1).o $(call test_obj,$(2)) $(call program_share,$(1)) $(LIB) $(O)/.links
	@echo "  LINK    $$@"
	$$(Q)$$(LINK) $$(filter %.o %.a,$$^) -lcmocka $$(LIBS) -o $$@
$(addprefix $(O)/,$(2)): $(O)/tests/programs/$(1)
	@mkdir -p $$(@D) && ln -sf ../programs/$(1) $$@
endef
$(foreach p,$(PROGRAMS),$(eval $(call test_program,$(p),$(call tests_of,$(p)))))
$(O)/tests/seeds/seeds.o: EXTRA += -D'TARGETS=$(patsubst tests/fuzz/fuzz_%.c,TARGET(%),$(FUZZ_SRC))'
$(O)/tests/seeds/seeds.o: $(O)/tests/programs/seeds.groups

$(BENCH_BIN): $(O)/%: $(O)/%.o $(call shared,bench) $(LIB) $(O)/.links
	@echo "  LINK    $@"
	$(Q)$(LINK) $(filter %.o %.a,$^) $(LIBS) -o $@

$(FUZZ_BIN): $(O)/%: $(O)/%.o $(call shared,fuzz) $(LIB) $(O)/.links
	@echo "  LINK    $@"
	$(Q)$(LINK) -fsanitize=fuzzer $(filter %.o %.a,$^) $(LIBS) -o $@

# Many command lines in one process, for scripts that would start the program hundreds of times. It
# is newer than the program beside it: else they do not take it (tests/many/many.sh).
MANY_BIN := $(O)/tests/many/many
$(MANY_BIN): $(O)/tests/many/many.o $(LIB) $(BIN) $(O)/.flags
	@echo "  LINK    $@"
	$(Q)$(LINK) $(filter %.o %.a,$^) $(LIBS.start) -o $@

# The terminal of the live driver is libvterm; where that is missing, its scripts say so (tests/live).
LIVE_BIN := $(if $(VTERM),$(if $(call wanted,$(wildcard tests/live/test_live*.sh)),$(O)/tests/live/live))
# preloaded, so with nothing of the sanitizers
LATE_LIB := $(if $(filter asan tsan fuzz,$(MODE)),,$(if $(LIVE_BIN),$(O)/tests/live/late.so))
$(O)/tests/live/late.so: tests/live/late/late.c
	@mkdir -p $(@D)
	@echo "  LINK    $@"
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O2 -g -fPIC -shared $(WARN) $< -o $@

$(O)/tests/live/live: $(call shared,live) $(LIB) $(O)/.links
	@echo "  LINK    $@"
	$(Q)$(LINK) $(filter %.o %.a,$^) $(LIBS.start) $(VTERM) -lutil -o $@

# Preloaded by tests/fault/test_fault.sh: with nothing of the sanitizers, and nothing of ours.
FAULT_SRC := $(sort $(wildcard tests/fault/*.c))
FAULT_LIB := $(if $(call wanted,$(wildcard tests/fault/test_fault*.sh)),$(O)/tests/fault/fault.so)
$(O)/tests/fault/fault.so: $(FAULT_SRC) tests/fault/fault.h
	@mkdir -p $(@D)
	@echo "  LINK    $@"
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O2 -g -fPIC -shared $(filter-out -Wvla,$(WARN)) $(FAULT_SRC) -o $@

-include $(wildcard $(patsubst %.o,%.d,$(OBJ) $(call test_obj,$(TESTS)) $(call shared,live) $(MANY_BIN).o $(BENCH_BIN:=.o) $(FUZZ_BIN:=.o) \
           $(PROGRAMS:%=$(O)/tests/programs/%.o) $(foreach k,$(KINDS) bench fuzz seeds,$(call shared,$(k)))))

# --- the two commands of the README ------------------------------------------------------------------
# Without a terminal everything but the summary goes to stderr, so that stdout can be piped.
run: ## install what is missing, build, open the default scenario (headless without a terminal)
	@if [ -t 0 ] && [ -t 1 ]; then \
	    $(MAKE) deps DEPS=run && $(MAKE) $(PARALLEL) all && exec $(BIN) $(SCENARIO); \
	else \
	    { $(MAKE) deps DEPS=run && $(MAKE) $(PARALLEL) all; } 1>&2 && exec $(BIN) run $(SCENARIO); \
	fi

# The packages must be there before a makefile can ask for their flags, hence the sub-makes.
test: ## install what is missing, build, run every test (T='words' picks some)
	@$(MAKE) deps
	@$(MAKE) $(PARALLEL) _tests || { echo '0 passed, 1 failed, 0 skipped'; exit 1; }
	@$(MAKE) _test

_tests: $(PROGRAM) $(SHARED) $(LINKED) $(OBJ) $(TEST_BIN) $(MANY_BIN) $(LIVE_BIN) $(LATE_LIB) $(FAULT_LIB)
	@:

_test:
	@LIGHTPATH='$(abspath $(BIN))' FAULT_LIBRARY='$(abspath $(O))/tests/fault/fault.so' $(LAYERS_ENV) \
	    tests/run-tests.sh --timeout $(TEST_TIMEOUT) \
	    --prefix $(O) --logs $(O)/logs --rerun "$(RERUN)" $(TEST_RUN)

test-live: ## of them those that play the live program in a terminal (LP_LIVE=all: at all sizes)
	@$(MAKE) test T=tests/live/

test-times: ## write tests/times.txt, by which the dearest tests begin first, from the last run of all
	@{ echo '# seconds, test: the dearest, for a folder where nothing has run yet (make test-times)'; \
	   LC_ALL=C sort -s -k1,1nr $(O)/times | head -n 25; } >$(O)/dearest && mv $(O)/dearest tests/times.txt

RERUN = make test $(if $(filter-out release,$(MODE)),MODE=$(MODE) )$(if $(filter-out build/$(MODE),$(O)),O=$(O) )$(if $(filter-out gcc,$(CC)),CC=$(CC) )T=
LAYERS_ENV = LAYERS_O='$(O)' LAYERS_MODE='$(MODE)' LAYERS_CC='$(CC)' LAYERS_NM='$(NM)' \
             LAYERS_OBJDUMP='$(OBJDUMP)' \
             LAYERS_FLAGS='-std=c11 -D_XOPEN_SOURCE=700 $(WARN) $(INCLUDES) $(CF.all)'

check: ## unit and golden tests of what depends on your change, layers, format (SINCE=REV: of all since)
	@$(MAKE) deps
	@CHECK_MAKE='$(MAKE)' tests/check.sh

nightly: ## what is too dear for every change: all compilers, tsan, memcheck, three Debian releases
	@.ci/nightly

deps: ## install what is missing (Debian; asks before sudo)
	@CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' .ci/deps $(DEPS)

layers: $(OBJ) ## prove that the folders know each other only along the arrows
	@$(LAYERS_ENV) tests/layers.sh

dead: ## find functions that nothing calls
	@tests/dead.sh

docs: docs-lists ## write what is made: docs-lists, and the figures of docs/*.md by their recorded commands (an hour or two; PAGES=docs/pods.md, QUICK=1, NAMES=rack: some)
	$(Q)LIGHTPATH=$(BIN) docs/made.py --write $(if $(QUICK),--quick) $(PAGES)

docs-lists: all ## write what is made from tables: scripts/meta/lightpath.lua, the schemas, the lists in lightpath(1), lightpath-lua(7), lightpath-keys(5), the devices, env.md, docs/screen.svg
	$(Q)$(BIN) policy api --format luacats >$(O)/lightpath.lua && mv $(O)/lightpath.lua scripts/meta/lightpath.lua
	$(Q)$(BIN) policy api --format man >$(O)/rows
	$(Q)awk -f docs/rows.awk $(O)/rows docs/lightpath-lua.7 >$(O)/lua.7 && mv $(O)/lua.7 docs/lightpath-lua.7
	$(Q)for s in $(basename $(notdir $(wildcard docs/schema/*.json))); do $(BIN) schema $$s >$(O)/schema && mv $(O)/schema docs/schema/$$s.json || exit 1; done
	$(Q)($(BIN) schema --man && $(BIN) import --formats --man) >$(O)/rows
	$(Q)awk -f docs/rows.awk $(O)/rows docs/lightpath.1 >$(O)/lightpath.1 && mv $(O)/lightpath.1 docs/lightpath.1
	$(Q)$(BIN) keys --man >$(O)/rows
	$(Q)awk -f docs/rows.awk $(O)/rows docs/lightpath-keys.5 >$(O)/keys.5 && mv $(O)/keys.5 docs/lightpath-keys.5
	$(Q)$(BIN) env --features >$(O)/rows
	$(Q)awk -f docs/table.awk $(O)/rows docs/env.md >$(O)/env.md && mv $(O)/env.md docs/env.md
	$(Q)$(BIN) devices --markdown >$(O)/rows
	$(Q)awk -f docs/table.awk $(O)/rows docs/semantics.md >$(O)/semantics.md && mv $(O)/semantics.md docs/semantics.md
	$(Q)$(BIN) scenarios/pac-ml-32.json --keys docs/screen.keys --size 100x30 --save-screen $(O)/screen.svg && mv $(O)/screen.svg docs/screen.svg
	$(Q)$(BIN) devices --man >$(O)/rows
	$(Q)awk -f docs/rows.awk $(O)/rows docs/lightpath-scenario.5 >$(O)/scenario.5 && mv $(O)/scenario.5 docs/lightpath-scenario.5

# --- measuring and probing -----------------------------------------------------------------------------
bench: ## build and run the benchmarks (QUICK=1: the ratios of tests/bench/ratios.py alone, in short)
	@$(MAKE) $(PARALLEL) MODE=release _benches
	@$(MAKE) MODE=release _bench

_benches: $(PROGRAM) $(BENCH_BIN)
	@:

_bench:
	@$(foreach b,$(if $(QUICK),,$(BENCH_BIN)),echo "== $(notdir $(b))" && LIGHTPATH='$(abspath $(BIN))' $(b) &&) true
	@if command -v python3 >/dev/null; then for b in $(if $(QUICK),'ratios.py --quick',start.py memory.py python_env.py ratios.py); do \
	    echo "== $$b" && LIGHTPATH='$(abspath $(BIN))' python3 tests/bench/$$b || exit 1; done; fi

fuzz: ## run each libFuzzer target over its corpus for FUZZ_SECONDS (clang)
	@$(MAKE) $(PARALLEL) MODE=fuzz _fuzzers
	@$(MAKE) MODE=fuzz _fuzz

_fuzzers: $(FUZZ_BIN)
	@:

# New inputs go to the build folder; what breaks a target is kept beside them.
_fuzz:
	@$(foreach f,$(FUZZ_BIN),tests/fuzz/run.sh $(f) tests/fuzz/corpus/$(patsubst fuzz_%,%,$(notdir $(f))) \
	    $(O)/found/$(patsubst fuzz_%,%,$(notdir $(f))) $(FUZZ_SECONDS) &&) true

coverage: ## run the tests with gcov and sum up line coverage
	@$(MAKE) $(PARALLEL) MODE=coverage _tests
	@find build/coverage -name '*.gcda' -delete
	@$(MAKE) MODE=coverage _test
	@$(MAKE) MODE=coverage _coverage

_coverage:
	@if command -v gcovr >/dev/null; then \
	    gcovr --root . --object-directory $(O) --filter engine/ --filter ui/ --sort-percentage; \
	else \
	    gcov -n -r $$(find $(O)/engine $(O)/ui -name '*.gcno' | sort) 2>/dev/null | awk -F "[:% ']+" ' \
	        /^File / { name = $$2 } \
	        /^Lines executed/ { if (name ~ /\.c$$/) printf "%7.2f %% of %5d  %s\n", $$3, $$5, name; \
	                            if (name ~ /\.c$$/) { hit += $$3 / 100 * $$5; all += $$5 } name = "" } \
	        END { if (all) printf "%7.2f %% of %5d  all\n", 100 * hit / all, all }'; \
	fi

# --- reading the sources -------------------------------------------------------------------------------
C_SOURCES := $(filter engine/%.c ui/%.c,$(SOURCES))

lint: ## clang-tidy and cppcheck, where they are installed
	@if command -v clang-tidy >/dev/null; then \
	    echo "  TIDY    $(words $(C_SOURCES)) files"; \
	    printf '%s\n' $(C_SOURCES) | xargs -r -n 4 -P $$(nproc) sh -c \
	        'clang-tidy --quiet "$$@" -- $(subst ','\'',$(ALL_CPPFLAGS) $(SOURCEDIR) $(DEF.late)) $(CF.all) -std=c11 2>/dev/null' tidy; \
	else echo "  clang-tidy is not installed"; fi
	@if command -v cppcheck >/dev/null; then \
	    echo "  CPPCHECK"; \
	    : 'cppcheck misreads hexadecimal floating constants, hence incorrectLogicOperator'; \
	    cppcheck --quiet --std=c11 --enable=warning,portability,performance --inline-suppr \
	        --suppress=missingIncludeSystem --suppress=incorrectLogicOperator --error-exitcode=1 \
	        $(INCLUDES) engine ui; \
	else echo "  cppcheck is not installed"; fi

format: ## rewrite the C sources with clang-format
	$(Q)$(if $(SOURCES),clang-format -i $(SOURCES))

format-check: ## fail if clang-format would change a C source
	$(Q)$(if $(SOURCES),clang-format --dry-run -Werror $(SOURCES))

# --- installing ----------------------------------------------------------------------------------------
# printers for gdb read the sources: they are for a tree
DATA      := scripts scenarios themes
DATA_FILES = $(shell find $(DATA) -type f ! -name '.*' ! -path '*/__pycache__/*' ! -path 'scripts/gdb/*' 2>/dev/null | sort)
MAN_PAGES := $(wildcard docs/*.1 docs/*.5 docs/*.7)
# shell:where it looks for completions, under PREFIX/share
COMPLETIONS := bash:bash-completion/completions/lightpath zsh:zsh/site-functions/_lightpath \
    fish:fish/vendor_completions.d/lightpath.fish
man_dir    = $(DESTDIR)$(MANDIR)/man$(patsubst .%,%,$(suffix $(1)))

# the library, where `make lib` was made
define PC
Name: lightpath
Description: Optically switched clusters as reinforcement-learning environments
Version: $(VERSION)
Cflags: -I$(INCLUDEDIR)
Libs: -L$(LIBDIR) -llightpath
endef
install: all ## install under PREFIX (DESTDIR is honoured); after `make lib` the library as well
	$(INSTALL) -d '$(DESTDIR)$(BINDIR)'
	$(INSTALL) -m 755 $(BIN) '$(DESTDIR)$(BINDIR)/$(NAME)'
	@for f in $(DATA_FILES); do $(INSTALL) -D -m 644 $$f "$(DESTDIR)$(DATADIR)/$$f" || exit 1; done
	@$(foreach m,$(MAN_PAGES),$(INSTALL) -D -m 644 $(m) '$(call man_dir,$(m))/$(notdir $(m))' &&) true
	@$(foreach c,$(COMPLETIONS),$(BIN) completions $(word 1,$(subst :, ,$(c))) >$(O)/completion && \
	    $(INSTALL) -D -m 644 $(O)/completion '$(DESTDIR)$(PREFIX)/share/$(word 2,$(subst :, ,$(c)))' &&) true
	$(if $(wildcard $(SHARED)),$(INSTALL) -D -m 755 $(SHARED) '$(DESTDIR)$(LIBDIR)/$(SONAME)' && \
	    ln -sfn $(SONAME) '$(DESTDIR)$(LIBDIR)/liblightpath.so' && \
	    $(INSTALL) -D -m 644 engine/lib/lightpath.h '$(DESTDIR)$(INCLUDEDIR)/lightpath.h')
	$(if $(wildcard $(SHARED)),$(if $(DRY),,$(file >$(O)/lightpath.pc,$(PC))) \
	    $(INSTALL) -D -m 644 $(O)/lightpath.pc '$(DESTDIR)$(LIBDIR)/pkgconfig/lightpath.pc')

uninstall: ## remove what install put there
	rm -f '$(DESTDIR)$(LIBDIR)/$(SONAME)' '$(DESTDIR)$(LIBDIR)/liblightpath.so' \
	    '$(DESTDIR)$(LIBDIR)/pkgconfig/lightpath.pc' '$(DESTDIR)$(INCLUDEDIR)/lightpath.h'
	rm -f '$(DESTDIR)$(BINDIR)/$(NAME)'
	@for f in $(DATA_FILES); do rm -f "$(DESTDIR)$(DATADIR)/$$f"; done
	@$(foreach m,$(MAN_PAGES),rm -f '$(call man_dir,$(m))/$(notdir $(m))' &&) true
	@$(foreach c,$(COMPLETIONS),rm -f '$(DESTDIR)$(PREFIX)/share/$(word 2,$(subst :, ,$(c)))' &&) true
	@if [ -d '$(DESTDIR)$(DATADIR)' ]; then find '$(DESTDIR)$(DATADIR)' -depth -type d -empty -delete; fi

clean: ## remove everything that was built
	rm -rf build
	rm -f $(NAME)
	@if [ -e '$(O)/.flags' ]; then rm -rf '$(O)'; fi

help: ## this list
	@echo "lightpath $(VERSION): make [target] [MODE=release|dev|debug|asan|coverage|fuzz|tsan] [CC=gcc|clang]"
	@echo "     [O=build/dir] [V=1] [WERROR=1] [PREFIX=/usr/local] [DESTDIR=] [T='test names']"
	@sed -nE 's/^([a-z][a-z-]*):[^#]*## (.*)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18
