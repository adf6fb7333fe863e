/* The folder that has README.md and docs/: the installed one, and that of the sources. The build
 * defines both, --disable-checkout only the first. */
#ifndef FZ_INTERP_SUPPORT_DOCUMENTS_H
#define FZ_INTERP_SUPPORT_DOCUMENTS_H

#ifndef FZ_DOC_DIR
#define FZ_DOC_DIR "/usr/local/share/doc/ferz"
#endif
#ifndef FZ_CHECKOUT_DOC_DIR
#define FZ_CHECKOUT_DOC_DIR FZ_DOC_DIR
#endif

#endif
