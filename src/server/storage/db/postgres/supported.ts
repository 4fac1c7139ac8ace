import type { ClientBase } from 'pg'
import { CannotOpen } from '../cannot-open.ts'

const minVersion = 150_000

/**
 * Whether text is compared byte by byte: capitals before small letters, a space before any letter, accented letters
 * after all others, and characters of four bytes last. The collation of every language fails at least one of these.
 */
const isBytewise = `'Z' < 'a' and 'a ' < 'aA' and 'a b' < 'aa' and 'z' < 'é' and U&'\\FF5E' < U&'\\+01F600'`

/**
 * @throws CannotOpen when the server is too old or a standby, or the encoding or collation of the database is not
 *   supported
 */
export async function assertSupported(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
  )
  const { version = 0, encoding = '' } = rows[0] ?? {}
  if (version < minVersion)
    throw new CannotOpen(`The server is PostgreSQL ${Math.floor(version / 10_000)}; Summit needs 15 or later.`)
  if (await isTrue(client, 'pg_is_in_recovery()'))
    throw new CannotOpen('The server is a standby, which is read-only. Point DATABASE_URL at the primary.')
  if (encoding !== 'UTF8' || !(await isTrue(client, isBytewise)))
    throw new CannotOpen(
      'The database must use UTF-8 and compare text bytewise. Create it with: ' +
        'createdb --owner=ROLE --template=template0 --encoding=UTF8 --locale=C NAME',
    )
}

const isTrue = async (client: ClientBase, condition: string): Promise<boolean> =>
  (await client.query<{ holds: boolean }>(`select ${condition} as holds`)).rows[0]?.holds === true
