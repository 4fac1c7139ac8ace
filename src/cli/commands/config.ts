import { type EffectiveSetting, inspectConfig } from '../../server/config/config.ts'
import { OperatorError } from '../../server/core/operator-error.ts'

/** `summit config`: prints every setting with its value and source, marks invalid ones, and hides secrets. */
export function printConfig(): void {
  const { effective, invalid } = inspectConfig(process.env)
  const width = Math.max(...effective.map(({ name }) => name.length))
  for (const setting of effective) {
    const { name, source } = setting
    console.log(
      `${name.padEnd(width)}  ${formatValue(setting).padEnd(24)} ${source}${invalid.has(name) ? '  INVALID' : ''}`,
    )
  }
  if (invalid.size > 0) throw new OperatorError([...invalid.values()].join('\n'))
}

const formatValue = ({ value, isSecret }: EffectiveSetting): string => {
  if (value === undefined) return '(not set)'
  return isSecret ? '(hidden)' : String(value)
}
