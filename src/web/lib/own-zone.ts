import { all } from './page.ts'

/** Of all time zones, that of the browser comes first. */
export function startOwnZone(): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  for (const select of all<HTMLSelectElement>('[data-own-zone] select')) {
    const own = [...select.options].find(({ value }) => value === timeZone)
    if (own) select.prepend(own)
  }
}
