import { test } from 'vitest'
import { setUpUnchangedExampleApp } from './example-app.ts'
import { names } from './examples.ts'
import { provocationsOf } from './provocations.ts'
import { send } from './requests.ts'
import { expectProblem } from './responses.ts'

const expectNoChange = setUpUnchangedExampleApp()

const accept = 'application/problem+json, application/json;q=0.5'

test.each(names)('%s returns a problem for every request that fails', (name) =>
  expectNoChange(async (t) => {
    for (const { reason, requests } of provocationsOf(name, new URL(t.url).port))
      for (const request of requests)
        expectProblem(await send(t, { ...request, headers: { ...request.headers, accept } }), reason)
  }),
)
