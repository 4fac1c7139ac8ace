import { expect, test } from 'vitest'
import { ConfigError, inspectConfig, readConfig } from './config.ts'

test('an empty environment gives a configuration that only this machine reaches', () => {
  const { config, effective } = readConfig({})
  expect(config).toMatchObject({ host: '127.0.0.1', port: 3000, access: 'open', timeZone: 'UTC', dayOfWeek: 'iso' })
  expect(config.limits).toMatchObject({ name: 1_000, comment: 10_000, jsonBytes: 1_048_576, files: 10 })
  expect(new Set(effective.map(({ source }) => source))).toEqual(new Set(['default']))
})

test('a variable of the environment wins, an empty one is as if it were not there', () => {
  const { config, effective } = readConfig({
    PORT: '8080',
    TIMEZONE: '',
    MAX_NAME: '50',
    PUBLIC_URL: 'https://x.example/@s/',
  })
  expect(config).toMatchObject({ port: 8080, timeZone: 'UTC', publicUrl: 'https://x.example/@s' })
  expect(config.limits.name).toBe(50)
  expect(effective.find(({ name }) => name === 'PORT')).toMatchObject({ value: 8080, source: 'environment' })
})

test.each([
  [{ PORT: 'eighty' }, 'PORT must be a whole number from 0 to 65535. It is "eighty".'],
  [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535. It is "70000".'],
  [{ TIMEZONE: 'Mars/Olympus' }, 'TIMEZONE must be an IANA time zone such as Europe/Berlin. It is "Mars/Olympus".'],
  [
    { PUBLIC_URL: 'javascript:alert(1)' },
    'PUBLIC_URL must be an http or https URL without user, query, fragment and blanks. It is "javascript:alert(1)".',
  ],
  [
    { PUBLIC_URL: 'https://u:secret@h/x' },
    'PUBLIC_URL must be an http or https URL without user, query, fragment and blanks.',
  ],
  [
    { PUBLIC_URL: 'https:\\\\u:secret@h/x' },
    'PUBLIC_URL must be an http or https URL without user, query, fragment and blanks.',
  ],
  [
    { PUBLIC_URL: 'https://summit.example/a b' },
    'PUBLIC_URL must be an http or https URL without user, query, fragment and blanks. It is "https://summit.example/a b".',
  ],
  [{ BEGIN_WITH: 'nothing' }, 'BEGIN_WITH must be sample or empty. It is "nothing".'],
  [{ ACCESS: 'members' }, 'ACCESS must be open; this version has no other mode. It is "members".'],
  [{ PORT: '80\n1' }, 'PORT must be a whole number from 0 to 65535. It is "80\\n1".'],
  [{ SIGNATURE_KEY: 'secret' }, 'SIGNATURE_KEY must be 64 hex digits.'],
  [{ MAX_FILES: '0' }, 'MAX_FILES must be a whole number of at least 1. It is "0".'],
  [{ DAY_OF_WEEK: 'monday' }, 'DAY_OF_WEEK must be iso, mysql or js. It is "monday".'],
])('a wrong setting %o is one clear sentence', (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(new ConfigError(sentence))
})

test.each(['999.1.1.1', 'localhost:3000', '127.0.0.1:80', '10.1', '1', '[::1]', 'http://x', '.', 'a..b', 'a b'])(
  'HOST=%s is neither an address nor a name',
  (HOST) => {
    expect(() => readConfig({ HOST })).toThrow('HOST must be an IP address or a host name, without a port.')
  },
)

const database = 'postgres://summit:geheim@db.example/summit'

test.each([
  'sslmod=verify-full',
  'sslMode=verify-full',
  'sslmode=',
  'sslmode=verify-full&sslrotcert=ca.pem',
  'gssencmode=require',
  'channel_binding=require',
  'connect_timeout=10#?sslmode=verify-full',
])('DATABASE_URL with ?%s, which nobody would act upon, is refused without repeating it', (query) => {
  const refused = /^DATABASE_URL must be a URL (?!.*geheim).* may come host, port, .*$/
  expect(() => readConfig({ DATABASE_URL: `${database}?${query}` })).toThrow(refused)
})

test.each([
  'sslmode=verify-full&sslrootcert=ca.pem&application_name=summit',
  'sslmode=require&channel_binding=require&connect_timeout=10&target_session_attrs=read-write',
  'host=/run/postgresql&port=5433&user=summit&password=geheim',
])('DATABASE_URL may have ?%s', (query) => {
  const url = `${database}?${query}`
  expect(readConfig({ DATABASE_URL: url }).config.database).toEqual({ kind: 'server', url })
})

test('every wrong setting is named at once', () => {
  expect(() => readConfig({ PORT: '-1', LOG_LEVEL: 'loud' })).toThrow(/^PORT must .+ LOG_LEVEL must .+$/)
})

test.each(['0.0.0.0', '::', '192.0.2.7', 'summit.example', 'my_host', 'fe80::1%eth0'])(
  'listening on %s has to be meant',
  (HOST) => {
    expect(() => readConfig({ HOST })).toThrow('set ACCESS=open as well')
    expect(readConfig({ HOST, ACCESS: 'open' }).config.host).toBe(HOST)
  },
)

test('every wrong setting is named, however many there are', () => {
  const limits = ['MAX_NAME', 'MAX_BODY', 'MAX_COMMENT', 'MAX_FILES', 'MAX_FILE_BYTES', 'MAX_JSON_BYTES'] as const
  const names = ['PORT', 'WORKERS', 'TIMEZONE', 'ACCESS', 'DAY_OF_WEEK', ...limits]
  const { wrong } = inspectConfig(Object.fromEntries(names.map((name) => [name, 'x'])))
  expect([...wrong.keys()].sort()).toEqual(names.sort())
})
