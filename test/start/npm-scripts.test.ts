import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtempDisposable, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }

test('every npm script first installs missing dependencies', () => {
  const scripts: Record<string, string> = packageJson.scripts
  const names = Object.keys(scripts).filter((name) => !name.startsWith('pre') && name !== 'postpack')
  const install = scripts.pretest ?? ''
  expect(install).toMatch(/ensure-install/)
  expect(names.filter((name) => scripts[`pre${name}`]?.split(' && ')[0] !== install)).toEqual([])
})

test('what follows the installation finds the Node that it has installed, not the one that the shell remembers', async () => {
  const scripts: Record<string, string> = packageJson.scripts
  const followed = Object.values(scripts).filter((script) => /ensure-install\.mjs &&/.test(script))
  expect(followed.length).toBeGreaterThan(0)
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-node-'))
  const [old, installed] = [join(folder.path, 'old'), join(folder.path, 'installed')]
  await mkdir(old)
  const write = (path: string, says: string) => `printf '#!/bin/sh\\necho ${says}\\n' > ${path}; chmod +x ${path}`
  // As an installation does, the first command puts another Node before its own.
  await writeFile(
    join(old, 'node'),
    `#!/bin/sh\nmkdir -p ${installed}; ${write(join(installed, 'node'), 'installed')}\n`,
  )
  await chmod(join(old, 'node'), 0o755)
  for (const script of followed) {
    const env = { PATH: `${installed}:${old}:/usr/bin:/bin` }
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script.replace(/^exec /, '')], { env })
    expect(stdout).toBe('installed\n')
    await rm(installed, { recursive: true })
  }
})
