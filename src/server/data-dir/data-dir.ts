import { constants } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { hasCode } from '../core/error-code.ts'
import { OperatorError } from '../core/operator-error.ts'
import { makeFolder } from './make-folder.ts'

/** Something in `DATA_DIR` belongs to another user; the message says whose it is and what to type. */
class NotOurs extends OperatorError {
  override readonly name = 'NotOurs'
}

/**
 * Makes `DATA_DIR` if it is not there.
 * @throws NotOurs also for root, who may write to any folder, but would leave what its owner cannot use
 */
export const makeDataDir = (dir: string): Promise<void> =>
  inDataDir(dir, async () => {
    await refuseRootElsewhere(resolve(dir))
    await makeFolder(dir)
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK)
  })

/** Runs what works in `DATA_DIR`. @throws NotOurs where the system does not let us, or what `work` fails with */
export async function inDataDir<T>(dir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // Whole, as it is to be typed, perhaps elsewhere and by root.
    throw (await refusalBy(error, resolve(dir))) ?? error
  }
}

async function refuseRootElsewhere(dir: string): Promise<void> {
  const owner = await ownerOf(dir)
  if (process.getuid?.() !== 0 || owner === undefined || owner === 0) return
  const user = await userOf(owner)
  throw new NotOurs(
    `${dir} (DATA_DIR) belongs to ${user.name}, who could not use what root makes there. ${runAs(user, dir)}`,
  )
}

/** What to say of an error by which the system refuses us something in `DATA_DIR`; undefined for any other. */
async function refusalBy(error: unknown, dir: string): Promise<NotOurs | undefined> {
  // Of a failure, for what stands behind it.
  const cause = error instanceof Error && hasCode(error.cause, 'EACCES') ? error.cause : error
  const us = process.getuid?.()
  if (us === undefined || !hasCode(cause, 'EACCES') || !(cause instanceof Error && 'path' in cause)) return undefined
  const path = resolve(String(cause.path))
  if (!isWithin(dir, path) && !isWithin(path, dir)) return undefined
  return new NotOurs(await sentenceOf(path, dir, us), { cause })
}

/** Whose the path is that a user may not use, and what to type. */
async function sentenceOf(path: string, dir: string, uid: number): Promise<string> {
  const found = await nearest(path)
  if (found.owner === uid) {
    const typed = isWithin(dir, found.path) ? `chmod -R u+rwX ${dir}` : `chmod u+rwx ${found.path}`
    const kept = `The mode of ${found.path}, or a rule such as SELinux's, keeps its owner out, as which this runs.`
    return `${kept} Type: ${typed}`
  }
  const [owner, user] = [await userOf(found.owner), await userOf(uid)]
  const whose = `${found.path} belongs to ${owner.name}, and this runs as ${user.name}.`
  if (!isWithin(dir, found.path)) return `${whose} Set DATA_DIR to a folder of ${user.name}.`
  const host = await ownerOf(dir)
  if (host !== undefined && host !== uid && host !== 0) return `${whose} ${runAs(await userOf(host), dir)}`
  const one = `All of DATA_DIR has to be one user's. If that is ${user.name}, type as root: chown -R ${user.id} ${dir}`
  return `${whose} ${one}`
}

const runAs = ({ name, typed }: User, dir: string): string =>
  `Run the same as ${name}: sudo -u ${typed} env DATA_DIR=${dir} [other settings] COMMAND`

const isWithin = (dir: string, path: string): boolean => !relative(dir, path).startsWith('..')

/** The file or folder that we may ask about, or else the next above it, with the id of its owner. */
async function nearest(path: string): Promise<{ path: string; owner: number }> {
  const owner = await ownerOf(path)
  return owner === undefined ? nearest(dirname(path)) : { path, owner }
}

/** The id of the user to whom something belongs, or undefined where there is nothing, or nobody tells us. */
const ownerOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ uid }) => uid,
    () => undefined,
  )

/** How a user is called in a sentence, to sudo and to chown. */
interface User {
  name: string
  typed: string
  id: string
}

async function userOf(uid: number): Promise<User> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const [name] =
    passwd
      .split('\n')
      .find((line) => line.split(':')[2] === String(uid))
      ?.split(':') ?? []
  return name === undefined
    ? { name: `the user ${uid}`, typed: `'#${uid}'`, id: String(uid) }
    : { name, typed: name, id: name }
}
