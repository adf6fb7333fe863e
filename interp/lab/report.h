/* A report: an experiment as one page, with pictures. `ferz report` writes it. */
#ifndef FZ_INTERP_LAB_REPORT_H
#define FZ_INTERP_LAB_REPORT_H

#include "measure_run.h"

#include "grammar/prose/page.h"
#include "interp/picture/scene.h"

typedef struct fzi_report {
    const fzi_measure_run *run;
    fzi_page *page;
    enum fzi_theme theme;
    const char *command;      /* that makes the report */
    /* Pictures as files, for Markdown: the beginning of their paths, "" for no pictures; NULL:
     * HTML with pictures inside. `save` writes a file; false: it has complained. */
    const char *files;
    bool (*save)(void *user, const char *path, const char *svg);
    void *user;
    unsigned pictures;        /* so far */
    fz_status status;         /* of the first failure */
} fzi_report;

/* ---- report_page.c ---- */

/* The page of the games that were measured; freed with fz_text_free. */
fz_status fzi_report_text(fzi_report *report, char **text);

/* ---- report_pictures.c: each adds its pictures to the page, or nothing ---- */

void fzi_report_board(fzi_report *report);
void fzi_report_shares(fzi_report *report);
void fzi_report_payoffs(fzi_report *report);
void fzi_report_lengths(fzi_report *report);
void fzi_report_turns(fzi_report *report);
void fzi_report_branching(fzi_report *report);
void fzi_report_prospects(fzi_report *report);
void fzi_report_use(fzi_report *report);

#endif
