// Every sentence of the console in English. Another language is another file of this shape.

import type { ProgramFileName } from '../../contract/program-export.ts'

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
      'import program': 'The file is imported.',
      'import images': 'The pictures are imported. Attendees see them already.',
      updateConference: 'Saved. Attendees see it already.',
      undoRevision: 'Undone.',
    } as Readonly<Record<string, string>>,
  },

  overview: {
    title: 'Overview',
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

  import: {
    title: 'Import a program',
    view: 'Program',
    lead: 'Choose the file that has the program. First you see what it would change; nothing changes before you say so.',
    file: 'File with the program',
    fileHint:
      'A spreadsheet saved as CSV, with at least a title and a start for each session; schedule.xml or schedule.json of frab, ' +
      'pretalx and Pentabarf; JSON of Sessionize; an iCalendar file (.ics); or a zip of these. In Excel, LibreOffice or ' +
      'Google Sheets, save the sheet as CSV first. You can also drop the file here.',
    visibility: 'When do attendees see it?',
    draft: 'Sessions become drafts: attendees see them once you publish.',
    atOnce: 'At once.',
    partsAtOnce: 'Rooms, tracks, speakers and the settings of the conference are changed at once in any case.',
    options: 'Options',
    source: 'Name of the program',
    sourceHint: 'If you import several files, such as talks and workshops, each has a name of its own. Empty: program.',
    zone: 'Time zone of the file',
    zoneOfConference: 'As the file says, or else that of the server',
    firstDay: 'First day',
    firstDayHint: 'For a file that says only “Thursday” or “Day 2”.',
    dates: 'Order of dates such as 03/04/2030',
    dateOrders: [
      ['', 'As the file says'],
      ['day-first', '3 April: day first'],
      ['month-first', '4 March: month first'],
      ['year-first', 'Year first'],
    ] as const,
    encoding: 'Encoding',
    encodingHint:
      'If letters such as ü or č come out wrong: windows-1252, windows-1250 and the like. Empty: as the file says.',
    onlyDays: 'The file has only some days. Sessions of other days stay as they are.',
    partial: 'The file has only some sessions. All others stay as they are.',
    /** By the options of the command of the same use. */
    commandOptions: {
      source: '“Name of the program” under Options',
      'first-day': '“First day” under Options',
      dates: '“Order of dates” under Options',
      encoding: '“Encoding” under Options',
      'same-person': '“Rows with another e-mail address” under Options',
      venues: 'send both in one zip',
      speakers: 'send both in one zip',
    } as Readonly<Record<string, string>>,
    advise: 'choose',
    plan: 'Show what it would change',
    another: 'Another file, or other options',
    sending: 'Sending the file…',
    reading: 'Reading the file…',
    notSent: 'The file could not be sent. Check the connection, and choose the file again if you have changed it.',
    noFile: 'Choose a file.',
    again: 'Choose the same file again',
    againHint: 'Nothing of the file is stored until you import it.',
    notReadable: 'This file cannot be imported. Nothing has been changed.',
    notConfirmed: 'Much of your program is not in it. Say whether it is the whole program before you import it.',
    megabytes: (n: number) => `${n} MB`,
    mend: 'Mend this in the file, or choose another one, and send it again.',
    changed:
      'The program has changed since you saw this plan. Nothing has been imported. Here is the plan as it is now:',
    changedJustNow: 'The program was changed at this moment. Nothing has been imported. Send the file again.',
    otherOption: 'Here is what the file changes if it has only some sessions. Nothing has been imported yet.',

    planTitle: 'What this file changes',
    nothing: 'Nothing: all that is in the file is in the program already.',
    changes: {
      new: 'new',
      moved: 'moved',
      retitled: 'retitled',
      changed: 'changed otherwise',
      cancelled: 'cancelled',
      unchanged: 'unchanged',
    },
    groups: { new: 'New', moved: 'Moved', retitled: 'Retitled', changed: 'Changed', cancelled: 'Cancelled' },
    format: 'Format',
    days: 'Days',
    dayCount: (n: number) => count(n, 'day', 'days'),
    rooms: 'Rooms',
    leftAlone: (n: number) =>
      `${count(n, 'session that is', 'sessions that are')} already here stay as they are: the file does not speak for them.`,
    look: 'Look at this first',
    sameProgram: (n: number, all: number, source: string) =>
      `${n} of the ${count(all, 'new session', 'new sessions')} are here already, in the program “${source}”. They would be ` +
      `listed twice. If it is the same program, write “${source}” into Options, Name of the program.`,
    losses: 'Is this the whole program?',
    unrelated: (n: number) =>
      n === 1
        ? 'Your only session is not in this file.'
        : `None of your ${count(n, 'session', 'sessions')} is in this file.`,
    missing: (n: number, all: number) => `${n} of your ${count(all, 'session', 'sessions')} are not in this file.`,
    replaced: (n: number) =>
      `${count(n, 'session has', 'sessions have')} an id that the file gives to another session. Perhaps it only numbers its rows.`,
    dayLeftOut: (day: string, n: number) =>
      `The file has nothing on ${day}, where you have ${count(n, 'session', 'sessions')}.`,
    whole: 'Yes. Cancel what is not in the file.',
    part: 'No, it has only some sessions. Leave all others as they are.',
    chosen: 'Neither. Import only what is ticked below.',
    clashes: (n: number) => `${count(n, 'clash', 'clashes')}: two sessions at the same time`,
    clash: { room: 'in the room', speaker: 'with the speaker' },
    remarks: (n: number) => count(n, 'remark on a line', 'remarks on lines'),
    remarkKinds: { skipped: 'Left out', assumed: 'Assumed', unused: 'Not used' },
    line: (n: number) => `line ${n.toLocaleString('en')}`,
    sharedIds: (n: number) =>
      `${count(n, 'session has', 'sessions have')} the id of a session of another day, and are taken for others`,
    conferenceLeftAlone: 'The settings of the conference stay, since it has sessions of other programs. The file says:',
    withoutId: (n: number) =>
      `${count(n, 'session', 'sessions')} without an id: a later import recognizes such sessions by title, time, room and speakers.`,
    sessions: 'Sessions',
    choose: 'What is not ticked stays as it is.',
    tickAll: 'Tick all',
    tickNone: 'Tick none',
    tooMany: (n: number) => `These are more than ${n.toLocaleString('en')}, so they can only be imported together.`,
    reverted: 'Changed here since the spreadsheet was written: it gets the older values',
    hasDraft: 'Has changes that are not published',
    parts: 'Rooms, tracks and speakers',
    partKinds: { conference: 'Conference', room: 'Room', track: 'Track', speaker: 'Speaker' },
    partChanges: { new: 'new', changed: 'changed' },
    unused: 'In the file, but not used',
    unusedCount: (n: number) => `${n.toLocaleString('en')}×`,
    more: (n: number) => `And ${n.toLocaleString('en')} more.`,
    apply: 'Import',
    imported: (n: number, isDraft: boolean) =>
      isDraft
        ? `${count(n, 'session was', 'sessions were')} imported as drafts. Look through them, then publish.`
        : `${count(n, 'session was', 'sessions were')} imported. Attendees see them already.`,
    toSessions: 'Sessions',
    toPublish: 'Publish',
    toHistory: 'All imports, and undo: History',
  },

  importParticipants: {
    title: 'Import participants',
    view: 'Participants',
    lead: 'Choose the list of participants, such as that of your ticket shop. First you see what it would change.',
    file: 'File with participants',
    fileHint:
      'A spreadsheet saved as CSV, with the e-mail address or the employee number of each person. Of an Excel or LibreOffice ' +
      'file, save the sheet as CSV first. You can also drop the file here.',
    samePerson: 'Rows with another e-mail address are the person with their number or name, who gets the new address.',
    samePersonHint: 'They sign in with the new address then, and are signed out everywhere. Check those rows first.',
    planTitle: 'What this file changes',
    nothing: 'Nothing: everybody in the file is here already.',
    people: 'Participants',
    changes: { new: 'new', changed: 'changed', unchanged: 'unchanged' },
    groups: { new: 'New', changed: 'Changed' },
    differences: (names: string) => `Changed: ${names}`,
    erased: (n: number) =>
      `${count(n, 'participant was', 'participants were')} erased since the last import. Whoever of them is still in the file is ` +
      'among the new ones: remove them from the file, or leave them out below.',
    changed:
      'The participants have changed since you saw this plan. Nothing has been imported. Here is the plan as it is now:',
    imported: (n: number) => `${count(n, 'participant was', 'participants were')} imported.`,
    undo: 'Participants cannot be removed again from here. On the server, this command takes the import back:',
  },

  importImages: {
    title: 'Import photos and banners',
    view: 'Photos',
    lead:
      'Choose pictures whose file names say whom or what they show: “Ana Cruz.jpg” is the photo of the speaker Ana Cruz, ' +
      '“Small boats.png” the banner of that session, and “42.photo.png” the photo of session 42.',
    files: 'Pictures',
    filesHint: 'JPEG, PNG, WebP, GIF or AVIF. You can also drop them here. Attendees see them at once.',
    plan: 'Show where they go',
    again: 'Choose the same pictures again',
    withoutScript: 'At most ten at a time, unless the server is set otherwise.',
    apply: 'Import',
    sourceHint: 'If sessions of several programs have the same title: the name of the one that the pictures are for.',
    gone: 'A session or speaker was deleted meanwhile. Nothing has been imported: choose the pictures again.',
    checking: 'Looking for whom they are…',
    planTitle: 'Where these pictures go',
    resultTitle: 'Where these pictures went',
    matched: (n: number) => `${count(n, 'picture', 'pictures')} found a session or speaker`,
    unmatched: (n: number) => `${count(n, 'picture', 'pictures')} left out`,
    rename: 'Rename these files, and choose them again.',
    pictures: { banner: 'Banner of', photo: 'Photo of' },
    changes: { new: '', replaced: 'replaces another', unchanged: 'is there already' },
    none: 'Choose at least one picture.',
    progress: (done: string, all: string) => `${done} of ${all} imported`,
    go: 'Go on',
    notSent: 'not sent; try again',
  },

  exports: {
    title: 'Exports',
    view: 'Exports',
    lead: 'The program in formats that other software reads. Only what is published is in them.',
    open: 'Anybody can read these addresses. Give them to attendees and to whoever runs displays, recordings or an app.',
    closed:
      'These addresses work for whoever is signed in. An app that cannot sign in needs a secret address, which takes the place ' +
      'of all that is before /api. On the server, this command makes one:',
    address: 'Address',
    download: (file: string) => `Download ${file}`,
    files: {
      'sessions.csv': ['Spreadsheet', 'A row for each session, to edit and to import again.'],
      'schedule.ics': ['Calendar', 'To subscribe to in Apple Calendar, Google Calendar, Outlook or Thunderbird.'],
      'schedule.xml': [
        'Schedule apps',
        'For Giggity, EventFahrplan, info-beamer and the tools of c3voc: frab and pretalx read it, too.',
      ],
      'schedule.json': ['Schedule as JSON', 'The same for tools that read JSON.'],
      'all.json': ['Sessionize, all data', 'For apps and web pages that read the API of Sessionize.'],
      'gridsmart.json': ['Sessionize, schedule grid', 'The same as a grid of days, times and rooms.'],
      'releases.atom': ['News of the program', 'For feed readers: what was changed with each publication.'],
    } satisfies Record<ProgramFileName, [name: string, use: string]>,
    others: 'Participants, feedback and everything else are exported by a command on the server:',
  },
}
