import type { FastifyBaseLogger } from 'fastify'
import { type LevelWithSilent, pino } from 'pino'
import { describeError } from './describe-error.ts'
import type { LogSink } from './log-sink.ts'
import { ResponseLog, type ResponseRecord } from './response-log.ts'

/** Format of log lines: no process id and host name, which the log collector knows, and a readable time. */
export const logFormat = {
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { err: (error: unknown) => describeError(error) },
}

export interface Logger {
  log: FastifyBaseLogger
  /** Absent if responses are not logged. */
  logResponse: ((record: ResponseRecord) => void) | undefined
  /** Flushes buffered lines; also done at exit, unless the process is killed. */
  close: () => void
}

/** Creates the logger, which writes one JSON object per line. */
export function createLogger(level: LevelWithSilent, sink: LogSink): Logger {
  const log = pino({ level, ...logFormat }, sink)
  const responses = new ResponseLog((lines) => sink.write(lines))
  // Before the exit handler that finishes the sink.
  process.prependListener('exit', responses.flush)
  return {
    log,
    logResponse: log.isLevelEnabled('info') ? responses.add : undefined,
    close: () => {
      process.off('exit', responses.flush)
      responses.flush()
      sink.flush()
    },
  }
}
