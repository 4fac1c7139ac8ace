/** A property as written, unfolded. */
export interface CalendarLine {
  /** 1-based. */
  line: number
  /** In upper case. */
  name: string
  /** The whole line, with its name, parameters and value. */
  text: string
}

/** A component such as an event, without the components inside it. */
export interface CalendarComponent {
  line: number
  /** In upper case: `VEVENT`. */
  name: string
  lines: CalendarLine[]
  /** Whether its end is missing. */
  isOpen: boolean
}

export interface Calendar {
  components: CalendarComponent[]
  /** The properties of the calendar itself. */
  lines: CalendarLine[]
  /** Lines that are neither properties nor indented; they were added to the text above them. */
  strays: { count: number; firstLine: number }
}

/** Properties that calendars have; any other name before a colon may be part of a text that is not folded. */
const knownNames = new Set(
  (
    'ACTION ATTACH ATTENDEE BEGIN CALSCALE CATEGORIES CLASS COLOR COMMENT COMPLETED CONFERENCE CONTACT CREATED ' +
    'DESCRIPTION DTEND DTSTAMP DTSTART DUE DURATION END EXDATE EXRULE FREEBUSY GEO IMAGE LAST-MODIFIED LOCATION METHOD ' +
    'NAME ORGANIZER PERCENT-COMPLETE PRIORITY PRODID RDATE RECURRENCE-ID REFRESH-INTERVAL RELATED-TO REPEAT ' +
    'REQUEST-STATUS RESOURCES RRULE SEQUENCE SOURCE STATUS STRUCTURED-DATA SUMMARY TRANSP TRIGGER TZID TZNAME ' +
    'TZOFFSETFROM TZOFFSETTO TZURL UID URL VERSION VTIMEZONE'
  ).split(' '),
)

/** Names are written in one case: `Location: ask at the desk` is part of a text. */
const property = /^([A-Z][A-Z0-9-]*|[a-z][a-z0-9-]*)(?=[;:])/

function nameOf(text: string): string | undefined {
  const name = property.exec(text.slice(0, 100))?.[1]?.toUpperCase()
  return name !== undefined && (name.startsWith('X-') || knownNames.has(name)) ? name : undefined
}

/** Splits a calendar into components and unfolded properties. Tolerates missing ends and lines that are not folded. */
export function splitCalendar(text: string): Calendar {
  const { lines, strays } = unfold(text)
  const calendar: Calendar = { components: [], lines: [], strays }
  const open: CalendarComponent[] = []
  for (const line of lines) {
    const component = line.text
      .slice(line.name.length + 1, 100)
      .trim()
      .toUpperCase()
    if (line.name === 'BEGIN') {
      // An event cannot be inside another one.
      if (component === 'VEVENT') open.length = 0
      if (component === 'VCALENDAR') continue
      const opened = { line: line.line, name: component, lines: [], isOpen: true }
      calendar.components.push(opened)
      open.push(opened)
    } else if (line.name === 'END') {
      const at = open.findLastIndex(({ name }) => name === component)
      for (const closed of at < 0 ? [] : open.splice(at)) closed.isOpen = closed.name !== component
    } else (open.at(-1) ?? calendar).lines.push(line)
  }
  return calendar
}

function unfold(text: string): { lines: CalendarLine[]; strays: Calendar['strays'] } {
  const parts: (Omit<CalendarLine, 'text'> & { texts: string[] })[] = []
  const strays = { count: 0, firstLine: 0 }
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const name = nameOf(line)
    const last = parts.at(-1)
    if (name !== undefined) parts.push({ line: index + 1, name, texts: [line] })
    else if (last && /^[ \t]/.test(line)) last.texts.push(line.slice(1))
    else if (last && last.name !== 'END' && line.trim() !== '') {
      last.texts.push(`\\n${line}`)
      if (strays.count === 0) strays.firstLine = index + 1
      strays.count += 1
    }
  }
  return { lines: parts.map(({ line, name, texts }) => ({ line, name, text: texts.join('') })), strays }
}
