import ICAL from 'ical.js'
import { inTurns } from '../../core/in-turns.ts'
import { toPlainText } from '../program/plain-text.ts'
import type { Program, ProgramEvent } from './program.ts'

// RFC 5545. Times are in UTC: readers take the times of a zone that they do not know for local ones.

/**
 * Writes a calendar of events.
 * @param name what of the conference it has, such as a room; `''` for all of it
 */
export async function writeScheduleIcs({ conference }: Program, events: readonly ProgramEvent[], name: string) {
  // In bytes, without the space before what continues a line.
  ICAL.foldLength = 74
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', '-//Summit//Program//EN')
  calendar.addPropertyWithValue('calscale', 'GREGORIAN')
  calendar.addPropertyWithValue('method', 'PUBLISH')
  const title = [conference.title || conference.acronym, name].filter(Boolean).join(': ')
  if (title !== '') calendar.addPropertyWithValue('x-wr-calname', escapeText(cleanText(title)))
  calendar.addPropertyWithValue('x-wr-timezone', conference.time_zone)
  const head = calendar.toString().replace(/END:VCALENDAR$/, '')
  const written = await inTurns(events, (event) => `${toComponent(event).toString()}\r\n`)
  return `${head}${written.join('')}END:VCALENDAR\r\n`
}

function toComponent(event: ProgramEvent): ICAL.Component {
  const component = new ICAL.Component('vevent')
  const add = (name: string, text: string) => {
    if (text !== '') component.addPropertyWithValue(name, cleanText(text))
  }
  const addTime = (name: string, ms: number) => {
    component.addPropertyWithValue(name, ICAL.Time.fromJSDate(new Date(ms), true))
  }
  const { room, track, type, tags, speakers } = event
  const [start, end] = [Date.parse(event.starts_at), Date.parse(event.ends_at)]
  add('uid', event.guid)
  addTime('dtstamp', event.changedAt)
  addTime('last-modified', event.changedAt)
  component.addPropertyWithValue('sequence', event.sequence)
  addTime('dtstart', start)
  // Without an end, an event has no length; with one, it has to have some.
  if (end > start) addTime('dtend', end)
  add('summary', event.title)
  add('status', event.is_cancelled ? 'CANCELLED' : 'CONFIRMED')
  add('location', [room?.name, room?.building, room?.address].filter(Boolean).join(', '))
  const names = speakers.map(({ name }) => name).join(', ')
  const texts = [event.subtitle, names, toPlainText(event.description), toPlainText(event.details)]
  add('description', texts.filter((text) => text !== '').join('\n\n'))
  // A value of another type than text is not escaped: it ends where the line does.
  if (event.page !== '') component.addPropertyWithValue('url', toOneLine(event.page))
  const categories = [...new Set([track?.name ?? '', type, ...tags].map(cleanText))].filter((name) => name !== '')
  if (categories.length > 0) component.addPropertyWithValue('categories', '').setValues(categories)
  return component
}

/** Without control characters, of which ical.js leaves a carriage return as it is: some readers end a line there. */
const cleanText = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '')

const toOneLine = (text: string): string => cleanText(text).replace(/\s/g, '')

/** For a property that ical.js does not know. */
const escapeText = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n')
