import { expect, test } from 'vitest'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { createTestStorage } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import { importList, members, writeInOpen } from './login-emails.ts'

// Ben prepares to become Ana: while anyone may write any profile, he writes his address in hers, and hers in his.

const ana = 1 as ParticipantId
const ben = 2 as ParticipantId

async function createSwappedProfiles() {
  const storage = await createTestStorage()
  await importList(storage, 'first name,email\nAna,ana@x.example\nBen,ben@x.example\n')
  await writeInOpen(storage, [
    { participantId: ana, email: 'mallory@x.example' },
    { participantId: ben, email: 'ana@x.example' },
  ])
  const run = (...args: string[]) => runSummitInProcess(args, { ...storage.settings, ...members })
  return { storage, run }
}

type Run = Awaited<ReturnType<typeof createSwappedProfiles>>['run']

test.each<[string, (run: Run, email: string) => ReturnType<Run>]>([
  ['an invitation', (run, email) => run('participant', 'invite', email)],
  ['a personal URL', (run, email) => run('participant', 'link', email)],
  ['a key', (run, email) => run('key', 'create', 'phone', '--participant', email)],
])(
  '%s goes to the participant who signs in with the address, not to one in whose profile it was written',
  async (_, command) => {
    const { storage, run } = await createSwappedProfiles()
    await using _storage = storage
    const { code, out } = await command(run, 'Ana@x.example')
    expect([code, out]).toEqual([0, expect.stringMatching(/participant 1\b/)])
    expect(await command(run, 'mallory@x.example')).toEqual({
      code: 1,
      out: '',
      err:
        'Nobody signs in with “mallory@x.example”. It is in the profile of participant 1 (Ana), where somebody else may have ' +
        'written it. Use the id of the participant you mean.\n',
    })
  },
)

test('nobody else is erased or signed out by an address that was written in their profile', async () => {
  const { storage, run } = await createSwappedProfiles()
  await using _ = storage
  for (const args of [
    ['sign-out', 'mallory@x.example'],
    ['forget', 'mallory@x.example', '--apply'],
  ])
    expect(await run('participant', ...args)).toMatchObject({ code: 1, out: '' })
  expect((await run('participant', 'forget', 'ana@x.example')).out).toContain('participant 1: Ana <mallory@x.example>')
})
