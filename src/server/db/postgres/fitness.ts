import type { ClientBase } from 'pg'
import { CannotOpen } from '../cannot-open.ts'

const oldestVersion = 150_000

/**
 * Whether text is compared byte by byte: capitals before small letters, a space before any letter, accents after all of
 * them, and what needs four bytes last. Every language's own order fails at least one of these.
 */
const isBytewise = `'Z' < 'a' and 'a ' < 'aA' and 'a b' < 'aa' and 'z' < 'é' and U&'\\FF5E' < U&'\\+01F600'`

/** @throws CannotOpen when the server is too old, or the database would keep or order texts otherwise than we do */
export async function refuseUnfit(client: ClientBase): Promise<void> {
  const one = async (expression: string) =>
    (await client.query<{ it: unknown }>(`select ${expression} as it`)).rows[0]?.it
  const version = Number(await one(`current_setting('server_version_num')`))
  if (version < oldestVersion)
    throw new CannotOpen(`The server is PostgreSQL ${Math.floor(version / 10_000)}; Summit needs 15 or later.`)
  const encoding = await one(`current_setting('server_encoding')`)
  if (encoding !== 'UTF8' || (await one(isBytewise)) !== true)
    throw new CannotOpen(
      'The database must hold UTF-8 and compare text bytewise. Make one so: ' +
        'createdb --template=template0 --encoding=UTF8 --locale=C NAME',
    )
}
