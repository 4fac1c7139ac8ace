import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { LogSink } from './log-sink.ts'

/**
 * Routes all output of this process through non-blocking sinks: the console, Node's warnings, and uncaught errors. By
 * default, Node would block forever on a terminal that is stopped.
 * @returns the sink for standard output, for the log
 */
export function installOutput(): LogSink {
  const output = new LogSink(1)
  const errors = new LogSink(2)
  globalThis.console = new Console(asStream(output), asStream(errors))
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => console.error(`(node:${process.pid}) ${name}: ${message}`))
  process.on('uncaughtException', (error) => {
    console.error(error)
    process.exit(1)
  })
  process.on('exit', () => {
    output.finish()
    errors.finish()
  })
  return output
}

const asStream = (sink: LogSink): Writable =>
  new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      sink.write(text)
      sink.flush()
      done()
    },
  })
