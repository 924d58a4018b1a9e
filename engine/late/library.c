/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dlopen and dlsym, with sentences. */
#include "late/library.h"

#include <dlfcn.h>
#include <string.h>

/* Debian calls the package of libNAME.so.N libNAMEN. */
static LpErr fail(const char *soname, const char *what, const char *why, LpDiag *diag) {
    if (why == NULL)
        why = "it cannot be loaded";
    if (strstr(why, "memory") != NULL) /* the loader has no code for it */
        return lp_fail_memory(diag, what);
    const char *dot = strstr(soname, ".so.");
    int stem = dot != NULL ? (int)(dot - soname) : (int)strlen(soname);
    return lp_fail(diag, LP_EIO,
                   "the library %s, needed for %s, cannot be used: %s; Debian has it in the "
                   "package %.*s%s",
                   soname, what, why, stem, soname, dot != NULL ? dot + strlen(".so.") : "");
}

LpErr lp_library_load(const char *soname, const char *const *name, size_t count, void *functions,
                      const char *what, LpDiag *diag) {
    void *library = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL)
        return fail(soname, what, dlerror(), diag);
    for (size_t i = 0; i < count; i++)
        if (dlsym(library, name[i]) == NULL) {
            LpErr err = fail(soname, what, dlerror(), diag);
            (void)dlclose(library);
            return err;
        }
    for (size_t i = 0; i < count; i++) {
        void *symbol = dlsym(library, name[i]);
        /* POSIX says that this works, ISO C has no cast for it */
        memcpy((char *)functions + i * sizeof symbol, &symbol, sizeof symbol);
    }
    return LP_OK;
}

void lp_library_find(const char *soname, const char *name, void *function) {
    void *library = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL)
        return;
    void *symbol = dlsym(library, name);
    if (symbol != NULL)
        memcpy(function, &symbol, sizeof symbol);
    (void)dlclose(library);
}
