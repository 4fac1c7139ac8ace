import { rm } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { createTestStorage, startTestApp } from '../../test/app.ts'
import { runSummit } from '../../test/command.ts'
import { startRefusingS3 } from '../../test/fake-s3.ts'
import { startMailServer } from '../../test/mail-server.ts'
import * as make from '../../test/make.ts'
import { withoutSharp } from '../../test/without-sharp.ts'
import {
  isOnServer,
  portOf,
  runCheck,
  runDoctor,
  startHttpServer,
  startProxy,
  stoppedSummit,
} from './doctor.fixtures.ts'

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

test('a clock that differs from that of PUBLIC_URL or of the database server is a warning, and one that is not set a problem', async () => {
  await using storage = await createTestStorage()
  const now = Date.now()
  using spy = vi.spyOn(Date, 'now').mockReturnValue(now)
  await using other = await startHttpServer((_, response) =>
    response.setHeader('Date', new Date(now - 10_000).toUTCString()).end(),
  )
  const clock = (settings = {}) => runCheck('clock', { ...storage.settings, ...settings })
  expect(await clock({ PUBLIC_URL: other.url })).toContainEqual(
    expect.stringMatching(/^warning: The clock of this machine is 10 s ahead of that of PUBLIC_URL\. /),
  )
  spy.mockReturnValue(now - 60_000)
  if (isOnServer(storage))
    expect(await clock()).toEqual([expect.stringMatching(/^warning: .* \d+ s behind that of the database server\. /)])
  spy.mockReturnValue(0)
  expect(await clock()).toEqual([
    expect.stringMatching(/^problem: The clock of this machine is wrong: it says 1970-01-01T/),
  ])
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
    [another.url, /^problem: .* leads to a different summit: /],
    [redirect.url, /^problem: .* redirects to https:\/\/summit\.example\/\. Set PUBLIC_URL /],
    [notFound.url, /^problem: .* responds with 404, but not as a summit does\. /],
    [login.url, /^warning: .* responds with 401 to this machine, /],
    [renaming.url, /^problem: The proxy of .* replaces Host with a foreign name\. /],
    [unused, /^warning: .* cannot be reached from this machine: /],
  ] as const) {
    const settings = { ...t.settings, PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' }
    expect(await runCheck('proxy', settings)).toEqual([expect.stringMatching(expected)])
  }
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
