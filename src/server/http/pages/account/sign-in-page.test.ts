import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../../../../test/access/app-with-keys.ts'
import { anasAddress, codeOf, startAppWithMail } from '../../../../../test/access/codes.ts'
import { cookieOf, ownPage } from '../../../../../test/access/sessions.ts'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { inCommand } from '../../../../../test/in-command.ts'
import { createSetupInvitation } from '../../../auth/invitations.ts'

/** Sends a form as a browser does. */
const submit = (t: TestApp, path: string, fields: Record<string, string>, cookie = '') =>
  fetch(t.url + path, {
    method: 'POST',
    headers: { ...ownPage, ...(cookie && { cookie }) },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })

test('a participant signs in with two forms, which need no script', async () => {
  await using t = await startAppWithMail()
  expect(await (await fetch(`${t.url}/sign-in`)).text()).toContain('action="/sign-in/email"')
  const asked = await submit(t, '/sign-in/email', { email: anasAddress })
  expect([asked.status, asked.headers.get('location')]).toEqual([303, '/sign-in/code'])
  const browser = cookieOf(asked)
  expect(await (await fetch(`${t.url}/sign-in/code`)).text()).toContain('autocomplete="one-time-code"')
  const code = await codeOf(t, 1)

  const wrong = await submit(t, '/sign-in/code', { code: 'abc' }, browser)
  expect([wrong.status, await wrong.text()]).toEqual([403, expect.stringContaining('The code is wrong')])
  const signedIn = await submit(t, '/sign-in/code', { code }, browser)
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/'])
  const page = await fetch(`${t.url}/me`, { headers: { cookie: cookieOf(signedIn) } })
  expect(await page.text()).toContain('Ana Cruz')
})

test('a mistake in the address does not take the code of the setup link', async () => {
  await using t = await startTestApp()
  const token = await inCommand(t, (scope) => createSetupInvitation(scope, scope.now + 60_000))
  const refused = await submit(t, '/setup', { token, email: 'marta@portomakers' })
  expect(refused.status).toBe(422)
  const page = await refused.text()
  expect(page).toContain(`value="${token}"`)
  expect(page).toContain('value="marta@portomakers"')
  expect((await submit(t, '/setup', { token, email: 'marta@porto.example' })).status).toBe(303)
})

test('what follows the form is the same for an address of nobody', async () => {
  await using t = await startAppWithMail()
  const [known, unknown] = await Promise.all(
    [anasAddress, 'nobody@login.example'].map((email) => submit(t, '/sign-in/email', { email })),
  )
  const shown = (response?: Response) => [response?.status, response?.headers.get('location')]
  expect(shown(unknown)).toEqual(shown(known))
})

test('without SMTP_URL the page offers no e-mail', async () => {
  await using t = await startAppWithKeys('members')
  expect(await (await fetch(`${t.url}/sign-in`)).text()).not.toContain('mail')
  expect((await fetch(`${t.url}/sign-in/code`)).status).toBe(404)
  expect((await submit(t, '/sign-in/email', { email: anasAddress })).status).toBe(404)
})
