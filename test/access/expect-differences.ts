import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, afterEach, type RunnerTask } from 'vitest'
import { differences, failureOf } from './differences-at-personal-url.ts'

// A setup file: of the tests that run at a personal URL, exactly those that are listed must fail, and as listed.

const root = join(import.meta.dirname, '../..')

/** A failure of the server is never expected. A diff may list 5000 among the codes that a schema allows. */
const internalError = /\bINTERNAL\b|An unexpected error occurred|(?:expected (?:\[ )?|response_code"?: ?|^\+ )5000\b/m

const listedFor = (file: string) => differences[relative(root, file)] ?? {}

for (const file of Object.keys(differences))
  if (!existsSync(join(root, file))) throw new Error(`there is no ${file} any more: remove it from the list`)

afterEach(({ task }) => {
  const reason = listedFor(task.file.filepath)[fullName(task)]
  if (!reason) return
  const errors = task.result?.errors ?? []
  if (errors.length === 0) throw new Error('succeeds at a personal URL: remove it from the list')
  const isExpected = errors.every(({ message, diff }) => {
    const text = stripVTControlCharacters(`${message}\n${diff}`)
    return failureOf[reason].test(text) && !internalError.test(text)
  })
  if (isExpected) Object.assign(task, { fails: true })
})

// biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern for the context, which is not used.
afterAll(({}, suite) => {
  const names = new Set(testsIn(suite.file.tasks).map(fullName))
  const missing = Object.keys(listedFor(suite.file.filepath)).filter((name) => !names.has(name))
  if (missing.length > 0) throw new Error(`there is no such test any more: ${missing.join(', ')}`)
})

const testsIn = (tasks: readonly RunnerTask[]): RunnerTask[] =>
  tasks.flatMap((task) => (task.type === 'suite' ? testsIn(task.tasks) : [task]))

/** The names of its suites and its own. */
function fullName(task: RunnerTask): string {
  const names = [task.name]
  for (let { suite } = task; suite && suite !== suite.file; { suite } = suite) names.unshift(suite.name)
  return names.join(' > ')
}
