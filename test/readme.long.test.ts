import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './faults/temporary-folder.ts'

// Whoever follows "The first five minutes" of the README sees what it shows. In what is shown, … stands for anything.

const root = join(import.meta.dirname, '..')
const node = `"${process.execPath}" --import "${root}/scripts/require-node.mjs"`

interface Step {
  command: string
  shown: string
}

/** The commands of the README's section, in their order, each with the output that is shown below it. */
async function steps(section: string): Promise<Step[]> {
  const [, text = ''] = (await readFile(join(root, 'README.md'), 'utf8')).split(`\n## ${section}\n`)
  const blocks = [...(text.split('\n## ')[0] ?? '').matchAll(/^```\n(.*?)^```$/gms)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [, command = '', shown = ''] = /^(.*?<<'END'\n.*?\nEND|[^\n]*)\n(.*)$/s.exec(step) ?? []
        return { command, shown }
      }),
  )
}

/** What was printed may go on where the README stops with … at the end. */
const likeShown = (shown: string) =>
  new RegExp(
    `^${shown
      .trim()
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^]*?')}$`,
  )

test('the first five minutes are as the README tells them', async () => {
  await using folder = await temporaryFolder()
  const env = { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error' }
  const [start, ...others] = await steps('The first five minutes')
  expect(start?.command).toBe('npm start')
  const server = spawn('/bin/sh', ['-c', `exec ${node} "${root}/src/server/main.ts"`], { cwd: folder.dir, env })
  try {
    let welcome = ''
    for await (const chunk of server.stdout.setEncoding('utf8')) {
      welcome += chunk
      if (welcome.includes('access')) break
    }
    const address = /Summit is running at (\S+)/.exec(welcome)?.[1] ?? ''
    const seen = (text: string) =>
      text.replaceAll(address, 'http://127.0.0.1:3000').replaceAll(folder.dir, '/home/ana/summit')
    expect(`npm\n${seen(welcome)}`.trim()).toMatch(likeShown(start?.shown ?? ''))

    for (const { command, shown } of others.filter(({ command }) => !command.includes('npm start'))) {
      // What a command says of its summit goes to standard error.
      const isCommand = command.startsWith('npm run summit')
      const typed = command
        .replaceAll('http://127.0.0.1:3000', address)
        .replace('npm run summit --', `echo; ${node} "${root}/src/cli/main.ts"`)
      const printed = await new Promise<string>((resolve, reject) =>
        execFile('/bin/sh', ['-c', isCommand ? `${typed} 2>&1` : typed], { cwd: folder.dir, env }, (error, out) =>
          error ? reject(error) : resolve(out),
        ),
      )
      if (shown.trim() !== '') expect(seen(printed).trimEnd()).toMatch(likeShown(shown))
    }
  } finally {
    server.kill('SIGKILL')
    await once(server, 'close')
  }
}, 60_000)
