/** Where the database is: in a folder, which one process serves, or on a server, which many may share. */
export type DatabaseTarget = { kind: 'folder'; dir: string } | { kind: 'server'; url: string }

/**
 * What may come in the query. `pg` acts upon most, and ignores what it does not know without a word, so that a slip in
 * the name of one for TLS would leave the connection in cleartext. The last four are of libpq alone, and services
 * write them into the URLs that they give out: that the server be the right one is seen to by us, or by `sslmode`.
 */
const parameters = [
  ...['host', 'port', 'user', 'password'],
  ...['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'uselibpqcompat'],
  ...['application_name', 'fallback_application_name', 'client_encoding', 'options'],
  ...['connect_timeout', 'target_session_attrs', 'channel_binding', 'gssencmode'],
]

export const databaseUrl = {
  description:
    'The database as postgres://user:password@host:5432/name, a PostgreSQL from 15 on. Without it, it is a file in ' +
    'DATA_DIR.',
  // The wrong one is not named: after a ? in a password it would be a part of that.
  expectation:
    'must be a URL such as postgres://user:password@host:5432/name?sslmode=verify-full. After the ? may come ' +
    `${parameters.join(', ')}, each with a value, and channel_binding=require only with sslmode.`,
  isValid: (text: string): boolean => {
    const url = URL.parse(text)
    return url !== null && /^postgres(ql)?:\/\/[^/]*\/./.test(text) && hasOnlyKnown(url)
  },
}

/** With an empty value `pg` does as if a parameter were not there. */
const hasOnlyKnown = ({ hash, searchParams }: URL): boolean =>
  hash === '' &&
  [...searchParams].every(([name, value]) => parameters.includes(name) && value !== '') &&
  (searchParams.get('channel_binding') !== 'require' || searchParams.has('sslmode')) &&
  searchParams.get('gssencmode') !== 'require'

/**
 * The database of a URL for a sentence, without its password: `summit at db.example:5432`, `summit at /run/postgresql`.
 * As `pg` does, it takes a host and port from the query first.
 */
export function databaseAt(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = searchParams.get('host') || hostname.replace(/%2f/gi, '/')
  const place = [host, searchParams.get('port') || port].filter(Boolean).join(':')
  // Without either it is where the environment says, or this machine.
  return [pathname.slice(1), place && `at ${place}`].filter(Boolean).join(' ')
}
