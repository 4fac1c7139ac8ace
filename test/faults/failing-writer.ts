import { PostgresWriter } from '../../src/server/storage/db/postgres/writer.ts'

/** Imported before the program: after SIGUSR2 and this line, the next transaction fails with an internal error. */
process.on('SIGUSR2', () => {
  PostgresWriter.prototype.checkpoint = () => {
    throw new Error('a bug of ours')
  }
  console.log('the next transaction fails')
})
