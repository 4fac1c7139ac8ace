/** Where the database is: in a folder, which one process serves, or on a server, which many may share. */
export type DatabasePlace = { kind: 'folder'; dir: string } | { kind: 'server'; url: string }

export const databaseUrl = {
  description:
    'The database as postgres://user:password@host:5432/name, a PostgreSQL from 15 on. Without it, it is a file in ' +
    'DATA_DIR.',
  expectation: 'must be a URL such as postgres://user:password@host:5432/name.',
  isValid: (text: string): boolean => /^postgres(ql)?:\/\/[^/]*\/./.test(text) && URL.canParse(text),
}

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
