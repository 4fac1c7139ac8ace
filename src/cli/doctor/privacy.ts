import { timestampFormatter } from '../../server/core/clock.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { readRetention, showsWarnings } from '../../server/lifecycle/schedules/retention.ts'
import { type Check, ok, warning } from './diagnosis.ts'

/** Whether all participants are going to be erased. */
export const checkPrivacy: Check = async ({ loaded: { config }, database }) => {
  const after = config.erasePersonalDataAfter
  if (after === undefined || !database) return []
  const timestamp = timestampFormatter(config.timeZone)
  const retention = await readRetention(database.read, after, Date.now(), (ms) => timestamp(ms).slice(0, 10))
  if (retention.state === 'kept') return []
  if (retention.state === 'erased') return [ok(`all participants were erased after ${after}`)]
  if (!showsWarnings(config))
    return [
      warning(
        `LOG_LEVEL=${config.logLevel} hides the warnings without which participants are not erased. Set it to warn or ` +
          'info, or unset ERASE_PERSONAL_DATA_AFTER.',
      ),
    ]
  const { state, on, warningsLeft } = retention
  const left = `after ${formatCount(warningsLeft, 'more warning')} in the log, each on another day`
  if (state === 'planned') return [ok(`all participants will be erased on ${on}, ${left}`)]
  return [
    warning(
      `A server will erase all participants on ${on}, ${left}. To prevent it, unset ERASE_PERSONAL_DATA_AFTER in every server.`,
    ),
  ]
}
