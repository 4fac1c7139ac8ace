import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { chmod, chown, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import type { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestStorage } from '../../../../test/app.ts'
import { runSummitInProcess } from '../../../../test/command.ts'
import { createDataFolder } from '../../../../test/faults/create-data-folder.ts'
import { startInMemoryS3 } from '../../../../test/in-memory-s3.ts'
import { readConfig } from '../../config/config.ts'
import { serve } from '../../lifecycle/serve.ts'

// Permissions of DATA_DIR, and the message that an operator without access gets.

const isRoot = process.getuid?.() === 0
const nobody = 65_534
const root = join(import.meta.dirname, '../../../..')

/** Root may write anywhere, so tests that run as root start processes of `nobody`. */
const user = isRoot ? { uid: nobody, gid: nobody } : {}

const moduleUrl = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** Starts servers and runs commands, one after the other, as a process for each would take a second. */
const runner = `
  import { createInterface } from 'node:readline'
  import { runCommandLine } from ${moduleUrl('../../../cli/command-line/command-line.ts')}
  import { readConfig } from ${moduleUrl('../../config/config.ts')}
  import { explain } from ${moduleUrl('../../lifecycle/start/explain.ts')}
  import { serve } from ${moduleUrl('../../lifecycle/serve.ts')}

  const start = (dataDir) =>
    serve(readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }).config)
      .then(async (serving) => (await serving.close(), 'started'), explain)

  async function run(dataDir, args) {
    const lines = []
    console.error = (line) => line.startsWith('Summit: ') || lines.push(line)
    console.log = () => {}
    process.env = { DATA_DIR: dataDir, PORT: '0' }
    process.exitCode = 0
    await runCommandLine(args, process.env)
    return process.exitCode === 1 ? lines.join('\\n') : 'exit code ' + process.exitCode
  }

  for await (const line of createInterface({ input: process.stdin })) {
    const { dataDir, args, cwd } = JSON.parse(line)
    process.chdir(cwd)
    process.stdout.write(JSON.stringify(args ? await run(dataDir, args) : await start(dataDir)) + '\\n')
  }`

let child: ChildProcessByStdio<Writable, Readable, null>
let outcomes: AsyncIterator<string>
beforeAll(() => {
  const stdio = ['pipe', 'pipe', 'inherit'] as ['pipe', 'pipe', 'inherit']
  child = spawn(process.execPath, ['--input-type=module', '-e', runner], { cwd: root, stdio, ...user })
  outcomes = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
})
afterAll(() => void child.kill())

async function outcomeOf(task: { dataDir: string; args?: string[]; cwd?: string }): Promise<string> {
  child.stdin.write(`${JSON.stringify({ cwd: root, ...task })}\n`)
  return JSON.parse((await outcomes.next()).value)
}

/** The error of a server that starts on this folder. */
const startError = (dataDir: string, cwd = root) => outcomeOf({ dataDir, cwd })

/** The error of a command that exits with code 1. */
const commandError = (args: string[], dataDir: string) => outcomeOf({ dataDir, args })

const deniedToOwner = (path: string) =>
  `The mode of ${path}, or a policy such as SELinux, denies access to its owner, the current user.`

test('an inaccessible folder above DATA_DIR is named in the error', async () => {
  await using folder = await createDataFolder()
  await mkdir(join(folder.dir, 'data'))
  if (isRoot) for (const own of ['', 'data']) await chown(join(folder.dir, own), nobody, nobody)
  await chmod(folder.dir, 0)
  const error = await startError(join(folder.dir, 'data'))
  await chmod(folder.dir, 0o700)
  expect(error).toBe(`${deniedToOwner(folder.dir)} Run: chmod u+rwx ${folder.dir}`)
})

describe.skipIf(!isRoot)('tests that need root', () => {
  test.each([
    ['nobody', nobody, 'nobody', 'nobody'],
    ['a user without a name', 54_321, 'user 54321', `'#54321'`],
  ])('root is denied a folder that is owned by %s', async (_, owner, name, sudoName) => {
    await using storage = await createTestStorage()
    const { dataDir } = storage
    await chown(dataDir, owner, owner)
    const line =
      `DATA_DIR ${dataDir} is owned by ${name}, who could not use files created by root. Run the command as ${name}: ` +
      `sudo -u ${sudoName} `
    const other = `env DATA_DIR=${dataDir} [other settings] COMMAND`
    await expect(serve(readConfig({ ...storage.settings, PORT: '0' }).config)).rejects.toThrow(line + other)
    await using target = await createTestStorage()
    expect(await runSummitInProcess(['move', '--to', dataDir], target.settings)).toEqual({
      code: 1,
      out: '',
      err: `${line}${other}\n`,
    })
    const envFile = join(target.dataDir, 'env')
    await writeFile(envFile, '')
    for (const [args, printed] of [
      [['export', 'topics'], 'export topics'],
      [['move', '--to', target.dataDir], `move --to ${target.dataDir}`],
      [
        ['move', '--to', 'postgres://a:secret@x/y?sslmode=verify-full'],
        `move --to 'postgres://…@x/y?sslmode=verify-full'`,
      ],
      [['backup', join(target.dataDir, 'backups')], `backup ${target.dataDir}/backups`],
      [['restore', target.dataDir, '--apply'], `restore ${target.dataDir} --apply`],
      [['import', 'participants', "Ana's list.csv", '--apply'], `import participants 'Ana'\\''s list.csv' --apply`],
      [['key', 'create', 'phone', '--role', 'owner'], 'key create phone --role owner'],
      [['check'], 'check'],
    ] as const)
      expect(await runSummitInProcess([...args, '--env-file', envFile], storage.settings), printed).toMatchObject({
        code: 1,
        out: '',
        err: `${line}npm run summit -- --data-dir ${dataDir} --env-file ${envFile} ${printed}\n`,
        about: '',
      })
    expect(await readdir(dataDir)).toEqual(['summit.db'])
    expect((await readdir(target.dataDir)).sort()).toEqual(['env', 'serving.lock', 'summit.db'])
  })

  test.each(['summit.db', 'serving.lock', 'blobs/staging/999999999-left/file'])(
    'if %s is owned by root, the server and a command fail with one line that has the remedy',
    async (path) => {
      await using folder = await createDataFolder()
      const { dir } = folder
      await mkdir(join(dir, 'blobs/staging'), { recursive: true })
      new DatabaseSync(join(dir, 'summit.db')).exec('vacuum')
      for (const own of ['', 'summit.db', 'blobs', 'blobs/staging']) await chown(join(dir, own), nobody, nobody)
      await mkdir(join(dir, path, '..'), { recursive: true, mode: 0o700 })
      await writeFile(join(dir, path), '', { flag: 'a' })
      await chown(join(dir, path), 0, 0)
      await chmod(join(dir, path), 0o600)
      const error = await startError(dir)
      expect(error).toMatch(/^\S+ is owned by root, but Summit runs as nobody\. .* To make that nobody, run as root: /)
      expect(error.endsWith(`: chown -R nobody ${dir}`)).toBe(true)
      if (path === 'summit.db') expect(await commandError(['export', 'topics'], dir)).toBe(error)
    },
  )

  test('the suggested command has the absolute path of a DATA_DIR that was given as a relative path', async () => {
    await using folder = await createDataFolder()
    const data = join(folder.dir, 'data')
    await mkdir(data)
    await chown(folder.dir, nobody, nobody)
    expect(await startError('./data', folder.dir)).toBe(
      `${data} is owned by root, but Summit runs as nobody. All of DATA_DIR must have one owner. To make that nobody, ` +
        `run as root: chown -R nobody ${data}`,
    )
  })

  test('the error for a folder of another user says to run the command as that user', async () => {
    await using folder = await createDataFolder()
    const { dir } = folder
    await chown(dir, 54_321, 54_321)
    const error =
      `${dir} is owned by user 54321, but Summit runs as nobody. Run the command as user 54321: ` +
      `sudo -u '#54321' env DATA_DIR=${dir} [other settings] COMMAND`
    expect(await startError(dir)).toBe(error)
    expect(await commandError(['export', 'topics'], dir)).toBe(error)
  })

  test('root does not restore the backups of another user, unless the folder exists', async () => {
    await using storage = await createTestStorage()
    await using folder = await createDataFolder()
    const [backups, dataDir] = [join(folder.dir, 'backups'), join(folder.dir, 'new')]
    expect(await runSummitInProcess(['backup', backups], storage.settings)).toMatchObject({ code: 0 })
    await chown(backups, nobody, nobody)
    const restore = () => runSummitInProcess(['restore', backups, '--apply'], { DATA_DIR: dataDir })
    expect(await restore()).toEqual({
      code: 1,
      out: '',
      err:
        `The backups in ${backups} are owned by nobody, who could not use a summit that is restored by root. Run install -d ` +
        `-o nobody -g nogroup -m 0700 ${dataDir}, and then the command as nobody. To restore as root, create ${dataDir} first.\n`,
    })
    expect(await readdir(folder.dir)).toEqual(['backups'])
    await mkdir(dataDir)
    expect(await restore()).toMatchObject({ code: 0 })
  })

  test('root does not restore from a bucket into a new folder below one of another user, and says whose the files are', async () => {
    await using storage = await createTestStorage()
    await using folder = await createDataFolder()
    await using s3 = await startInMemoryS3()
    const dataDir = join(folder.dir, 'not', 'there yet')
    expect(await runSummitInProcess(['backup', s3.url], storage.settings)).toMatchObject({ code: 0 })
    await chown(folder.dir, nobody, nobody)
    const restore = () => runSummitInProcess(['restore', s3.url, '--apply'], { DATA_DIR: dataDir })
    expect(await restore()).toEqual({
      code: 1,
      out: '',
      err:
        `${folder.dir} is owned by nobody, who could not use a summit that is restored by root. Run install -d -o nobody ` +
        `-g nogroup -m 0700 '${dataDir}', and then the command as nobody. To restore as root, create ${dataDir} first.\n`,
    })
    expect(await readdir(folder.dir)).toEqual([])
    await chown(folder.dir, 0, 0)
    const { code, out } = await restore()
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        `\\nThe files in ${dataDir} are owned by root. If the server runs as another user, such as summit, run: ` +
          `chown -R summit '${dataDir}'\\n$`,
      ),
    ])
  })

  test('an inaccessible folder is reported as such, not as empty', async () => {
    await using folder = await createDataFolder()
    const dir = join(folder.dir, 'data')
    await using open = await createDataFolder()
    await chmod(open.dir, 0o755)
    const people = join(open.dir, 'people.csv')
    await writeFile(people, 'email\na@x.example\n')
    const problem =
      `${folder.dir} is owned by root, but Summit runs as nobody. Set DATA_DIR to the folder of the server, which ` +
      'nobody owns'
    const command = 'To create one, run as root: install -d -o nobody -g nogroup -m 0700'
    const error = `${problem}, and which is not in ${folder.dir}. ${command} /var/lib/summit/data`
    expect(await startError(dir)).toBe(error)
    for (const args of [
      ['export', 'topics'],
      ['import', 'participants', people],
    ])
      expect(await commandError(args, dir)).toBe(error)
    await chmod(folder.dir, 0o755)
    expect(await startError(dir)).toBe(`${problem}. ${command} ${dir}`)
  })
})
