/** Where the database is: in a folder, which one process serves, or on a server, which several may share. */
export type DatabaseTarget = { kind: 'folder'; dir: string } | { kind: 'server'; url: string }

/**
 * The parameters that the query may have. `pg` supports most of them, and silently ignores unknown ones, so a typo in
 * the name of a TLS parameter would leave the connection in cleartext. The last four are libpq's alone; hosting
 * services put them into their URLs. Summit itself, or `sslmode`, provides the same.
 */
const parameters = [
  ...['host', 'port', 'user', 'password'],
  ...['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'uselibpqcompat'],
  ...['application_name', 'fallback_application_name', 'client_encoding', 'options'],
  ...['connect_timeout', 'target_session_attrs', 'channel_binding', 'gssencmode'],
]

export const databaseUrl = {
  description:
    'PostgreSQL database (version 15 or later), as postgres://user:password@host:5432/name. If not set, the database is ' +
    'a file in DATA_DIR.',
  // The unknown parameter is not named: if the password has a ?, it would be a part of the password.
  expectation:
    'must be a URL such as postgres://user:password@host:5432/name?sslmode=verify-full. After the ? may come ' +
    `${parameters.join(', ')}, each with a value, and channel_binding=require only with sslmode.`,
  isValid: (text: string): boolean => {
    const url = URL.parse(text)
    return url !== null && /^postgres(ql)?:\/\/[^/]*\/./.test(text) && hasValidParameters(url)
  },
}

/** `pg` treats a parameter with an empty value as missing. */
const hasValidParameters = ({ hash, searchParams }: URL): boolean =>
  hash === '' &&
  [...searchParams].every(([name, value]) => parameters.includes(name) && value !== '') &&
  (searchParams.get('channel_binding') !== 'require' || searchParams.has('sslmode')) &&
  searchParams.get('gssencmode') !== 'require'

/**
 * The database of a URL for a message, without its password: `summit at db.example:5432`, `summit at /run/postgresql`.
 * Like `pg`, it prefers the host and port of the query.
 */
export function describeDatabaseUrl(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = searchParams.get('host') || hostname.replace(/%2f/gi, '/')
  const server = [host, searchParams.get('port') || port].filter(Boolean).join(':')
  // Without either, the environment or the local machine provides them.
  return [pathname.slice(1), server && `at ${server}`].filter(Boolean).join(' ')
}

/** A URL without its password, which comes before the host or, for a socket, in the query. */
export const hidePassword = (url: string): string =>
  url.replace(/:\/\/[^/?#]*@/, '://…@').replace(/([?&]password=)[^&#]*/g, '$1…')
