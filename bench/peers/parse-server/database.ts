import pg from 'pg'
import { classNames } from './classes.ts'
import { objects } from './objects.ts'

/** A database of its own, gone when done (`await using`). */
export interface OwnDatabase extends AsyncDisposable {
  url: string
}

/**
 * Makes an empty database beside the one of Summit, on the same server.
 * @throws Error of PostgreSQL when who connects may not make one
 */
export async function ownDatabase(besides: string): Promise<OwnDatabase> {
  const url = new URL(besides)
  const name = `${url.pathname.slice(1)}_parse_server`
  url.pathname = name
  const drop = () => query(besides, `drop database if exists "${name}" with (force)`)
  await drop()
  await query(besides, `create database "${name}"`)
  return { url: url.href, [Symbol.asyncDispose]: drop }
}

/** Puts the data set into the tables that Parse Server has made for its classes. */
export async function fill(url: string): Promise<void> {
  const all = objects()
  for (const name of classNames) {
    const rows = `select * from jsonb_populate_recordset(null::"${name}", $1)`
    await query(url, `insert into "${name}" ${rows}`, JSON.stringify(all[name]))
  }
  await query(url, 'analyze')
}

async function query(url: string, text: string, ...values: string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(text, values)
  } finally {
    await client.end()
  }
}
