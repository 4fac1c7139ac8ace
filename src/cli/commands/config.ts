import { type EffectiveSetting, inspectConfig } from '../../server/config/config.ts'
import { readSources, type SettingsOptions } from '../../server/config/sources.ts'
import { OperatorError } from '../../server/core/errors.ts'
import { loadForCommand } from '../load-for-command.ts'

/** `summit config`: prints every setting with its value and source, marks invalid ones, and hides secrets. */
export async function printConfig(environment: NodeJS.ProcessEnv, options: SettingsOptions): Promise<void> {
  const { effective, invalid, ignored } = inspectConfig(readSources(environment, options))
  if (invalid.size === 0) await loadForCommand(environment, options, undefined)
  const width = Math.max(...effective.map(({ name }) => name.length))
  for (const setting of effective) {
    const { name, source } = setting
    console.log(
      `${name.padEnd(width)}  ${formatValue(setting).padEnd(24)} ${source}${invalid.has(name) ? '  INVALID' : ''}`,
    )
  }
  if (invalid.size > 0) throw new OperatorError([...ignored, ...invalid.values()].join('\n'))
}

const formatValue = ({ value, isSecret }: EffectiveSetting): string => {
  if (value === undefined) return '(not set)'
  return isSecret ? '(hidden)' : String(value)
}
