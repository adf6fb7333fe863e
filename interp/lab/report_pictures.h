/* The pictures of a report: the board, or what there is without one, how it is used, and plots of
 * measures. */
#ifndef FZ_INTERP_LAB_REPORT_PICTURES_H
#define FZ_INTERP_LAB_REPORT_PICTURES_H

#include "measure_run.h"

#include "grammar/prose/page.h"
#include "interp/picture/scene.h"

typedef struct fzi_report {
    fzi_session *session;
    const fzi_measure_run *run;
    fzi_page *page;
    enum fzi_theme theme;
    const char *files;        /* what the files of pictures begin with, for Markdown; NULL: HTML */
    unsigned pictures;        /* so far */
    int code;                 /* of the first complaint */
} fzi_report;

/* Each adds its picture to the page, or nothing if there is nothing to show. */
void fzi_report_board(fzi_report *report);
void fzi_report_shares(fzi_report *report);
void fzi_report_payoffs(fzi_report *report);
void fzi_report_lengths(fzi_report *report);
void fzi_report_turns(fzi_report *report);
void fzi_report_branching(fzi_report *report);
void fzi_report_prospects(fzi_report *report);
void fzi_report_use(fzi_report *report);

#endif
