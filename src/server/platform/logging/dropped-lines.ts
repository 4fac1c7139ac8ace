import { Counter, type Registry } from 'prom-client'
import type { LogSink } from './log-sink.ts'

export function countDroppedLines(registry: Registry, sink: LogSink): void {
  new Counter({
    name: 'summit_log_lines_dropped_total',
    help: 'Log lines that were dropped because the reader or storage of the log could not keep up.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(sink.dropped)
    },
  })
}
