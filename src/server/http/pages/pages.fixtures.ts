import { ownPage } from '../../../../test/access/sessions.ts'
import type { TestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import { createSetupInvitation } from '../../auth/invitations.ts'

export const eva = 'eva@summit.example'

export type Headers = Record<string, string>

/** Sends a form as a browser does. */
export const submit = (t: TestApp, path: string, fields: Record<string, string> = {}, headers: Headers = {}) =>
  fetch(t.url + path, {
    method: 'POST',
    headers: { ...ownPage, ...headers },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })

export const read = (t: TestApp, path: string, headers: Headers = {}) =>
  fetch(t.url + path, { headers, redirect: 'manual' })

export const setupToken = (t: TestApp) => inCommand(t, (scope) => createSetupInvitation(scope, scope.now + 1))
