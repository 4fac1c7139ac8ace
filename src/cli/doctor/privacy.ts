import { timestampFormatter } from '../../server/core/clock.ts'
import { readRetention } from '../../server/lifecycle/retention.ts'
import { type Check, ok, warning } from './diagnosis.ts'

/** Whether all participants are going to be erased. */
export const checkPrivacy: Check = async ({ loaded: { config }, database }) => {
  const after = config.erasePersonalDataAfter
  if (after === undefined || !database) return []
  const timestamp = timestampFormatter(config.timeZone)
  const retention = await readRetention(database.read, after, Date.now(), (ms) => timestamp(ms).slice(0, 10))
  switch (retention.state) {
    case 'kept':
      return []
    case 'erased':
      return [ok(`all participants were erased after ${after}`)]
    case 'planned':
      return [ok(`all participants will be erased on ${retention.on}`)]
    default:
      return [
        warning(
          `A server will erase all participants on ${retention.on}. To prevent it, unset ERASE_PERSONAL_DATA_AFTER in every server.`,
        ),
      ]
  }
}
