import { freePort } from '../../server/lifecycle/free-port.ts'
import { findSummitId } from '../../server/lifecycle/summit-id.ts'
import { findServedSummit } from '../served-summit.ts'
import { type Check, ok, problem } from './diagnosis.ts'

/** Whether the port has the server of this summit, or is free for it. */
export const checkServer: Check = async ({ loaded: { config }, database }) => {
  if (config.port === 0) return [ok('not checked, because PORT is 0')]
  const served = await findServedSummit(config)
  if (served === undefined) {
    // Fails if another program uses the port.
    await freePort(config)
    return [ok(`not running; port ${config.port} is free`)]
  }
  const id = database && (await findSummitId(config, database.read))
  if (served === id) return [ok(`running on port ${config.port}`)]
  return [
    problem(
      `The server on port ${config.port} serves a different summit. Stop it, set another PORT, or give this command that server’s settings.`,
    ),
  ]
}
