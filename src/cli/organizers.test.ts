import { expect, test } from 'vitest'
import { sendInvitation, signInWith } from '../../test/access/sessions.ts'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'

const membersOnly = { ACCESS: 'members', PUBLIC_URL: 'https://summit.example' }

async function startWithCommand() {
  const t = await startTestApp(membersOnly)
  // The clock of the commands, a minute later.
  t.advance(Date.now() + 60_000 - t.ctx.clock())
  return {
    t,
    run: (...args: string[]) => runSummitInProcess(['organizer', ...args], { ...t.settings, ...membersOnly }),
  }
}

const tokenIn = (out: string) => /^ {2}https:\/\/summit\.example\/sign-in#(smt_[\w-]{43})$/m.exec(out)?.[1] ?? ''

test('an operator invites an owner, who signs in with the link once, until they are removed', async () => {
  const { t, run } = await startWithCommand()
  await using _ = t
  const { code, out, err } = await run('invite', 'Eva@Summit.example', '--role', 'owner')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain('Invitation for eva@summit.example, with the roles owner:\n')
  expect(out).toContain('until 20')
  const { client } = await signInWith(t.url, tokenIn(out))
  expect((await sendInvitation(t.url, tokenIn(out))).response_code).toBe(4031)
  expect((await run('list')).out).toMatch(/^1 organizer\n {4}1 {2}eva@summit\.example {2}owner {2}since \d{4}-.*\n$/)

  expect(await run('remove', 'eva@summit.example')).toMatchObject({
    code: 1,
    err: 'A summit needs an owner: make somebody else one first.\n',
  })
  const invited = await run('invite', 'mo@summit.example', '--role', 'owner,editor')
  expect(await run('remove', 'eva@summit.example')).toMatchObject({ code: 1 })
  await signInWith(t.url, tokenIn(invited.out))
  expect(await run('remove', ' Eva@summit.example')).toMatchObject({ code: 0, err: '' })
  expect(await make.codeOf(client.call('getMe', {}))).toBe(4010)
  expect((await run('list')).out).toMatch(/^1 organizer\n {4}2 {2}mo@summit\.example {2}owner,editor /)
})

test('an organizer who is invited again has the new roles at once', async () => {
  const { t, run } = await startWithCommand()
  await using _ = t
  await run('invite', 'eva@summit.example', '--role', 'owner')
  const { client } = await signInWith(t.url, tokenIn((await run('invite', 'mo@summit.example', '--role', 'desk')).out))
  expect((await client.getMe({})).me.roles).toEqual(['desk'])
  await run('invite', 'mo@summit.example', '--role', 'reader')
  expect((await client.getMe({})).me.roles).toEqual(['reader'])
})

test.each([
  [['invite', 'nobody', '--role', 'owner'], 'email must be an e-mail address.\n'],
  [['invite', 'eva@x.org,mallory@x.org', '--role', 'owner'], 'email must be an e-mail address.\n'],
  [['invite', '<eva>@x.org', '--role', 'owner'], 'email must be an e-mail address.\n'],
  [['invite', 'a@b', '--role', 'boss'], 'There is no role “boss”: the roles are owner, '],
  [['invite', 'a@b', '--role', ','], 'roles must be roles, separated by commas.\n'],
  [['remove', 'a@b'], 'There is no organizer with the e-mail address “a@b”.\n'],
])('changes nothing with %j', async (args, message) => {
  const { t, run } = await startWithCommand()
  await using _ = t
  const { code, err } = await run(...args)
  expect([code, err]).toEqual([1, expect.stringContaining(message)])
  expect((await run('list')).out).toBe('0 organizers\n')
})

test('where ACCESS is open, the link leads to this machine without PUBLIC_URL, and signs in', async () => {
  await using t = await startTestApp()
  const invite = ['organizer', 'invite', 'eva@summit.example', '--role', 'owner']
  t.advance(Date.now() - t.ctx.clock())
  const { out } = await runSummitInProcess(invite, { ...t.settings, PORT: '3003' })
  const [, token = ''] = /^ {2}http:\/\/localhost:3003\/sign-in#(smt_[\w-]{43})$/m.exec(out) ?? []
  expect(out).toContain('It is for a server on port 3003 of this machine')
  const { client } = await signInWith(t.url, token)
  expect((await client.getMe({})).me.roles).toEqual(['owner'])
})

test.each<Record<string, string>>([
  { PUBLIC_URL: 'http://summit.example' },
  { HOST: '192.0.2.1', ACCESS: 'open' },
  { PORT: '0' },
])('there is no link to where nobody can sign in with a browser, and so no invitation: %j', async (settings) => {
  await using t = await startTestApp()
  const invite = ['organizer', 'invite', 'a@b', '--role', 'owner']
  const { code, err } = await runSummitInProcess(invite, { ...t.settings, ...settings })
  expect([code, err]).toEqual([1, 'Set PUBLIC_URL to an https URL: the link of the invitation begins with it.\n'])
})
