import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type DocumentedStep, documentedSteps, outputPattern } from '../documented-steps.ts'
import { createDataFolder } from '../faults/create-data-folder.ts'

// Runs the commands of "The first five minutes" in the README. In the output that it shows, … stands for any text.

const root = join(import.meta.dirname, '../..')
const node = `"${process.execPath}" --import "${root}/scripts/require-node.mjs"`

/** The commands of a section of the README, with the output that is shown below each. */
async function readSteps(section: string): Promise<DocumentedStep[]> {
  const [, text = ''] = (await readFile(join(root, 'README.md'), 'utf8')).split(`\n## ${section}\n`)
  return documentedSteps(text.split('\n## ')[0] ?? '')
}

test('the commands in the README print what it shows', async () => {
  await using folder = await createDataFolder()
  const env = { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error' }
  const [start, ...others] = await readSteps('The first five minutes')
  expect(start?.command).toBe('npm start')
  const server = spawn('/bin/sh', ['-c', `exec ${node} "${root}/src/server/main.ts"`], { cwd: folder.dir, env })
  try {
    let welcome = ''
    for await (const chunk of server.stdout.setEncoding('utf8')) {
      welcome += chunk
      if (welcome.includes('access')) break
    }
    const address = /Summit is running at (\S+)/.exec(welcome)?.[1] ?? ''
    const normalize = (text: string) =>
      text.replaceAll(address, 'http://127.0.0.1:3000').replaceAll(folder.dir, '/home/ana/summit')
    expect(`npm\n${normalize(welcome)}`.trim()).toMatch(outputPattern(start?.output ?? ''))

    for (const { command, output } of others.filter(({ command }) => !command.includes('npm start'))) {
      // Commands name their summit on standard error.
      const isCommand = command.startsWith('npm run summit')
      const adapted = command
        .replaceAll('http://127.0.0.1:3000', address)
        .replace('npm run summit --', `echo; ${node} "${root}/src/cli/main.ts"`)
      const printed = await new Promise<string>((resolve, reject) =>
        execFile('/bin/sh', ['-c', isCommand ? `${adapted} 2>&1` : adapted], { cwd: folder.dir, env }, (error, out) =>
          error ? reject(error) : resolve(out),
        ),
      )
      if (output.trim() !== '') expect(normalize(printed).trimEnd()).toMatch(outputPattern(output))
    }
  } finally {
    server.kill('SIGKILL')
    await once(server, 'close')
  }
})
