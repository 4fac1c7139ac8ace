import pg from 'pg'

/** A database of its own, gone when done (`await using`). */
export interface OwnDatabase extends AsyncDisposable {
  url: string
}

/**
 * Makes an empty database beside another, on the same server.
 * @param suffix that its name has beyond the other's
 * @throws Error of PostgreSQL when who connects may not make one
 */
export async function ownDatabase(besides: string, suffix: string): Promise<OwnDatabase> {
  const url = new URL(besides)
  const name = `${url.pathname.slice(1)}_${suffix}`
  url.pathname = name
  const drop = () => query(besides, `drop database if exists "${name}" with (force)`)
  await drop()
  await query(besides, `create database "${name}"`)
  return { url: url.href, [Symbol.asyncDispose]: drop }
}

/** Runs one statement over a connection of its own. */
export async function query(url: string, text: string, ...values: string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(text, values)
  } finally {
    await client.end()
  }
}
