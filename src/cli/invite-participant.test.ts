import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import decodeQrCode from 'jsqr'
import { expect, test } from 'vitest'
import { setLogin } from '../../test/access/codes.ts'
import { signInWith } from '../../test/access/sessions.ts'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { createDataFolder } from '../../test/faults/create-data-folder.ts'
import { noSmallDisk, SmallDisk } from '../../test/faults/small-disk.ts'
import { inCommand } from '../../test/in-command.ts'
import * as make from '../../test/make.ts'
import { createKey } from '../server/auth/keys.ts'
import type { ParticipantId } from '../server/core/ids.ts'

const membersOnly = { ACCESS: 'members', PUBLIC_URL: 'https://summit.example' }

async function startWithCommand(settings: Record<string, string> = {}) {
  const t = await startTestApp({ ...membersOnly, ...settings })
  // The clock of the commands.
  t.advance(Date.now() - t.ctx.clock())
  await setLogin(t, (await make.participant(t)) as ParticipantId, 'ana@summit.example')
  const run = (...args: string[]) =>
    runSummitInProcess(['participant', 'invite', ...args], { ...t.settings, ...membersOnly, ...settings })
  return { t, run }
}

/** Commands that write files into a folder. */
async function startWithFolder(settings: Record<string, string> = {}) {
  await using stack = new AsyncDisposableStack()
  const { t, run } = await startWithCommand(settings)
  stack.use(t)
  const { dir } = stack.use(await createDataFolder())
  const path = (name: string) => join(dir, name)
  const disposal = stack.move()
  return {
    ...{ t, run, path },
    inviteAll: (name: string, ...args: string[]) => run('--all', '--out', path(name), ...args),
    /** The rows of a CSV file without its header. */
    rowsIn: (name: string): string[][] => parse(readFileSync(path(name), 'utf8'), { bom: true, from: 2 }),
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  }
}

const linkIn = (out: string) => /^ {2}(https:\/\/summit\.example\/sign-in#smt_[\w-]{43})$/m.exec(out)?.[1] ?? ''

/** Reads a QR code as a phone would, with four pixels for each module. */
function scanModules(rows: boolean[][]): string | undefined {
  const scale = 4
  const width = (rows[0]?.length ?? 0) * scale
  const pixels = rows.flatMap((row) =>
    Array(scale)
      .fill(row.flatMap((isBlack) => Array(scale).fill(isBlack)))
      .flat(),
  )
  const rgba = Uint8ClampedArray.from(pixels.flatMap((isBlack) => [...Array(3).fill(isBlack ? 0 : 255), 255]))
  return decodeQrCode.default(rgba, width, pixels.length / width)?.data
}

/** Reads the QR code in the output of a command. */
function scan(out: string): string | undefined {
  const lines = out.split('\n').flatMap((line) => line.split('\u001B[30;107m')[1]?.split('\u001B[0m')[0] ?? [])
  return scanModules(
    lines.flatMap((line) => [
      Array.from(line, (character) => '█▀'.includes(character)),
      Array.from(line, (character) => '█▄'.includes(character)),
    ]),
  )
}

/** Reads the QR codes of a page. */
const scanPage = (page: string) =>
  Array.from(page.matchAll(/<svg [^>]*viewBox="0 0 (\d+) \1">.*?<path [^>]*d="([^"]*)"/g), ([, size, path = '']) => {
    const black = new Set(path.match(/(?<=M)\d+,\d+(?=h1v1)/g))
    const modules = Array.from({ length: Number(size) }, (_, index) => index)
    return scanModules(modules.map((y) => modules.map((x) => black.has(`${x},${y}`))))
  })

test('a participant scans the QR code of an invitation, and signs in with the link once', async () => {
  const { t, run } = await startWithCommand()
  await using _ = t
  const { code, out, err } = await run('Ana@summit.example', '--qr')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain('Invitation for Ana Cruz, participant 1:\n')
  expect(scan(out)).toBe(linkIn(out))
  const { client } = await signInWith(t.url, new URL(linkIn(out)).hash.slice(1))
  expect((await client.getMe({})).me.login_email).toBe('ana@summit.example')
})

test('without a terminal there is no QR code unless it is asked for', async () => {
  const { t, run } = await startWithCommand()
  await using _ = t
  const { out } = await run('1')
  expect(linkIn(out)).not.toBe('')
  expect(out).not.toMatch(/[█▀▄]/)
})

test.each([
  ['7', 'There is no participant 7.'],
  [
    'nobody@summit.example',
    '“nobody@summit.example” is neither the id of a participant nor the address with which one signs in.',
  ],
])('nobody is invited as %s', async (who, message) => {
  const { t, run } = await startWithCommand()
  await using _ = t
  const { code, err } = await run(who)
  expect([code, err]).toEqual([1, expect.stringContaining(message)])
  expect(await t.ctx.database.read.selectFrom('credential').selectAll().execute()).toEqual([])
})

test('without PUBLIC_URL there is no link, and so no invitation', async () => {
  await using t = await startTestApp()
  await make.participant(t)
  const { code, err } = await runSummitInProcess(['participant', 'invite', '1'], t.settings)
  expect([code, err]).toEqual([1, 'Set PUBLIC_URL: the link of the invitation begins with it.\n'])
})

test('everybody who cannot sign in gets a link in a table, and the next run is only for others', async () => {
  await using s = await startWithFolder()
  const { t, inviteAll } = s
  const abel = await make.participant(t, { first_name: '=HYPERLINK("x")', last_name: 'Abel' })
  const bo = (await make.participant(t, { first_name: 'Bo', last_name: 'Diaz' })) as ParticipantId
  await inCommand(t, (scope) => createKey(scope, { label: 'app', participant: bo, roles: [], expiresAt: 0 }))
  const { code, out, err } = await inviteAll('links.csv')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain('2 invitations: ')
  expect(out).toContain('Left out: 1 who have a session, a key or a secret URL.\n')
  expect(statSync(s.path('links.csv')).mode & 0o777).toBe(0o600)
  const rows = s.rowsIn('links.csv')
  expect(rows.map(([id, name, email]) => [id, name, email])).toEqual([
    [String(abel), `'=HYPERLINK("x") Abel`, ''],
    ['1', 'Ana Cruz', 'ana@summit.example'],
  ])
  const signIn = (link = '') => signInWith(t.url, new URL(link).hash.slice(1))
  const { client } = await signIn(rows[0]?.[3])
  expect((await client.getMe({})).me.participant?.id).toBe(String(abel))

  const late = await make.participant(t, { last_name: 'Late' })
  const second = await inviteAll('more.csv')
  expect(second.out).toContain('Left out: 2 who have a session')
  expect(second.out).toContain('Left out: 1 who have a link that they have not used; --replace gives them a new one.\n')
  expect(s.rowsIn('more.csv').map(([id]) => id)).toEqual([String(late)])
  // The links of the first run stay valid.
  await signIn(rows[1]?.[3])
})

test('a link that was not used ends when a new one replaces it', async () => {
  await using s = await startWithFolder()
  await s.inviteAll('lost.csv')
  const none = await s.inviteAll('none.csv')
  expect(none).toMatchObject({ code: 0, out: expect.stringContaining('nobody to invite, so no file was written') })
  expect(existsSync(s.path('none.csv'))).toBe(false)
  expect(await s.inviteAll('links.csv', '--replace')).toMatchObject({ code: 0, err: '' })
  const [lost, link] = ['lost.csv', 'links.csv'].map((name) => s.rowsIn(name)[0]?.[3] ?? '')
  await expect(signInWith(s.t.url, new URL(lost ?? '').hash.slice(1))).rejects.toThrow()
  await signInWith(s.t.url, new URL(link ?? '').hash.slice(1))
  const log = await s.t.ctx.database.read.selectFrom('change').select(['kind', 'request_id']).orderBy('id').execute()
  expect(log.filter(({ request_id }) => request_id === 'participant invite').map(({ kind }) => kind)).toEqual([
    'credential.created',
    'credential.revoked',
    'credential.created',
  ])
})

test('where codes are sent by e-mail, only those without an address get a link', async () => {
  await using s = await startWithFolder({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'summit@summit.example' })
  const ben = await make.participant(s.t, { first_name: 'Ben' })
  expect((await s.inviteAll('links.csv')).out).toContain('Left out: 1 who get codes by e-mail.\n')
  expect(s.rowsIn('links.csv').map(([id]) => id)).toEqual([String(ben)])
})

test('participants scan the QR codes of a sheet, on which no name is markup', async () => {
  await using s = await startWithFolder()
  await make.participant(s.t, { first_name: '<script>alert(1)</script>', last_name: '"&\'' })
  expect(await s.inviteAll('sheet.HTML')).toMatchObject({ code: 0, err: '' })
  await s.inviteAll('table', '--format', 'csv', '--replace')
  const page = readFileSync(s.path('sheet.HTML'), 'utf8')
  const links = Array.from(page.matchAll(/<p class="link">(.*?)<\/p>/g), ([, link]) => link)
  expect(links).toHaveLength(2)
  expect(scanPage(page)).toEqual(links)
  expect(page).toContain('<h2 dir="auto">&#60;script&#62;alert(1)&#60;/script&#62; &#34;&#38;&#39;</h2>')
  expect(page).toContain('<h2 dir="auto">Ana Cruz</h2>')
  expect(s.rowsIn('table')).toHaveLength(2)
})

test.each([
  [['--all'], '--all needs a new file for the links: --out links.csv, or links.html.'],
  [['--all', '--out', 'links.txt'], 'links.txt ends in neither .csv nor .html. Add --format csv or --format html.'],
  [['--all', '1', '--out', 'x.csv'], 'Give either the id or sign-in address of a participant, or --all.'],
  [[], 'Give either the id or sign-in address of a participant, or --all.'],
  [['1', '--out', 'x.csv'], '--out, --format and --replace are for --all.'],
  [['--all', '--qr'], '--qr is for one participant. For a sheet of QR codes: --all --out links.html'],
])('participant invite %j says what is missing', async (args, message) => {
  expect(await runSummitInProcess(['participant', 'invite', ...args], membersOnly)).toEqual({
    ...{ code: 1, out: '', err: `${message}\n` },
  })
})

test('nobody is invited if the file exists, or if nobody signs in', async () => {
  await using s = await startWithFolder()
  const out = s.path('links.csv')
  writeFileSync(out, 'mine')
  expect(await s.inviteAll('links.csv')).toMatchObject({
    ...{ code: 1, err: `Cannot write ${out}: it already exists; choose a new name.\n` },
  })
  const open = { ...s.t.settings, ACCESS: 'open' }
  expect(await runSummitInProcess(['participant', 'invite', '--all', '--out', s.path('x.csv')], open)).toMatchObject({
    err: 'With ACCESS=open no participant signs in, so nobody needs a link. Set ACCESS=public or members.\n',
  })
  expect(readFileSync(out, 'utf8')).toBe('mine')
  expect(await s.t.ctx.database.read.selectFrom('credential').selectAll().execute()).toEqual([])
})

test.skipIf(noSmallDisk)('links that a full disk loses can be replaced', async () => {
  await using s = await startWithFolder()
  using disk = new SmallDisk()
  const out = join(disk.dir, 'links.csv')
  const inviteAll = (...args: string[]) => s.run('--all', '--out', out, ...args)
  disk.fillUp()
  const { code, err } = await inviteAll()
  expect(code).toBe(1)
  expect(err).toMatch(/^The new links are lost\. To replace them: .* participant invite --all --replace --out FILE\n/)
  expect(err).toContain(`Cannot write ${out}: the disk is full.\n`)
  disk.freeSpace()
  expect((await inviteAll('--replace')).out).toContain('1 invitation: ')
})
