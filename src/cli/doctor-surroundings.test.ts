import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { publicUrl } from '../../test/access/app-with-keys.ts'
import { startProvider } from '../../test/access/identity-provider.ts'
import { createTestStorage, startTestApp } from '../../test/app.ts'
import { runSummit } from '../../test/command.ts'
import { startRefusingS3 } from '../../test/fake-s3.ts'
import { startInMemoryS3 } from '../../test/in-memory-s3.ts'
import { startMailServer } from '../../test/mail-server.ts'
import * as make from '../../test/make.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'
import { trustTestCertificate } from '../../test/tls.ts'
import { withoutSharp } from '../../test/without-sharp.ts'
import {
  change,
  isOnServer,
  portOf,
  runCheck,
  runDoctor,
  startHttpServer,
  startProxy,
  stoppedSummit,
} from './doctor.fixtures.ts'

// The checks of `summit doctor` of files, keys, backups, clock, proxy, server and images.

const unused = 'http://127.0.0.1:9'

test('a missing file is a problem, and so is a bucket that refuses access or does not respond', async () => {
  await using storage = await stoppedSummit()
  await using refusing = await startRefusingS3()
  for (const BLOBS_URL of [refusing.url, `s3://KEY:geheim@summit?endpoint=${unused}`])
    expect(await runCheck('files', { ...storage.settings, BLOBS_URL })).toEqual([expect.stringMatching(/^problem: /)])
  await rm(make.only(await make.blobs(storage)))
  const { code, found } = await runDoctor(storage.settings)
  expect([code, ...found('files')]).toEqual([1, expect.stringMatching(/^problem: files\/\S+, .* is missing from /)])
})

test('a signing key that others can read, has other content or is missing is a problem', async () => {
  await using storage = await stoppedSummit()
  const keys = () => runCheck('keys', storage.settings)
  const missing = [expect.stringMatching(/^problem: The signing key of this summit is missing: /)]
  if (isOnServer(storage)) {
    await change(storage, (db) => db.deleteFrom('secret').where('name', '=', 'signature_key').execute())
    expect(await keys()).toEqual(missing)
    return
  }
  const file = join(storage.dataDir, 'signature.key')
  await chmod(file, 0o644)
  expect(await keys()).toEqual([expect.stringMatching(/^problem: Other users .* Run: chmod 600 .*signature\.key$/)])
  await chmod(file, 0o600)
  await writeFile(file, 'no key\n')
  expect(await keys()).toEqual([expect.stringMatching(/^problem: .* does not contain a key of 64 hex digits\. /)])
  await rm(file)
  expect(await keys()).toEqual(missing)
})

test('unencrypted backups in a bucket are a warning', async () => {
  await using storage = await stoppedSummit()
  await using s3 = await startInMemoryS3()
  expect(await runCheck('keys', { ...storage.settings, BACKUP_TO: s3.url })).toEqual([
    expect.stringMatching(/^warning: Backups go to a bucket and are not encrypted\. Set BACKUP_KEY /),
  ])
})

test('no backups, and backups that are lost together with the data, are warnings', async () => {
  await using storage = await createTestStorage()
  await using folder = await createTemporaryFolder()
  expect(await runCheck('backups', storage.settings)).toEqual([
    expect.stringMatching(/^warning: BACKUP_TO is not set, /),
  ])
  for (const [BACKUP_TO, where] of [
    [join(storage.dataDir, 'backups'), 'is in DATA_DIR'],
    [folder.path, 'is on the file system of DATA_DIR'],
  ] as const)
    expect(await runCheck('backups', { ...storage.settings, BACKUP_TO })).toEqual([
      expect.stringContaining(`warning: BACKUP_TO, ${BACKUP_TO}, ${where}, and is lost together with it.`),
      expect.stringMatching(/^warning: There is no backup in .* To make one: npm run summit -- backup$/),
    ])
  expect(await readdir(folder.path)).toEqual([])
})

test('a clock that differs from that of PUBLIC_URL or of the database server is a warning, and one that is not set a problem', async () => {
  await using storage = await createTestStorage()
  await using other = await startHttpServer((_, response) =>
    response.setHeader('Date', new Date(Date.now() - 10_000).toUTCString()).end(),
  )
  const clock = (settings = {}) => runCheck('clock', { ...storage.settings, ...settings })
  expect(await clock({ PUBLIC_URL: other.url })).toEqual([
    expect.stringMatching(/^warning: The clock of this machine is (9|10|11) s ahead of that of PUBLIC_URL\. /),
  ])
  const now = Date.now()
  using spy = vi.spyOn(Date, 'now').mockReturnValue(now - 60_000)
  if (isOnServer(storage))
    expect(await clock()).toEqual([expect.stringMatching(/^warning: .* \d+ s behind that of the database server\. /)])
  spy.mockReturnValue(0)
  expect(await clock()).toEqual([expect.stringMatching(/^problem: This machine believes that it is 1970-01-01T/)])
})

test('a PUBLIC_URL that leads elsewhere is a problem, and one that cannot be reached a warning', async () => {
  await using t = await startTestApp()
  await using another = await startTestApp()
  await using redirect = await startHttpServer((_, response) =>
    response.writeHead(301, { location: 'https://summit.example/' }).end(),
  )
  await using notFound = await startHttpServer((_, response) => response.writeHead(404).end('nothing here'))
  await using login = await startHttpServer((_, response) => response.writeHead(401).end())
  await using renaming = await startProxy(t, `foreign.example:${portOf(t)}`)
  for (const [PUBLIC_URL, expected] of [
    [another.url, /^problem: .* leads to another summit: /],
    [redirect.url, /^problem: .* redirects to https:\/\/summit\.example\/\. Set PUBLIC_URL /],
    [notFound.url, /^problem: .* responds with 404 and not as a summit does\. /],
    [login.url, /^warning: .* responds with 401 to this machine, /],
    [renaming.url, /^problem: The proxy of .* replaces Host by a foreign name\. /],
    [unused, /^warning: .* cannot be reached from this machine: /],
  ] as const) {
    const settings = { ...t.settings, PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' }
    expect(await runCheck('proxy', settings)).toEqual([expect.stringMatching(expected)])
  }
})

test('a proxy that is not trusted is a warning', async () => {
  await using t = await startTestApp()
  await using proxy = await startProxy(t)
  const proxies = (PUBLIC_URL: string) => runCheck('proxy', { ...t.settings, PORT: portOf(t), PUBLIC_URL })
  expect(await proxies(proxy.url)).toEqual([expect.stringMatching(/^warning: TRUSTED_PROXIES is not set, /)])
  expect(await proxies(t.url)).toEqual([`ok: ${t.url} leads to this summit`])
})

test('another program or another summit on the port is a problem', async () => {
  await using storage = await stoppedSummit()
  await using program = await startHttpServer((_, response) => response.end('hello'))
  await using another = await startTestApp()
  const server = (PORT: string) => runCheck('server', { ...storage.settings, PORT })
  expect(await server(portOf(program))).toEqual([
    `problem: Port ${portOf(program)} is already in use. Set PORT to another one.`,
  ])
  expect(await server(portOf(another))).toEqual([
    expect.stringMatching(/^problem: The server on port \d+ works on another summit\. /),
  ])
})

test('pictures that cannot be drawn are a problem', async () => {
  await using storage = await createTestStorage()
  const { code, out } = await runSummit(['doctor'], {
    ...storage.settings,
    PORT: '0',
    NODE_OPTIONS: `--import=${withoutSharp}`,
  })
  expect(code).toBe(1)
  expect(out).toMatch(/^problem +images +Pictures cannot be drawn here: .* install Summit on this machine, /m)
})

test('the metadata of an identity provider is read', async () => {
  await using storage = await stoppedSummit()
  using _ = trustTestCertificate()
  const provider = await startProvider()
  const oidc = (ACCESS: string) =>
    runCheck('oidc', { ...storage.settings, ...provider.settings, ACCESS, PUBLIC_URL: publicUrl })
  expect(await oidc('members')).toEqual([`ok: ${provider.issuer} (OIDC_ISSUER) can be used`])
  expect(await oidc('open')).toEqual([expect.stringMatching(/^warning: OIDC_ISSUER has no effect/)])
  await provider[Symbol.asyncDispose]()
  expect(await oidc('members')).toEqual([
    expect.stringMatching(/^problem: .* \(OIDC_ISSUER\) cannot be used: .*localhost:\d+ cannot be reached/),
  ])
})

test('a mail server is asked to accept the login, and gets no mail', async () => {
  await using storage = await stoppedSummit()
  await using server = await startMailServer({
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === 's3cret' ? done(null, { user: 'summit' }) : done(new Error('no')),
  })
  const mail = (SMTP_URL: string, MAIL_FROM = 'summit@x.example') =>
    runCheck('mail', { ...storage.settings, SMTP_URL, MAIL_FROM })
  const at = `localhost:${server.port}`
  expect(await mail(`smtp://summit:s3cret@${at}`)).toEqual([`ok: ${at} (SMTP_URL) accepts the login`])
  expect(await mail(`smtp://${at}`)).toEqual([`ok: ${at} (SMTP_URL) responds`])
  expect(await mail(`smtp://summit:wr0ng@${at}`)).toEqual([
    expect.stringMatching(
      /^problem: The mail server localhost:\d+ \(SMTP_URL\) refuses the user or the password \(535/,
    ),
  ])
  expect(await mail('log')).toEqual([expect.stringMatching(/^warning: SMTP_URL is log, /)])
  expect(await mail('', '')).toEqual([])
  expect(server.received).toEqual([])
})
