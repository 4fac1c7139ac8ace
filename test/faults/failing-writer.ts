import { PostgresWriter } from '../../src/server/db/postgres/writer.ts'

/** Imported before the program: from SIGUSR2 on something fails between two transactions, as only a bug of ours could. */
process.on('SIGUSR2', () => {
  PostgresWriter.prototype.checkpoint = () => {
    throw new Error('a bug of ours')
  }
})
