import { constants } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { hasCode, OperatorError } from '../../core/errors.ts'
import { shellArg } from '../../core/shell-arg.ts'
import { makeFolder } from './make-folder.ts'

/** The current user has no access to `DATA_DIR`; the message names the owner and the command that fixes it. */
class AccessDenied extends OperatorError {
  override readonly name = 'AccessDenied'
}

/** The folder of stored files, or only of uploads in progress with `BLOBS_URL`. */
export const blobsDir = ({ dataDir }: { dataDir: string }): string => join(dataDir, 'blobs')

/**
 * Creates `DATA_DIR` if it does not exist.
 * @throws AccessDenied also for root, which may write to any folder but would leave files that the owner cannot use
 */
export const makeDataDir = (dir: string): Promise<void> =>
  inDataDir(dir, async () => {
    await assertNotForeignRoot(resolve(dir))
    await makeFolder(dir)
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK)
  })

/**
 * Runs `work`, which uses `DATA_DIR`.
 * @throws AccessDenied for permission errors below it; other errors are passed on
 */
export async function inDataDir<T>(dir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // Absolute, as the command in the message may be run elsewhere.
    throw (await accessDeniedBy(error, resolve(dir))) ?? error
  }
}

/**
 * @param command to run as the owner
 * @throws AccessDenied for root, if the folder exists and has another owner
 */
export async function assertNotForeignRoot(dir: string, command?: string): Promise<void> {
  const user = await findOtherOwner(dir)
  if (user)
    throw new AccessDenied(
      `DATA_DIR ${dir} is owned by ${user.name}, who could not use files created by root. ${runAs(user, dir, command)}`,
    )
}

/**
 * @param dir the `DATA_DIR` that a restore creates
 * @param backups the folder of the backups; undefined if they are elsewhere
 * @throws AccessDenied for root, if the owner of the backups or of the folder above `dir`, who runs the server, is somebody
 * else; not if `dir` exists
 */
export async function assertNotForeignRestore(dir: string, backups: string | undefined): Promise<void> {
  if ((await ownerOf(dir)) !== undefined) return
  const above = (await nearestVisible(dir)).path
  const user = backups === undefined ? undefined : await findOtherOwner(backups)
  const owner = user ?? (await findOtherOwner(above))
  if (owner)
    throw new AccessDenied(
      `${user ? `The backups in ${backups} are` : `${above} is`} owned by ${owner.name}, who could not use a summit that is ` +
        `restored by root. Run ${makeFor(owner, dir)}, and then the command as ${owner.name}. To restore as root, create ` +
        `${dir} first.`,
    )
}

/** The owner of a folder; undefined if that is root, if there is none, or if this process is not root's. */
async function findOtherOwner(dir: string): Promise<User | undefined> {
  const owner = process.getuid?.() === 0 ? await ownerOf(dir) : undefined
  return owner ? userOf(owner) : undefined
}

/** Translates a permission error on a path in or above `DATA_DIR`; undefined for any other error. */
async function accessDeniedBy(error: unknown, dir: string): Promise<AccessDenied | undefined> {
  const cause = error instanceof Error && hasCode(error.cause, 'EACCES') ? error.cause : error
  const uid = process.getuid?.()
  if (uid === undefined || !hasCode(cause, 'EACCES') || !(cause instanceof Error && 'path' in cause)) return undefined
  const path = resolve(String(cause.path))
  if (!isWithin(dir, path) && !isWithin(path, dir)) return undefined
  return new AccessDenied(await describe(path, dir, uid), { cause })
}

/** Says who owns the inaccessible path and which command fixes it. */
async function describe(path: string, dir: string, uid: number): Promise<string> {
  const found = await nearestVisible(path)
  if (found.owner === uid) {
    const command = isWithin(dir, found.path)
      ? `chmod -R u+rwX ${shellArg(dir)}`
      : `chmod u+rwx ${shellArg(found.path)}`
    return `The mode of ${found.path}, or a policy such as SELinux, denies access to its owner, the current user. Run: ${command}`
  }
  const [owner, user] = [await userOf(found.owner), await userOf(uid)]
  const problem = `${found.path} is owned by ${owner.name}, but Summit runs as ${user.name}.`
  if (!isWithin(dir, found.path)) {
    // No folder below one that cannot be entered would help, such as below the home of root.
    const canEnter = await access(found.path, constants.X_OK).then(
      () => true,
      () => false,
    )
    const suggested = canEnter ? dir : '/var/lib/summit/data'
    return (
      `${problem} Set DATA_DIR to the folder of the server, which ${user.name} owns${canEnter ? '' : `, and which is not in ${found.path}`}. ` +
      `To create one, run as root: ${makeFor(user, suggested)}`
    )
  }
  const dirOwner = await ownerOf(dir)
  if (dirOwner !== undefined && dirOwner !== uid && dirOwner !== 0)
    return `${problem} ${runAs(await userOf(dirOwner), dir)}`
  return `${problem} All of DATA_DIR must have one owner. To make that ${user.name}, run as root: ${chownAll(user, dir)}`
}

const runAs = (
  { name, sudoName }: User,
  dir: string,
  command = `env DATA_DIR=${shellArg(dir)} [other settings] COMMAND`,
): string => `Run the command as ${name}: sudo -u ${sudoName} ${command}`

const makeFor = ({ chownName, group }: User, dir: string): string =>
  `install -d -o ${chownName}${group === undefined ? '' : ` -g ${group}`} -m 0700 ${shellArg(dir)}`

const chownAll = ({ chownName }: User, dir: string): string => `chown -R ${chownName} ${shellArg(dir)}`

/** The command with which root gives a folder to the current user, and creates it first if there is none. */
export async function describeGiving(dir: string): Promise<string> {
  const user = await userOf(process.getuid?.() ?? 0)
  return (await ownerOf(dir)) === undefined ? makeFor(user, dir) : chownAll(user, dir)
}

const isWithin = (dir: string, path: string): boolean => !relative(dir, path).startsWith('..')

/** The path or its nearest ancestor that can be read with `stat`, and its owner. */
async function nearestVisible(path: string): Promise<{ path: string; owner: number }> {
  const owner = await ownerOf(path)
  return owner === undefined ? nearestVisible(dirname(path)) : { path, owner }
}

/** The user id of the owner; undefined if the path does not exist or cannot be read with `stat`. */
const ownerOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ uid }) => uid,
    () => undefined,
  )

/** How to refer to a user in a message, to sudo and to chown. */
interface User {
  name: string
  sudoName: string
  chownName: string
  /** The name of the user's own group; undefined if it is not known. */
  group: string | undefined
}

async function userOf(uid: number): Promise<User> {
  const [name, , , gid] = await findAccount('passwd', uid)
  if (name === undefined)
    return { name: `user ${uid}`, sudoName: `'#${uid}'`, chownName: String(uid), group: undefined }
  const [group] = await findAccount('group', Number(gid))
  return { name, sudoName: name, chownName: name, group }
}

/** The fields of a user or group; the name is the first. None if there is no such id. */
async function findAccount(file: 'passwd' | 'group', id: number): Promise<string[]> {
  const lines = (await readFile(join('/etc', file), 'utf8').catch(() => '')).split('\n')
  return lines.map((line) => line.split(':')).find((fields) => fields[2] === String(id)) ?? []
}
