import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Access, type AccessMode, type Role, roles } from '../../../src/contract/access.ts'
import { type OperationName, operations, operationsIn } from '../../../src/contract/index.ts'
import type { ParticipantId } from '../../../src/server/core/ids.ts'
import { consolePages } from '../../../src/server/http/pages/console/console-pages.ts'
import { type AppWithKeys, publicUrl, withKeys } from '../../access/app-with-keys.ts'
import { signInAsOrganizer, signInAsParticipant } from '../../access/sessions.ts'
import { startTestApp } from '../../app.ts'
import * as make from '../../make.ts'
import { addConference, readPage } from '../read-page.ts'

// Who may open each page of the console, and send each of its forms: what the rules of their operations say.

type Headers = Record<string, string>

/** What somebody gets: `sign-in` leads there, `kept` is a form that can be sent again after it. */
type Outcome = 'may' | 'may not' | 'sign-in' | 'kept' | 'nothing'

/** Whether the rule of an operation is for one of these roles. */
const isFor = (access: Access, held: readonly Role[]): boolean => {
  const role = 'organizers' in access ? access.organizers : 'role' in access ? access.role : 'any'
  return role === 'any' ? held.length > 0 : held.includes(role) || held.includes('owner')
}

/** With records for the parameters: the first of each kind. */
const pathTo = (path: string): string => path.replaceAll(/:\w+/g, '1')

/** Participants sign in elsewhere, so their operations, and the pages of these, are not in open. */
const existsIn = (mode: AccessMode, names: readonly (OperationName | undefined)[]): boolean => {
  const known = new Set(operationsIn(mode).map(([name]) => name))
  return names.every((name) => name === undefined || known.has(name))
}

const pagesIn = (mode: AccessMode) => consolePages.filter(({ operation, write }) => existsIn(mode, [operation, write]))

interface Form {
  path: string
  access: Access
}
const formsIn = (mode: AccessMode): Form[] =>
  pagesIn(mode).flatMap(({ forms = [] }) =>
    forms.map(({ path, operation }) => ({ path: pathTo(path), access: operations[operation].access })),
  )

async function open(t: AppWithKeys, path: string, headers: Headers, prefix = ''): Promise<Outcome> {
  const { status, location } = await readPage(t, prefix + path, headers)
  if (location?.startsWith('/sign-in?next=')) return 'sign-in'
  return status === 200 ? 'may' : status === 403 ? 'may not' : 'nothing'
}

/** Sends a form with no field that it needs: whoever may use its operation hears what is wrong, or gets its result. */
async function send(t: AppWithKeys, { path }: Form, headers: Headers, prefix = ''): Promise<Outcome> {
  const response = await fetch(t.url + prefix + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', origin: publicUrl, 'sec-fetch-site': 'same-origin', ...headers },
    body: new URLSearchParams({ nothing: 'of this' }),
  })
  const text = await response.text()
  if (text.includes('You are signed out')) return 'kept'
  if (response.status === 403) return 'may not'
  expect(response.status, `${path} ${text}`).toBeLessThan(500)
  return prefix !== '' && response.status === 404 ? 'nothing' : 'may'
}

/** Declares the tests of a server with this `ACCESS`. */
export function declareRoleTests(access: AccessMode): void {
  describe(`in ${access}`, () => {
    const pages = pagesIn(access)
    const forms = formsIn(access)
    let t: AppWithKeys
    beforeAll(async () => {
      t = await withKeys(await startTestApp({ ACCESS: access, PUBLIC_URL: publicUrl }))
      await addConference(t)
      const { client } = await signInAsOrganizer(t, 'first@summit.example', ['owner'])
      await client.createEvent({ title: 'Small boats' })
      await client.createSpeaker({ name: 'Ana Cruz' })
    })
    afterAll(() => t[Symbol.asyncDispose]())

    test.each(roles)('a %s opens what the operations of a page allow, and sends no other form', async (role) => {
      const { headers } = await signInAsOrganizer(t, `${role}@summit.example`, [role])
      for (const { path, operation, write } of pages) {
        const needed = [operation, ...(write ? [write] : [])]
        const may = needed.every((name) => isFor(operations[name].access, [role]))
        expect([path, await open(t, pathTo(path), headers)]).toEqual([path, may ? 'may' : 'may not'])
      }
      for (const form of forms.filter(({ access }) => !isFor(access, [role])))
        expect([form.path, await send(t, form, headers)]).toEqual([form.path, 'may not'])
    })

    test.each(roles)('the pages of a %s lead to no page and have no form that the role may not use', async (role) => {
      const { headers } = await signInAsOrganizer(t, `links-${role}@summit.example`, [role])
      for (const { path } of pages) {
        const { status, text } = await readPage(t, pathTo(path), headers)
        if (status !== 200) continue
        for (const [, link = ''] of text.matchAll(/href="(\/console[^"#?]*)/g))
          expect([path, link, await open(t, link, headers)]).toEqual([path, link, 'may'])
        for (const [, action = ''] of text.matchAll(/(?:form)?action="(\/console[^"#?]*)"/g)) {
          const form = forms.find((other) => other.path === action)
          if (form) expect([path, action, isFor(form.access, [role])]).toEqual([path, action, true])
        }
      }
    })

    /** Opens each page and sends each form as somebody for whom they are not. */
    async function expectEach(expected: { page: Outcome; form: Outcome }, headers: Headers, prefix = '') {
      for (const { path } of pages)
        expect([path, await open(t, pathTo(path), headers, prefix)]).toEqual([path, expected.page])
      for (const form of forms)
        expect([form.path, await send(t, form, headers, prefix)]).toEqual([form.path, expected.form])
    }

    test('visitors are led to the sign-in, and what they send is kept', async () => {
      await expectEach({ page: 'sign-in', form: 'kept' }, {})
    })

    test('no secret URL leads to the console', async () => {
      for (const { prefix } of [await t.issuePersonalUrl(t.ana.participant), await t.issueAppUrl('change')])
        await expectEach({ page: 'nothing', form: 'nothing' }, {}, prefix)
    })

    test.skipIf(access === 'open')('participants see nothing of the console, with a session or a key', async () => {
      const id = (await make.participant(t, { email: 'dan@summit.example' })) as ParticipantId
      const { headers } = await signInAsParticipant(t, id)
      for (const one of [headers, t.ana.headers]) await expectEach({ page: 'may not', form: 'may not' }, one)
    })
  })
}
