import type { FastifyBaseLogger } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import { blobProblems, type ReportDamage } from '../blobs/damaged-blob.ts'

/** Makes what logs and counts each response for which a stored file was found missing or damaged. */
export function damagedFileReporter(log: FastifyBaseLogger, registry: Registry): ReportDamage {
  const counter = new Counter({
    name: 'summit_damaged_file_reads_total',
    help: 'Reads of stored files that found them missing or damaged.',
    labelNames: ['problem'],
    registers: [registry],
  })
  // An alert on a rise needs the value before the first.
  for (const problem of blobProblems) counter.inc({ problem }, 0)
  return ({ key, problem, expected, found, message }, reqId) => {
    counter.inc({ problem })
    log.error({ reqId, key, problem, expected, found }, message)
  }
}
