import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { createClient } from '../../src/client/client.ts'
import { createDataFolder } from '../faults/create-data-folder.ts'
import { findProgram } from '../find-program.ts'
import { freePort } from '../free-port.ts'

// The examples of docs/operate for the systemd unit, run as they are printed, but for the paths, which are below a
// folder of the test, the port, and the user, who is nobody.

const checkout = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const [nobody, nogroup] = [65_534, 65_534]

const setpriv = findProgram('setpriv')
const missing = process.getuid?.() !== 0 ? 'needs root' : setpriv ? undefined : 'setpriv not installed'
if (missing) console.warn(`skipped: ${missing}`)

/** The shell commands of a section of the guide for operators that run as the user of the unit. */
async function examplesOf(page: string, heading: string): Promise<string[]> {
  const text = await readFile(join(checkout, 'docs/operate', page), 'utf8')
  const section = text.split(/^##+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  const blocks = Array.from(section.matchAll(/^```\n(.*?)^```/gms), ([, block = '']) => block)
  return blocks.filter((block) => block.includes('sudo -u summit'))
}

/** A machine on which the unit is installed. */
async function installUnit(root: string) {
  const port = await freePort()
  const adapt = (text: string) =>
    text
      .replaceAll(/\/(?:var\/lib|etc|var\/backups)\/summit/g, (path) => root + path)
      .replaceAll(/(?<=-[ou] |^User=)summit$|(?<=-[ou] )summit(?= )/gm, 'nobody')
      .replaceAll('-g summit', '-g nogroup')
      .replaceAll('3000', String(port))
      .replaceAll('%i', String(port))
  const unit = adapt(await readFile(join(checkout, 'deploy/summit@.service'), 'utf8'))
  const directive = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
  const serve = directive('ExecStart').replace(/^\S+\/node \S+\/summit/, 'summit')
  const asUser = `env -i PATH="$PATH" ${setpriv} --reuid=nobody --regid=nogroup --clear-groups`
  const program = packageJson.scripts.summit.replaceAll(/(?:\.\/)?\b(scripts|src)\//g, `${checkout}/$1/`)
  const programs = {
    summit: `${program.replace('exec node', `exec ${process.execPath}`)} "$@"`,
    sudo: `[ "$1 $2" = "-u nobody" ] || exit 9; shift 2; exec ${asUser} "$@"`,
    // Of systemd, as far as the unit depends on it.
    systemctl: `
      [ "$2" = summit@${port} ] || exit 9
      if [ "$1" = stop ]; then
        kill "$(cat ${root}/pid)"
        while curl -s http://127.0.0.1:${port}/healthz > ${root}/health; do sleep 0.1; done
      else
        state=${root}/var/lib/${directive('StateDirectory')}
        [ -e "$state" ] || install -d -m ${directive('StateDirectoryMode')} -o nobody -g nogroup "$state"
        umask ${directive('UMask')}
        ${asUser} env ${directive('Environment')} ${serve} > ${root}/log 2>&1 &
        echo $! > ${root}/pid
        for n in $(seq 300); do curl -fs http://127.0.0.1:${port}/readyz > ${root}/health && exit 0; sleep 0.1; done
        cat ${root}/log >&2
        exit 1
      fi`,
  }
  await chmod(root, 0o755)
  const bin = join(root, 'bin')
  for (const path of ['bin', 'etc/summit', 'var/lib/summit', 'var/backups/summit'])
    await mkdir(join(root, path), { recursive: true })
  for (const [name, script] of Object.entries(programs))
    await writeFile(join(bin, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 })
  await chown(join(root, 'var/backups/summit'), nobody, nogroup)
  await writeFile(join(root, 'etc/summit/env'), adapt('BACKUP_TO=/var/backups/summit\nLOG_LEVEL=error\n'), {
    mode: 0o640,
  })
  await chown(join(root, 'etc/summit/env'), 0, nogroup)
  return {
    port,
    client: createClient(`http://127.0.0.1:${port}`),
    shell: async (commands: string) => {
      const env = { PATH: `${bin}:${process.env.PATH}:/usr/sbin:/sbin` }
      const { stdout, stderr } = await run('bash', ['--norc', '-ec', adapt(commands)], { cwd: '/root', env })
      return stdout + stderr
    },
    /** The paths in the folders of the summit and its backups that are root's. */
    ownedByRoot: async () => {
      const places = ['var/lib/summit', 'var/backups/summit'].map((path) => join(root, path))
      const { stdout } = await run('find', [...places, '-mindepth', '1', '-user', '0'])
      return stdout
    },
    [Symbol.asyncDispose]: async () => {
      await run('bash', ['--norc', '-c', `kill $(cat ${root}/pid)`]).catch(() => {})
    },
  }
}

test.skipIf(missing !== undefined)(
  'the examples for a restore and a move of the systemd unit work, and leave no file of root',
  async () => {
    await using folder = await createDataFolder()
    await using machine = await installUnit(folder.dir)
    const { client, port, shell } = machine
    const topics = async () => (await client.listTopics({ offset: 0, limit: 5 })).NewsFeed.map((t) => t.content.header)
    await shell('systemctl start summit@3000')
    const files = [new File(['Bring a mug.'], 'notes.txt')]
    const { NewsFeed } = await client.createTopic({ name: 'Lunch is served', created_by: 1 }, { files })
    const link = NewsFeed[0]?.content.uploaded_files[0]?.link ?? ''
    await shell('sudo -u summit summit backup --data-dir /var/lib/summit/3000 --env-file /etc/summit/env')
    await client.createTopic({ name: 'After the backup', created_by: 1 })
    expect(await topics()).toEqual(['After the backup', 'Lunch is served'])

    const asRoot = 'summit restore --data-dir /var/lib/summit/restored --env-file /etc/summit/env --apply'
    await expect(shell(asRoot)).rejects.toThrow(
      `install -d -o nobody -g nogroup -m 0700 ${folder.dir}/var/lib/summit/restored, and then the command as nobody.`,
    )
    const signatureKey = () => readFile(join(folder.dir, `var/lib/summit/${port}/signature.key`), 'utf8')
    const before = await signatureKey()
    const [restore = ''] = await examplesOf('backups.md', 'Restore')
    expect(await shell(restore)).toContain('Restored: every row and file is identical to the backup.')
    expect(await topics()).toEqual(['Lunch is served'])
    expect(await (await fetch(link)).text()).toBe('Bring a mug.')
    expect(await signatureKey()).toBe(before)
    expect(await machine.ownedByRoot()).toBe('')

    const [toDatabase = '', back = ''] = await examplesOf('storage.md', 'Move a summit')
    expect(toDatabase).toContain('move --to postgres://')
    expect(await shell(back)).toContain('Move complete: everything was copied and verified.')
    expect(await topics()).toEqual(['Lunch is served'])
    expect(await (await fetch(link)).text()).toBe('Bring a mug.')
    expect(await machine.ownedByRoot()).toBe('')
  },
)
