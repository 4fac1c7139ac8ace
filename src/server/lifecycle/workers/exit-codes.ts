/** A sync to disk failed in a worker: no process may acknowledge further writes (EX_IOERR, sysexits(3)). */
export const diskFailed = 74
