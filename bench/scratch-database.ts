import pg from 'pg'

/** A temporary database, dropped when disposed (`await using`). */
export interface ScratchDatabase extends AsyncDisposable {
  url: string
}

/**
 * Creates an empty database on the same server as an existing one.
 * @param existingUrl the existing database; its role must be allowed to create databases
 * @param suffix appended to the name of the existing database
 * @throws Error of PostgreSQL if the database cannot be created
 */
export async function createScratchDatabase(existingUrl: string, suffix: string): Promise<ScratchDatabase> {
  const url = new URL(existingUrl)
  const name = `${url.pathname.slice(1)}_${suffix}`
  url.pathname = name
  const drop = () => query(existingUrl, `drop database if exists "${name}" with (force)`)
  await drop()
  await query(existingUrl, `create database "${name}"`)
  return { url: url.href, [Symbol.asyncDispose]: drop }
}

/** Runs one statement on a new connection. */
export async function query(url: string, text: string, ...values: string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(text, values)
  } finally {
    await client.end()
  }
}
