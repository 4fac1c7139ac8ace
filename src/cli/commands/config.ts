import { readConfig } from '../../server/config.ts'

/** `summit config`: every setting with its value and where that came from; secrets are not shown. */
export function printConfig(): void {
  const { effective } = readConfig(process.env)
  const width = Math.max(...effective.map(({ name }) => name.length))
  for (const { name, value, source, secret } of effective) {
    const shown = value === undefined ? '(not set)' : secret ? '(hidden)' : String(value)
    console.log(`${name.padEnd(width)}  ${shown.padEnd(24)} ${source}`)
  }
}
