import { expect, test } from 'vitest'
import { backupTargetExpectation } from '../storage/blobs/backup-target.ts'
import { ConfigError, inspectConfig, readConfig } from './config.ts'
import { Settings } from './settings.ts'
import { fromEnvironment } from './sources.ts'
import { toConfig } from './to-config.ts'

test('by default the server is only reachable from this machine', () => {
  const { config, effective } = readConfig({})
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    access: 'open',
    timeZone: 'UTC',
    dayOfWeek: 'iso',
    writesPerMinute: 60,
  })
  expect(config.limits).toMatchObject({ name: 1_000, comment: 10_000, jsonBytes: 1_048_576, files: 10 })
  expect(new Set(effective.map(({ source }) => source))).toEqual(new Set(['default']))
})

test('environment variables override defaults, and an empty one counts as unset', () => {
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

test('every setting is read into the configuration', () => {
  const defaults = Object.entries(Settings.properties).map(([name, schema]) => [name, Object(schema).default])
  const settings: Settings = { ...Object.fromEntries(defaults), BACKUP_TO: '/backups' }
  const used = new Set<string>()
  const get = (_: Settings, name: keyof Settings) => {
    used.add(name)
    return settings[name]
  }
  toConfig(new Proxy(settings, { get } as ProxyHandler<Settings>))
  expect([...used].sort()).toEqual(Object.keys(Settings.properties).sort())
})

test.each([
  [{ PORT: 'eighty' }, 'PORT must be a whole number from 0 to 65535. It is "eighty".'],
  [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535. It is "70000".'],
  [{ TIMEZONE: '+05:30' }, 'TIMEZONE must be an IANA time zone such as Europe/Berlin. It is "+05:30".'],
  [{ TIMEZONE: 'Mars/Olympus' }, 'TIMEZONE must be an IANA time zone such as Europe/Berlin. It is "Mars/Olympus".'],
  [
    { PUBLIC_URL: 'javascript:alert(1)' },
    'PUBLIC_URL must be an http or https URL without user, query, fragment or spaces. It is "javascript:alert(1)".',
  ],
  [
    { PUBLIC_URL: 'https://u:secret@h/x' },
    'PUBLIC_URL must be an http or https URL without user, query, fragment or spaces.',
  ],
  [
    { PUBLIC_URL: 'https:\\\\u:secret@h/x' },
    'PUBLIC_URL must be an http or https URL without user, query, fragment or spaces.',
  ],
  [
    { PUBLIC_URL: 'https://summit.example/a b' },
    'PUBLIC_URL must be an http or https URL without user, query, fragment or spaces. It is "https://summit.example/a b".',
  ],
  [
    { BLOBS_URL: 's3://key:secret@summit?region=EU_1' },
    'BLOBS_URL must be s3://[key-id:secret@]bucket[/prefix][?region=…&endpoint=…&path-style=…], percent-encoded. ' +
      'It has an invalid region.',
  ],
  [
    { BACKUP_TO: 's3://key:se/cret@backups' },
    `BACKUP_TO ${backupTargetExpectation} It is not a URL; a secret in it must be percent-encoded.`,
  ],
  [{ BEGIN_WITH: 'nothing' }, 'BEGIN_WITH must be sample or empty. It is "nothing".'],
  [{ FEEDBACK_READERS: 'all' }, 'FEEDBACK_READERS must be organizers or participants. It is "all".'],
  [{ ACCESS: 'closed' }, 'ACCESS must be open, public or members. It is "closed".'],
  [{ PORT: '80\n1' }, 'PORT must be a whole number from 0 to 65535. It is "80\\n1".'],
  [
    { BLOBS_URL: 's3://bucket/files', BACKUP_TO: 's3://bucket/files/backups' },
    'BACKUP_TO and BLOBS_URL must not overlap. Choose another bucket or prefix for one of them.',
  ],
  [{ BACKUP_TO: 'backups' }, `BACKUP_TO ${backupTargetExpectation} It is "backups".`],
  [
    { BACKUP_EVERY: 'daily' },
    'BACKUP_EVERY must be minutes, hours or days such as 30m, 6h or 1d, or never. It is "daily".',
  ],
  [{ SIGNATURE_KEY: 'secret' }, 'SIGNATURE_KEY must be 64 hex digits.'],
  [{ WRITES_PER_MINUTE: '-1' }, 'WRITES_PER_MINUTE must be a whole number from 0 to 10000. It is "-1".'],
  [{ MAX_FILES: '0' }, 'MAX_FILES must be a whole number of at least 1. It is "0".'],
  ...['*', 'null', 'localhost', 'https://a.example/', 'https://A.example', 'https://a.example:443', 'https://a,b'].map(
    (CORS_ORIGINS): [Record<string, string>, string] => [
      { CORS_ORIGINS },
      'CORS_ORIGINS must be origins exactly as browsers send them, separated by commas: https://app.example, without a ' +
        `path or a slash at the end, in lower case. It is "${CORS_ORIGINS}".`,
    ],
  ),
  ...['all', '10.0.0.0/33', '0.0.0.0/0', '127.0.0.1 10.0.0.1', 'proxy.example'].map(
    (TRUSTED_PROXIES): [Record<string, string>, string] => [
      { TRUSTED_PROXIES },
      `TRUSTED_PROXIES must be IP addresses or networks such as 10.0.0.0/8, separated by commas. It is "${TRUSTED_PROXIES}".`,
    ],
  ),
  ...['smtp://ana:s3cret@mail.example/x', 'mail.example', 'smtp://ana@mail.example'].map(
    (SMTP_URL): [Record<string, string>, string] => [
      { SMTP_URL, MAIL_FROM: 'a@x.example' },
      'SMTP_URL must be smtp://[user:password@]host[:port][?tls=required|none] or smtps://[user:password@]host[:port], ' +
        'percent-encoded, or log.',
    ],
  ),
  [
    { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'Summit' },
    'MAIL_FROM must be an e-mail address, or a name and an address: Summit <summit@example.org>. It is "Summit".',
  ],
  [{ SMTP_URL: 'smtp://mail.example' }, 'MAIL_FROM and SMTP_URL must be set together.'],
  [{ MAIL_FROM: 'a@x.example' }, 'MAIL_FROM and SMTP_URL must be set together.'],
  [
    { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'summit' },
    'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together.',
  ],
  [{ OIDC_CLIENT_SECRET: 'secret' }, 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together.'],
  ...['http://login.example', 'https://login.example/?realm=1', 'login.example', 'https://a:b@login.example/'].map(
    (OIDC_ISSUER): [Record<string, string>, string] => [
      { OIDC_ISSUER, OIDC_CLIENT_ID: 'summit', OIDC_CLIENT_SECRET: 'secret' },
      'OIDC_ISSUER must be an https URL without user, query or fragment (http only for localhost), exactly as the ' +
        `identity provider spells its issuer.${OIDC_ISSUER.includes('@') ? '' : ` It is "${OIDC_ISSUER}".`}`,
    ],
  ),
  [
    { SMTP_URL: 'log', HOST: '0.0.0.0', ACCESS: 'open' },
    'SMTP_URL=log prints mail for anyone who reads the log. With HOST=0.0.0.0, set a mail server.',
  ],
  [{ DAY_OF_WEEK: 'monday' }, 'DAY_OF_WEEK must be iso, mysql or js. It is "monday".'],
])('the invalid setting %o has a clear one-line error', (environment, message) => {
  expect(() => readConfig(environment)).toThrow(new ConfigError(message))
})

test.each(['999.1.1.1', 'localhost:3000', '127.0.0.1:80', '10.1', '1', '[::1]', 'http://x', '.', 'a..b', 'a b'])(
  'HOST=%s is rejected: neither an IP address nor a host name',
  (HOST) => {
    expect(() => readConfig({ HOST })).toThrow('HOST must be an IP address or a host name, without a port.')
  },
)

const database = 'postgres://summit:s3cret@db.example/summit'

test.each([
  'sslmod=verify-full',
  'sslMode=verify-full',
  'sslmode=',
  'sslmode=verify-full&sslrotcert=ca.pem',
  'gssencmode=require',
  'channel_binding=require',
  'connect_timeout=10#?sslmode=verify-full',
])('DATABASE_URL with the unsupported ?%s is rejected without repeating the URL', (query) => {
  const error = /^DATABASE_URL must be a URL (?!.*s3cret).* may come host, port, .*$/
  expect(() => readConfig({ DATABASE_URL: `${database}?${query}` })).toThrow(error)
})

test.each([
  'sslmode=verify-full&sslrootcert=ca.pem&application_name=summit',
  'sslmode=require&channel_binding=require&connect_timeout=10&target_session_attrs=read-write',
  'host=/run/postgresql&port=5433&user=summit&password=s3cret',
])('DATABASE_URL supports ?%s', (query) => {
  const url = `${database}?${query}`
  expect(readConfig({ DATABASE_URL: url }).config.database).toEqual({ kind: 'server', url })
})

test('one error names every invalid setting', () => {
  expect(() => readConfig({ PORT: '-1', LOG_LEVEL: 'loud' })).toThrow(/^PORT must .+ LOG_LEVEL must .+$/)
})

test.each(['0.0.0.0', '::', '192.0.2.7', 'summit.example', 'my_host', 'fe80::1%eth0'])(
  'listening on %s requires ACCESS to be set',
  (HOST) => {
    expect(() => readConfig({ HOST })).toThrow('also set ACCESS=open')
    expect(readConfig({ HOST, ACCESS: 'open' }).config.host).toBe(HOST)
  },
)

test('all invalid settings are listed, however many there are', () => {
  const limits = ['MAX_NAME', 'MAX_BODY', 'MAX_COMMENT', 'MAX_FILES', 'MAX_FILE_BYTES', 'MAX_JSON_BYTES'] as const
  const names = ['PORT', 'WORKERS', 'TIMEZONE', 'ACCESS', 'DAY_OF_WEEK', ...limits]
  const { invalid } = inspectConfig(fromEnvironment(Object.fromEntries(names.map((name) => [name, 'x']))))
  expect([...invalid.keys()].sort()).toEqual(names.sort())
})

test('MAIL in the environment, where many systems name the mailbox of the user, is no setting', () => {
  const given = fromEnvironment({ MAIL: '/var/mail/ana', SMTP_URL: 'log' })
  expect(inspectConfig(given)).toMatchObject({ ignored: [], invalid: new Map() })
  expect(readConfig({}).config.mail).toBeUndefined()
})

test('CORS_ORIGINS is a list of exact origins', () => {
  const { corsOrigins } = readConfig({
    CORS_ORIGINS: 'https://localhost, http://localhost:5173,capacitor://app',
  }).config
  expect([...corsOrigins]).toEqual(['https://localhost', 'http://localhost:5173', 'capacitor://app'])
  expect(readConfig({}).config.corsOrigins.size).toBe(0)
})
