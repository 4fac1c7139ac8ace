// Every sentence of the console in English. Another language is another file of this shape.

const count = (n: number, one: string, many: string): string => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

export const consoleText = {
  navigation: 'Console',
  tabs: {
    overview: 'Overview',
    program: 'Program',
    publish: 'Publish',
    import: 'Import',
    settings: 'Settings',
  },
  save: 'Save',
  cancel: 'Cancel',

  notices: {
    invalid: (n: number) =>
      `${n === 1 ? 'One field needs' : `${n} fields need`} another value. Nothing has been saved.`,
    changedMeanwhile:
      'Somebody else has changed this while you did. Nothing is lost: what you have typed is below, and what they have ' +
      'changed is marked. Save again if it is right.',
    theirs: (value: string) =>
      value === '' ? 'Somebody else has emptied this.' : `Somebody else has written: ${value}`,
    taken: 'Changed by somebody else meanwhile.',
    unchanged: 'Nothing was changed.',
    changed: (records: number) => `Done: ${count(records, 'record was', 'records were')} changed.`,
    undo: 'Undo',
    /** By the operation that has made a revision. */
    commands: {
      updateConference: 'Saved. Attendees see it already.',
      undoRevision: 'Undone.',
    } as Readonly<Record<string, string>>,
  },

  overview: {
    title: 'Overview',
  },

  sessions: {
    title: 'Sessions',
    create: 'New session',
    states: {
      all: 'All',
      unpublished: 'Not published',
      new: 'New',
      changed: 'Changed',
      removed: 'To be removed',
      clash: 'Clashing',
      timeless: 'Without a time',
      roomless: 'Without a room',
      cancelled: 'Cancelled',
    },
    statesLabel: 'Sessions by what is left to do',
    search: 'Search the sessions',
    placeholder: 'Title, speaker, room',
    find: 'Search',
    filters: 'Filters',
    day: 'Day',
    room: 'Room',
    track: 'Track',
    any: 'All',
    apply: 'Show',
    showAll: 'Show all',
    found: (n: number, all: number) => `${n.toLocaleString('en')} of ${count(all, 'session', 'sessions')}`,
    nothingFound: 'No session fits all of this.',
    empty: 'No sessions yet',
    emptyHint: 'Import the spreadsheet or file that you have, or create the first one by hand.',
    import: 'Import a file',
    withoutDay: 'Without a day',
    noTime: 'No time',
    noRoom: 'No room',
    clash: 'Clash',
    /** Before the other session. */
    sameRoom: 'Same room:',
    sameSpeaker: (name: string) => `Same speaker, ${name}:`,
    moreClashes: (n: number) => `and ${n} more`,
    previous: 'Earlier sessions',
    next: 'Later sessions',
  },

  history: {
    title: 'History',
  },

  settings: {
    title: 'Settings',
    name: 'Name of the conference',
    acronym: 'Short name',
    acronymHint: 'Where there is little space, as on a phone.',
    url: 'Page of the conference',
    days: 'Days',
    firstDay: 'First day',
    lastDay: 'Last day',
    daysHint: 'Without them, the first and the last day of the sessions.',
    zone: 'Time zone',
    zoneHint: 'All times of the program are times there.',
    zoneOfSettings: (zone: string) => `As the server is set (${zone})`,
    colour: 'Colour',
    hue: 'Hue',
    hueHint: 'A number of degrees round the colour wheel, from 0 to 359; empty for that of Summit.',
  },
}
