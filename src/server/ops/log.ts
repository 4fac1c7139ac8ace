import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import type { Config } from '../config.ts'
import type { LogSink } from './log-sink.ts'
import { ResponseLog } from './response-log.ts'
import type { ResponseRecord } from './response-record.ts'

/** How lines are printed: without the process and the machine, whose log it is anyway, and with a time to be read. */
export const format = { base: null, timestamp: pino.stdTimeFunctions.isoTime }

export interface Logger {
  log: FastifyBaseLogger
  logResponse: (answered: ResponseRecord) => void
  /** Hands on all that still waits; that happens by itself when the process ends, unless it is killed. */
  close: () => void
}

/** The logger: one JSON object a line. */
export function createLogger(level: Config['logLevel'], sink: LogSink): Logger {
  const log = pino({ level, ...format }, sink)
  const answers = new ResponseLog((lines) => sink.write(lines))
  // Before the sink is finished.
  process.prependListener('exit', answers.flush)
  return {
    log,
    logResponse: log.isLevelEnabled('info') ? answers.add : () => {},
    close: () => {
      process.off('exit', answers.flush)
      answers.flush()
      sink.flush()
    },
  }
}
