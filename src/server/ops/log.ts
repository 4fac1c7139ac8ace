import { writeSync } from 'node:fs'
import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import type { Config } from '../config.ts'
import { hasCode } from '../errors.ts'
import { AnswerLog } from './answer-log.ts'
import type { Answered } from './answered.ts'

const standardOutput = 1

/** Bytes of the log that are written at once; a line by itself would cost a call of the system for each answer. */
const atOnce = 8 * 1024

/** No line waits longer than this to be written, however quiet it is. */
const waitMs = 200

/** How lines are printed: without the process and the machine, whose log it is anyway, and with a time to be read. */
export const format = { base: null, timestamp: pino.stdTimeFunctions.isoTime }

export interface Logger {
  log: FastifyBaseLogger
  logAnswer: (answered: Answered) => void
  /** Writes all that still waits; that happens by itself when the process ends, unless it is killed. */
  close: () => void
}

/** The logger: one JSON object a line on standard output. */
export function createLogger(level: Config['logLevel']): Logger {
  const output = pino.destination({ dest: standardOutput, sync: true, minLength: atOnce, periodicFlush: waitMs })
  output.on('error', ignoreClosedTerminal)
  const log = pino({ level, ...format }, output)
  const answers = new AnswerLog((lines) => output.write(lines))
  const flush = () => {
    if (isTerminalClosed()) return
    answers.flush()
    output.flushSync()
  }
  process.on('exit', flush)
  return {
    log,
    logAnswer: log.isLevelEnabled('info') ? answers.add : () => {},
    close: () => {
      flush()
      process.off('exit', flush)
    },
  }
}

/** Lines for a terminal that has closed are for nobody, and keep no request from being finished. */
function ignoreClosedTerminal(error: unknown): void {
  // A pipe that nobody reads any more is ignored by pino itself.
  if (!hasCode(error, 'EIO') && !hasCode(error, 'EPIPE')) throw error
}

/** Asked before all that waits is written at once, which pino would try for ever. */
function isTerminalClosed(): boolean {
  try {
    writeSync(standardOutput, '')
    return false
  } catch (error) {
    return hasCode(error, 'EIO')
  }
}
