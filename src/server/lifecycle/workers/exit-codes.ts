/** A worker whose disk failed to sync: no process may go on acknowledging writes (EX_IOERR, sysexits(3)). */
export const diskFailed = 74
