import ICAL from 'ical.js'
import { quote } from '../../../core/clean-text.ts'
import { isDay } from '../../../core/clock.ts'

/** A component that records the names of the properties that were read. */
class ObservedComponent extends ICAL.Component {
  readonly read = new Set<string>()

  override getFirstProperty(name: string): ICAL.Property | null {
    this.read.add(name)
    return super.getFirstProperty(name)
  }

  override getAllProperties(name: string): ICAL.Property[] {
    this.read.add(name)
    return super.getAllProperties(name)
  }
}

/** A component such as an event, without the components inside it, which are listed on their own. */
export interface CalendarComponent {
  line: number
  component: ObservedComponent
  /** The calendar that it is in; a file may have several. */
  calendar: ObservedComponent
  /** Whether its end is missing. */
  isOpen: boolean
}

export interface CalendarFile {
  /** Those of a calendar come after it. */
  components: CalendarComponent[]
  /** The mended faults, as sentences. */
  remarks: { line: number; message: string }[]
}

/** A property as jCal (RFC 7265): name, parameters, type and value. */
type JCalProperty = [string, Record<string, unknown>, string, unknown]

/** A property as written, unfolded; `name` is in upper case, and empty for a line that is none. */
interface ContentLine {
  line: number
  name: string
  text: string
}

/** Components within components; real ones have three. */
const maxDepth = 50

/**
 * Reads the components of a calendar, also of a malformed one: ends may be missing, and texts may go on in lines that are
 * not indented. ical.js reads one property at a time, so that one that it cannot read spoils no other.
 */
export function readComponents(text: string): CalendarFile {
  const { lines, remarks } = unfold(text)
  const components: CalendarComponent[] = []
  let calendar = new ObservedComponent('vcalendar')
  const begin = (line: number, component: ObservedComponent) => {
    if (component.name === 'vcalendar') calendar = component
    const begun = { line, component, calendar, isOpen: true }
    components.push(begun)
    return begun
  }
  const open = [begin(1, calendar)]
  for (const { line, name, text } of lines) {
    const value = text
      .slice(name.length + 1, 100)
      .trim()
      .toLowerCase()
    if (name === 'BEGIN') {
      const outer = open.at(-1)
      // An event cannot be inside another one. Each missing end is searched through all that are open.
      if (value === 'vevent' || value === 'vcalendar' || open.length >= maxDepth) open.length = 0
      const component = new ObservedComponent(value)
      if (/^(?:standard|daylight)$/.test(value)) outer?.component.addSubcomponent(component)
      open.push(begin(line, component))
    } else if (name === 'END') {
      const at = open.findLastIndex(({ component }) => component.name === value)
      for (const closed of at < 0 ? [] : open.splice(at)) closed.isOpen = closed.component.name !== value
    } else {
      if (name === 'VTIMEZONE') {
        const message = `${quote(text)} is not a property of iCalendar; it was taken as the time zone.`
        remarks.push({ line, message })
      }
      const { component } = open.at(-1) ?? { component: calendar }
      for (const property of readProperty(name, text)) component.jCal[1].push(property)
    }
  }
  return { components, remarks }
}

/** The value of a property of text; `''` if there is none. */
export function textIn(component: ICAL.Component, name: string): string {
  const property = component.getFirstProperty(name)
  const text = String(property?.getFirstValue() ?? '').trim()
  // ical.js decodes only the properties that it knows.
  return property?.type === 'unknown'
    ? text.replace(/\\([\\;,n])/gi, (_, each) => (/n/i.test(each) ? '\n' : each))
    : text
}

/** The names of the properties that were not read, each time that one has a value. */
export const unreadNames = ({ component }: CalendarComponent): string[] =>
  (component.jCal[1] as JCalProperty[]).flatMap(([name, , , value]) =>
    component.read.has(name) || value === '' ? [] : [name.toUpperCase()],
  )

/** Texts of an event that may go on in lines that are not indented. */
const freeTexts = /^(?:SUMMARY|DESCRIPTION|LOCATION|COMMENT)$/

function unfold(text: string): { lines: ContentLine[]; remarks: CalendarFile['remarks'] } {
  const parts: (Omit<ContentLine, 'text'> & { texts: string[] })[] = []
  const [added, skipped]: [number[], number[]] = [[], []]
  for (const [index, content] of text.split(/\r\n?|\n/).entries()) {
    const line = index + 1
    const name = nameOf(content)
    const last = parts.at(-1)
    if (name !== undefined) parts.push({ line, name, texts: [content] })
    else if (last && /^[ \t]/.test(content)) last.texts.push(content.slice(1))
    else if (last && last.name !== 'END' && content.trim() !== '') {
      const isText = freeTexts.test(last.name)
      if (isText) last.texts.push(`\\n${content}`)
      // Indented lines below it belong to it.
      else parts.push({ line, name: '', texts: [] })
      ;(isText ? added : skipped).push(line)
    }
  }
  const lines = parts.flatMap(({ line, name, texts }) => {
    const text = texts.join('')
    if (name !== '' && !text.includes(':')) skipped.push(line)
    return name === '' || !text.includes(':') ? [] : [{ line, name, text }]
  })
  return { lines, remarks: [...describe(added, 'added to the text above'), ...describe(skipped, 'skipped')] }
}

function describe(lines: number[], outcome: string): CalendarFile['remarks'] {
  const [line] = lines
  if (line === undefined) return []
  const subject = lines.length === 1 ? 'This line is' : `${lines.length} lines from here on are`
  return [{ line, message: `${subject} neither a property nor indented; ${outcome}.` }]
}

/**
 * The name of the property in a line. Names are written in one case: `Location: ask at the desk` is part of a text. So
 * are `https://…` and `NOTE: …`, while `CONCEPT:…` and `link;rel=…:…` are properties that a later standard may define.
 */
function nameOf(line: string): string | undefined {
  const [, written = '', rest = ''] = /^([A-Z][A-Z0-9-]*|[a-z][a-z0-9-]*)([;:].{0,30})/.exec(line.slice(0, 100)) ?? []
  const isKnown = Object.hasOwn(ICAL.design.icalendar.property, written.toLowerCase())
  const isProperty =
    isKnown ||
    /^(?:X-.*|BEGIN|END|VTIMEZONE)$/i.test(written) ||
    /^;[A-Z0-9-]+=/i.test(rest) ||
    (written !== '' && written === written.toUpperCase() && /^:[^ /]/.test(rest))
  return isProperty ? written.toUpperCase() : undefined
}

const dates = /^(?:DTSTART|DTEND|RECURRENCE-ID|RDATE|EXDATE)$/
const strictTypes = /^(?:RRULE|DURATION|TZOFFSETFROM|TZOFFSETTO)$/

/** More than any real property has; ical.js takes quadratic time for them. */
const maxParameters = 100

/** A property that ical.js can read: one value for each date of a list, and plain text instead of what is invalid. */
function readProperty(name: string, written: string): JCalProperty[] {
  // Names such as `(UTC+01:00) Berlin` have a colon, and often no quotes.
  const text = dates.test(name) ? written.replace(/;TZID=([^";]+):(?=\d{4}-?\d\d-?\d\d)/i, ';TZID="$1":') : written
  const head = headOf(text)
  const rest = text.slice((head || text.slice(0, text.indexOf(':') + 1)).length)
  const asText: JCalProperty = [name.toLowerCase(), {}, 'text', rest]
  try {
    if (head.split(';').length > maxParameters) return [asText]
    if (dates.test(name)) {
      const [, parameters] = ICAL.parse.property(`COMMENT${head.slice(name.length).replace(/;VALUE=[^;:]*/i, '')}`)
      return rest.split(',').map((value) => [name.toLowerCase(), parameters, ...typedDate(value.trim())])
    }
    const property = ICAL.parse.property(name === 'RRULE' ? head + withSeconds(rest.toUpperCase()) : text)
    if (strictTypes.test(name)) new ICAL.Property([...property]).getFirstValue()
    return [property]
  } catch {
    return [asText]
  }
}

/** The name and parameters of a property, up to the first colon outside quotes; `''` if there is none. */
function headOf(text: string): string {
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted
    else if (text[at] === ':' && !isQuoted) return text.slice(0, at + 1)
  }
  return ''
}

/** `20310314T0900`, also as ISO 8601, whose offset is ignored. */
const timestamp =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ]([01]\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d))?(?:[.,]\d+)?(?:(Z)|[+-]\d\d:?\d\d)?)?$/i

/** The type and value of a date, time or period in jCal; as text, if it is not valid. */
function typedDate(value: string): [type: string, value: unknown] {
  const [start = '', end] = value.split('/')
  const date = isoDate(start)
  if (date === undefined) return ['text', value]
  if (end === undefined) return [date.includes('T') ? 'date-time' : 'date', date]
  const isEnd = ICAL.Duration.isValueString(end) || isoDate(end) !== undefined
  return isEnd ? ['period', [date, isoDate(end) ?? end]] : ['text', value]
}

function isoDate(value: string): string | undefined {
  const [, year, month, day, hour, minute, second = '00', utc = ''] = timestamp.exec(value) ?? []
  const date = `${year}-${month}-${day}`
  if (!isDay(date)) return undefined
  return hour === undefined ? date : `${date}T${hour}:${minute}:${second}${utc.toUpperCase()}`
}

/** The end of a rule may lack its seconds. */
const withSeconds = (rule: string): string => rule.replace(/(UNTIL=\d{8}T\d{4})(?=Z?(?:;|$))/, '$100')
