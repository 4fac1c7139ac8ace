import fc from 'fast-check'
import { expect } from 'vitest'
import { startOtherServer, startTestApp } from '../../../test/app.ts'
import {
  examples,
  kindOf,
  type Members,
  operationOf,
  type ReadName,
  reads,
  schemasOf,
} from '../../../test/contract/examples.ts'
import { verify } from '../../client/verify.ts'
import { pathOf } from '../../contract/operation.ts'
import { addRecords, step, writes } from './random-writes.fixtures.ts'

const signatureKey = '5a'.repeat(32)

/** The compared requests of a cached read: several pages of everything, and the records with the first ids. */
function inputsOf(name: ReadName): Members[] {
  const { params = {} } = examples[name]
  const id = Object.entries(schemasOf(operationOf(name).params)).find(([, schema]) => kindOf(schema))?.[0]
  if (id !== undefined) return [1, 2, 3, 4].map((value) => ({ ...params, [id]: value }))
  if (!('offset' in params)) return [{ ...params, ...flagsOf(name) }, params]
  const pages = [
    { offset: 0, limit: 2 },
    { offset: 1, limit: 2 },
  ]
  return [params, ...pages.map((page) => ({ ...params, ...page }))]
}

/** The parameters of its query that add something to the response. */
const flagsOf = (name: ReadName): Members =>
  Object.fromEntries(Object.keys(schemasOf(operationOf(name).query)).map((flag) => [flag, true]))

/** The paths of each read, at most this many. */
export const pathsOf = (ofEach = Number.POSITIVE_INFINITY): string[] =>
  reads
    .filter((name) => operationOf(name).data && !operationOf(name).uncached)
    .flatMap((name) =>
      inputsOf(name)
        .slice(0, ofEach)
        .map((input) => pathOf(operationOf(name), input)),
    )
const paths = pathsOf()

const fetchText = async (url: string, path: string) =>
  (await fetch(url + path, { headers: { host: 'summit.test' } })).text()
/** The data of a response, without the parts that differ between servers and requests. */
const dataOf = (responseText: string, url: string) => {
  const [{ response_code, data }] = JSON.parse(responseText.replaceAll(url, ''))
  return response_code === 1000 ? data : response_code
}

/** Starts two servers with a cache and one without, all on the same data. */
export async function startServers() {
  await using stack = new AsyncDisposableStack()
  const t = stack.use(await startTestApp({ SIGNATURE_KEY: signatureKey }))
  await addRecords(t)
  const one = stack.use(await startOtherServer(t))
  const other = stack.use(await startOtherServer(t))
  const uncached = stack.use(await startOtherServer(t, { pageCacheBytes: 0 }))
  const disposal = stack.move()
  return {
    t,
    one,
    other,
    /** Reads these paths, 700 ms after the last time, so that the second usually changes but not always. */
    async expectExact(compared = paths) {
      t.advance(700)
      const expectPath = async (path: string) => {
        const urls = [one.url, other.url]
        const [expected, ...texts] = await Promise.all([uncached.url, ...urls].map((url) => fetchText(url, path)))
        for (const [index, text] of texts.entries()) {
          expect(dataOf(text, urls[index] ?? ''), path).toEqual(dataOf(expected ?? '', uncached.url))
          expect(JSON.parse(text)[0].system.created_at).toBe(t.ctx.timestamp(t.ctx.clock()))
          expect(await verify(text, signatureKey)).toBe(true)
        }
      }
      await Promise.all(compared.map(expectPath))
    },
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  }
}

export interface Sequences {
  /** Batches of concurrent writes. */
  batches: { minLength: number; maxLength: number }
  numRuns: number
}

/** Executes random sequences of concurrent writes on both servers, and compares every response after each batch. */
export async function expectExactAfterAnyWrites({ batches, numRuns }: Sequences): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), batches), async (sequence) => {
      await using all = await startServers()
      for (const batch of sequence) {
        const reading = paths.slice(0, 3).map((path) => fetchText(all.one.url, path))
        await Promise.all(batch.map((step) => writes[step.kind]((step.via ? all.one : all.other).client, step, all.t)))
        await Promise.all(reading)
        await all.expectExact()
      }
    }),
    // No shrinking on failure: it would take minutes, and the printed seed replays the run.
    { numRuns, endOnFailure: true },
  )
}
