import { type Html, html } from './html.ts'

/** A time of zeros stands for none. */
const isTime = (timestamp: string): boolean => !timestamp.startsWith('0000')

/** The times of a record, each on a line of its own: `Since 2030-05-01 09:00`. Those without a value are left out. */
export const timesOf = (times: Readonly<Record<string, string>>): Html =>
  html`<p class="hint times">${Object.entries(times)
    .filter(([, timestamp]) => isTime(timestamp))
    .map(([name, timestamp]) => html`<span>${name} ${toMinute(timestamp)}</span> `)}</p>`

export const toMinute = (timestamp: string): string => timestamp.slice(0, 'YYYY-MM-DD HH:MM'.length)
