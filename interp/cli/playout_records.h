/* Records of playouts: --record and --records. */
#ifndef FZ_CLI_PLAYOUT_RECORDS_H
#define FZ_CLI_PLAYOUT_RECORDS_H

#include "session.h"

/* Reads --records. An exit code. */
int fzi_records_read(const fzi_session *session, fzi_wanted *wanted);

/* Plays the game again, move by move, for --record without --records. An exit code. */
int fzi_record_first(fzi_session *session, const fz_lineup *lineup, uint64_t stream);
/* Writes the records of --records, of the playouts that begin with number `first` (from 0) and are
 * counted in the tally. An exit code. */
int fzi_record_wanted(fzi_session *session, const fz_lineup *lineup, const fzi_wanted *wanted,
                      uint64_t first, const fz_tally *tally);

#endif
