/** Where the database is: in a folder, which one process serves, or on a server, which many may share. */
export type DatabasePlace = { kind: 'folder'; dir: string } | { kind: 'server'; url: string }

export const databaseUrl = {
  description:
    'The database as postgres://user:password@host:5432/name, a PostgreSQL from 15 on. Without it, it is a file in DATA_DIR.',
  expectation: 'must be a URL such as postgres://user:password@host:5432/name.',
  isValid: (text: string): boolean => /^postgres(ql)?:\/\/[^/]*\/./.test(text) && URL.canParse(text),
}
