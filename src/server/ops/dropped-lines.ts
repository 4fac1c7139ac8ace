import { Counter, type Registry } from 'prom-client'
import type { LogSink } from './log-sink.ts'

export function countDroppedLines(registry: Registry, sink: LogSink): void {
  new Counter({
    name: 'summit_log_lines_dropped_total',
    help: 'Lines of the log that were dropped because whatever reads or stores it did not take them in time.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(sink.dropped)
    },
  })
}
