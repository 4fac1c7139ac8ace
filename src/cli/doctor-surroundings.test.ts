import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publicUrl } from '../../test/access/app-with-keys.ts'
import { startProvider } from '../../test/access/identity-provider.ts'
import { createTestStorage, startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { freePort } from '../../test/free-port.ts'
import { startInMemoryS3 } from '../../test/in-memory-s3.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'
import { trustTestCertificate } from '../../test/tls.ts'
import { readConfig } from '../server/config/config.ts'
import { findSummitId } from '../server/lifecycle/start/summit-id.ts'
import { olderSummit, run } from '../server/lifecycle/upgrade.fixtures.ts'
import { change, isOnServer, portOf, runCheck, startHttpServer, startProxy, stoppedSummit } from './doctor.fixtures.ts'

// The checks of `summit doctor` of files, keys, audit, backups, clock, proxy, server and images.

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

test('the seal of the change log is said to prove nothing where its key is in DATA_DIR', async () => {
  await using storage = await stoppedSummit()
  const audit = (settings = {}) => runCheck('audit', { ...storage.settings, ...settings })
  const sealed = await audit({ AUDIT_KEY: 'a1'.repeat(32) })
  expect(sealed).toEqual([
    expect.stringMatching(/^ok: .* AUDIT_KEY, without which nobody can seal an altered change; heads/),
  ])
  const missing = [expect.stringMatching(/^warning: There is no key for the change log, so it is not sealed\. Set /)]
  if (isOnServer(storage)) expect(await audit()).toEqual(missing)
  await writeFile(join(storage.dataDir, 'audit.key'), `${'b2'.repeat(32)}\n`, { mode: 0o600 })
  expect(await audit()).toEqual([expect.stringMatching(/^ok: .* audit\.key in DATA_DIR, which proves nothing against/)])
  await rm(join(storage.dataDir, 'audit.key'))
  expect(await audit()).toEqual(missing)
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

test('a trusted proxy without PUBLIC_URL is a warning', async () => {
  await using storage = await createTestStorage()
  expect(await runCheck('proxy', { ...storage.settings, TRUSTED_PROXIES: '127.0.0.1' })).toEqual([
    'warning: TRUSTED_PROXIES is set, so there is a proxy, but PUBLIC_URL is not: links in responses begin with the Host that ' +
      'a client sends. Set PUBLIC_URL to the base URL that clients use.',
  ])
})

test('a proxy that is not trusted is a warning', async () => {
  await using t = await startTestApp()
  await using proxy = await startProxy(t)
  const proxies = (PUBLIC_URL: string) => runCheck('proxy', { ...t.settings, PORT: portOf(t), PUBLIC_URL })
  expect(await proxies(proxy.url)).toEqual([expect.stringMatching(/^warning: TRUSTED_PROXIES is not set, /)])
  expect(await proxies(t.url)).toEqual([`ok: ${t.url} leads to this summit`])
  // Nor does it matter whether the proxy can be reached, or which others are trusted.
  const settings = { ...t.settings, PORT: portOf(t), PUBLIC_URL: 'http://127.0.0.1:9', TRUSTED_PROXIES: '10.0.0.1' }
  expect(await runCheck('proxy', settings)).toEqual([
    expect.stringMatching(/^warning: .* cannot be reached /),
    expect.stringMatching(/^warning: TRUSTED_PROXIES does not contain 127\.0\.0\.1, /),
  ])
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
    expect.stringMatching(/^problem: The server on port \d+ serves a different summit\. /),
  ])
})

test('a server of another version that serves this summit is not a different one', async () => {
  await using storage = await olderSummit()
  const { config } = readConfig(storage.settings)
  const summit = await run(storage, (db) => findSummitId(config, db))
  expect(summit).toBeDefined()
  await using server = await startHttpServer((_, response) => response.end(JSON.stringify({ status: 'ok', summit })))
  const settings = { ...storage.settings, PORT: portOf(server) }
  expect(await runCheck('server', settings)).toEqual([`ok: running on port ${portOf(server)}`])
  const { about } = await runSummitInProcess(['export', 'topics'], settings)
  expect(about).toContain('Summit: ')
  expect(about).not.toContain('WARNING')
})

test('a server on another port than that of the settings is found', async () => {
  await using t = await startTestApp()
  const port = String(await freePort())
  // Any number of servers may use one that is not in a folder.
  if (isOnServer(t)) return
  expect(await runCheck('server', { ...t.settings, PORT: port })).toEqual([
    `warning: A server uses DATA_DIR, but no summit responds on port ${port}. Give this command the PORT of the server.`,
  ])
})

test('a summit without a server, and a new one, are said to be stopped', async () => {
  await using storage = await stoppedSummit()
  await using folder = await createTemporaryFolder()
  const port = String(await freePort())
  if (isOnServer(storage)) return
  for (const settings of [storage.settings, { DATA_DIR: folder.path }])
    expect(await runCheck('server', { ...settings, PORT: port })).toEqual([`ok: not running; port ${port} is free`])
  expect(await readdir(folder.path)).toEqual([])
})

test('the metadata of an identity provider is read', async () => {
  await using storage = await stoppedSummit()
  using _ = trustTestCertificate()
  const provider = await startProvider()
  const oidc = (ACCESS: string, PUBLIC_URL = publicUrl) =>
    runCheck('oidc', { ...storage.settings, ...provider.settings, ACCESS, PUBLIC_URL })
  expect(await oidc('members')).toEqual([`ok: ${provider.issuer} (OIDC_ISSUER) can be used`])
  for (const url of [publicUrl, ''])
    expect(await oidc('open', url)).toEqual([`ok: ${provider.issuer} (OIDC_ISSUER) can be used`])
  expect(await oidc('open', 'http://summit.example')).toEqual([
    expect.stringMatching(/^warning: OIDC_ISSUER has no effect/),
  ])
  await provider[Symbol.asyncDispose]()
  expect(await oidc('members')).toEqual([
    expect.stringMatching(/^problem: .* \(OIDC_ISSUER\) cannot be used: .*localhost:\d+ cannot be reached/),
  ])
})
