import decodeQrCode from 'jsqr'
import { expect, test } from 'vitest'
import { setLogin } from '../../test/access/codes.ts'
import { signInWith } from '../../test/access/sessions.ts'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import type { ParticipantId } from '../server/core/ids.ts'

const membersOnly = { ACCESS: 'members', PUBLIC_URL: 'https://summit.example' }

async function startWithCommand() {
  const t = await startTestApp(membersOnly)
  // The clock of the commands.
  t.advance(Date.now() - t.ctx.clock())
  await setLogin(t, (await make.participant(t)) as ParticipantId, 'ana@summit.example')
  const run = (...args: string[]) =>
    runSummitInProcess(['participant', 'invite', ...args], { ...t.settings, ...membersOnly })
  return { t, run }
}

const linkIn = (out: string) => /^ {2}(https:\/\/summit\.example\/sign-in#smt_[\w-]{43})$/m.exec(out)?.[1] ?? ''

/** Reads the QR code in the output of a command, as a phone would from the terminal: four pixels for each module. */
function scan(out: string): string | undefined {
  const lines = out.split('\n').flatMap((line) => line.split('\u001B[30;107m')[1]?.split('\u001B[0m')[0] ?? [])
  const rows = lines.flatMap((line) => [
    Array.from(line, (character) => '█▀'.includes(character)),
    Array.from(line, (character) => '█▄'.includes(character)),
  ])
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
