import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { testPlace } from '../../../test/app.ts'
import { summitHere } from '../../../test/command.ts'
import { temporaryFolder } from '../../../test/faults/temporary-folder.ts'
import { readConfig } from '../config.ts'
import { serve } from '../lifecycle/serve.ts'

// Who may use a folder, and what an operator reads who may not.

const isRoot = process.getuid?.() === 0
const nobody = 65_534
const root = join(import.meta.dirname, '../../..')

/** Runs a program of ours on a folder, as nobody where this is root, who may write everywhere. */
async function run(program: string, args: string[], dataDir: string, cwd = root) {
  const child = spawn(
    process.execPath,
    ['--import', join(root, 'scripts/require-node.mjs'), join(root, 'src', program), ...args],
    {
      cwd,
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0' },
      timeout: 15_000,
      ...(isRoot && { uid: nobody, gid: nobody }),
    },
  )
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { code, err }
}

const keptOut = (path: string) =>
  `The mode of ${path}, or a rule such as SELinux's, keeps its owner out, as which this runs.`

test('a folder whose mode keeps everybody out ends the program with one line and exit code 1', async () => {
  await using folder = await temporaryFolder()
  if (isRoot) await chown(folder.dir, nobody, nobody)
  await chmod(folder.dir, 0o555)
  const err = `${keptOut(folder.dir)} Type: chmod -R u+rwX ${folder.dir}\n`
  expect(await run('server/main.ts', [], folder.dir)).toEqual({ code: 1, err })
})

test('where the mode of a folder above it keeps everybody out, that one is named', async () => {
  await using folder = await temporaryFolder()
  await mkdir(join(folder.dir, 'data'))
  if (isRoot) for (const own of ['', 'data']) await chown(join(folder.dir, own), nobody, nobody)
  await chmod(folder.dir, 0)
  const told = await run('server/main.ts', [], join(folder.dir, 'data'))
  await chmod(folder.dir, 0o700)
  expect(told).toEqual({ code: 1, err: `${keptOut(folder.dir)} Type: chmod u+rwx ${folder.dir}\n` })
})

describe.skipIf(!isRoot)('with root on the machine', () => {
  test.each([
    ['nobody', nobody, 'nobody', 'nobody'],
    ['a user without a name', 54_321, 'the user 54321', `'#54321'`],
  ])('root is kept from a folder that belongs to %s', async (_, owner, name, typed) => {
    await using place = await testPlace()
    const { dataDir } = place
    await chown(dataDir, owner, owner)
    const line =
      `${dataDir} (DATA_DIR) belongs to ${name}, who could not use what root makes there. Run the same as ${name}: ` +
      `sudo -u ${typed} env DATA_DIR=${dataDir} [other settings] COMMAND`
    await expect(serve(readConfig({ ...place.settings, PORT: '0' }).config)).rejects.toThrow(line)
    await using other = await testPlace()
    for (const [args, settings] of [
      [['export', 'topics'], place.settings],
      [['move', '--to', other.dataDir], place.settings],
      [['move', '--to', dataDir], other.settings],
    ] as const)
      expect(await summitHere([...args], settings), args.join(' ')).toEqual({ code: 1, out: '', err: `${line}\n` })
    expect(await readdir(dataDir)).toEqual(['summit.db'])
  })

  test.each(['summit.db', 'serving.lock', 'blobs/staging/999999999-left/file'])(
    'where %s is root’s, a start and a command say so in one line',
    async (path) => {
      await using folder = await temporaryFolder()
      const { dir } = folder
      await mkdir(join(dir, 'blobs/staging'), { recursive: true })
      new DatabaseSync(join(dir, 'summit.db')).exec('vacuum')
      for (const own of ['', 'summit.db', 'blobs', 'blobs/staging']) await chown(join(dir, own), nobody, nobody)
      await mkdir(join(dir, path, '..'), { recursive: true, mode: 0o700 })
      await writeFile(join(dir, path), '', { flag: 'a' })
      await chown(join(dir, path), 0, 0)
      await chmod(join(dir, path), 0o600)
      const { code, err } = await run('server/main.ts', [], dir)
      expect(err).toMatch(
        /^\S+ belongs to root, and this runs as nobody\. .* If that is nobody, type as root: chown -R nobody \S+\n$/,
      )
      expect(err).toContain(`chown -R nobody ${dir}\n`)
      expect(code).toBe(1)
      if (path === 'summit.db') expect(await run('cli/main.ts', ['export', 'topics'], dir)).toEqual({ code: 1, err })
    },
  )

  test('what root is to type names the whole path of a folder that was given relative to another', async () => {
    await using folder = await temporaryFolder()
    const data = join(folder.dir, 'data')
    await mkdir(data)
    await chown(folder.dir, nobody, nobody)
    const err =
      `${data} belongs to root, and this runs as nobody. All of DATA_DIR has to be one user's. If that is nobody, ` +
      `type as root: chown -R nobody ${data}\n`
    expect(await run('server/main.ts', [], './data', folder.dir)).toEqual({ code: 1, err })
  })

  test('whoever is kept from the folder of another user hears as whom to run it', async () => {
    await using folder = await temporaryFolder()
    const { dir } = folder
    await chown(dir, 54_321, 54_321)
    const err =
      `${dir} belongs to the user 54321, and this runs as nobody. Run the same as the user 54321: ` +
      `sudo -u '#54321' env DATA_DIR=${dir} [other settings] COMMAND\n`
    expect(await run('server/main.ts', [], dir)).toEqual({ code: 1, err })
    expect(await run('cli/main.ts', ['export', 'topics'], dir)).toEqual({ code: 1, err })
  })

  test('a folder that nobody may enter is not said to be empty', async () => {
    await using folder = await temporaryFolder()
    const dir = join(folder.dir, 'data')
    await using open = await temporaryFolder()
    await chmod(open.dir, 0o755)
    const people = join(open.dir, 'people.csv')
    await writeFile(people, 'email\na@x.example\n')
    const err = `${folder.dir} belongs to root, and this runs as nobody. Set DATA_DIR to a folder of nobody.\n`
    for (const [program, args] of [
      ['server/main.ts', []],
      ['cli/main.ts', ['export', 'topics']],
      ['cli/main.ts', ['import', 'participants', people]],
    ] as const)
      expect(await run(program, [...args], dir)).toEqual({ code: 1, err })
  })
})
