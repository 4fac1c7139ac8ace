import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { LogSink } from './log-sink.ts'

/**
 * Makes everything that this process prints go through sinks that never block: the console, Node's warnings, and the
 * error that ends it. Node itself would wait for ever to write them to a terminal that is stopped.
 * @returns standard output, for the log
 */
export function takeOverOutput(): LogSink {
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
