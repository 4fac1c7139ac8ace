import { freePort } from '../../server/lifecycle/start/free-port.ts'
import { findSummitId } from '../../server/lifecycle/start/summit-id.ts'
import { isServed } from '../../server/storage/db/serving-lock.ts'
import { inspectSummit } from '../inspect-summit.ts'
import { findServedSummit } from '../served-summit.ts'
import { type Check, ok, problem, warning } from './diagnosis.ts'

/** Whether the port has the server of this summit, or is free for it. */
export const checkServer: Check = async ({ loaded: { config } }) => {
  const { port } = config
  if (port === 0) return [ok('not checked, because PORT is 0')]
  const served = await findServedSummit(config)
  if (served === undefined) {
    // Fails if another program uses the port.
    await freePort(config)
    if (isServed(config.database))
      return [
        warning(
          `A server uses DATA_DIR, but no summit responds on port ${port}. Give this command the PORT of the server.`,
        ),
      ]
    return [ok(`not running; port ${port} is free`)]
  }
  // The server may be of another version than this command, with another schema.
  const id = await inspectSummit(config, (db) => findSummitId(config, db))
  if (served === id) return [ok(`running on port ${port}`)]
  return [
    problem(
      `The server on port ${port} serves a different summit. Stop it, set another PORT, or give this command that server’s settings.`,
    ),
  ]
}
