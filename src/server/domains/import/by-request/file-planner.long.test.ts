import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../../test/temporary-folder.ts'
import { defaultLimits } from '../../../../contract/limits.ts'
import { emptyProgram } from '../program/stored-program.ts'
import { FilePlanner } from './file-planner.ts'
import type { ProgramJob } from './plan-program.ts'

async function createJob(text: string) {
  const folder = await createTemporaryFolder()
  const path = join(folder.path, 'program.csv')
  await writeFile(path, text)
  const job: ProgramJob = {
    kind: 'program',
    ...{ path, name: 'program.csv', encoding: undefined, choices: {}, source: 'program', scope: {} },
    ...{ limits: defaultLimits, stored: emptyProgram },
  }
  return { prepare: async () => job, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

const program = 'title,start\nOpening,2030-05-02 09:00'
const noSpreadsheet = async () => ''

test('a file that takes too long or too much memory is refused, and the next one is planned', async () => {
  await using large = await createJob(`[${'[[],[]],'.repeat(2_000_000)}1]`)
  await using small = await createJob(program)
  const hasty = new FilePlanner({ limitMs: 100 })
  expect(await hasty.plan(large.prepare, noSpreadsheet)).toMatchObject({
    rejected: [{ message: 'It takes too long to read.' }],
  })
  await hasty.close()
  const frugal = new FilePlanner({ mebibytes: 60 })
  expect(await frugal.plan(large.prepare, noSpreadsheet)).toMatchObject({
    rejected: [{ message: 'It takes too much memory to read.' }],
  })
  expect(await frugal.plan(small.prepare, noSpreadsheet)).toMatchObject({ shown: { counts: { new: 1 } } })
  await frugal.close()
})

test('files are planned one after the other, four at most wait, and a process that has ended is replaced', async () => {
  await using small = await createJob(program)
  const planner = new FilePlanner({ idleMs: 0 })
  let preparing = 0
  const plan = () =>
    planner.plan(async () => {
      expect(++preparing).toBe(1)
      const job = await small.prepare()
      preparing--
      return job
    }, noSpreadsheet)
  const plans = await Promise.allSettled(Array.from({ length: 5 }, plan))
  expect(plans.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
  expect(plans.at(-1)).toMatchObject({ reason: { reason: 'UNAVAILABLE', retryAfterSeconds: 10 } })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await plan()).toMatchObject({ shown: { counts: { new: 1 } } })
  await planner.close()
})
