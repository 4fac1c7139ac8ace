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
  unpublished: (tab: string, n: number) => `${tab} (${n.toLocaleString('en')})`,
  /** Behind a list that is cut. */
  more: (n: number) => `and ${n.toLocaleString('en')} more`,
  save: 'Save',
  cancel: 'Cancel',

  keptForm: {
    title: 'You are signed out',
    body:
      'Your session has ended, so nothing was saved. What you have typed is kept on this page; only files have to be ' +
      'chosen again. Sign in again in another tab, come back, and send it again.',
    signIn: 'Sign in, in another tab',
    send: 'Send again',
  },

  gone: {
    title: 'It is gone',
    body:
      'This was deleted while you changed it, so nothing was saved. What you have typed is below, for you to ' +
      'copy. What can be brought back is in the history.',
    field: (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll(/[_-]/g, ' ')}`,
  },

  notices: {
    invalid: (n: number) =>
      `${n === 1 ? 'One field needs' : `${n} fields need`} another value. Nothing has been saved.`,
    changedMeanwhile:
      'This was changed meanwhile, by somebody else or in another tab. Nothing is lost: what you have typed is below, and ' +
      'what was changed is marked. Save again if it is right.',
    changedSinceShown:
      'A session was changed since this page was shown, so nothing was done. It is below as it is now. Send again if it is ' +
      'right.',
    theirs: (value: string) => (value === '' ? 'Emptied meanwhile.' : `Changed meanwhile to: ${value}`),
    taken: 'Changed meanwhile.',
    inUse: 'Nothing has been saved: sessions are in what you wanted to remove. They are named below.',
    unchanged: 'Nothing was changed.',
    changed: (records: number) => `Done: ${count(records, 'record was', 'records were')} changed.`,
    undo: 'Undo',
    redo: 'Redo',
    redone: 'Done again.',
    undoBlocked: 'Nothing has been undone, since some of it was changed again. See below what you can do.',
    /** By the operation that has made a revision. */
    commands: {
      'import program': 'The file is imported.',
      'import images': 'The pictures are imported. Attendees see them already.',
      createEvent: 'Created. Attendees see it once it is published.',
      updateEvent: 'Saved.',
      'updateEvent publication': 'Saved and published. Attendees see it now.',
      deleteEvent: 'Deleted. Attendees who see it do so until this is published.',
      setBanner: 'The picture is saved.',
      updateConference: 'Saved. Attendees see it already.',
      setRooms: 'Saved. Attendees see it already.',
      setTracks: 'Saved. Attendees see it already.',
      setLogo: 'Saved. Attendees see it already.',
      createSpeaker: 'Created. Attendees see speakers of published sessions.',
      updateSpeaker: 'Saved. Attendees see it already.',
      setSpeakerPhoto: 'Saved. Attendees see it already.',
      undoRevision: 'Undone.',
      publish: 'Published. Attendees see it now.',
      discardDraft: 'Discarded. Attendees have seen nothing of it.',
    } as Readonly<Record<string, string>>,
  },

  overview: {
    title: 'Overview',
    welcome: {
      title: 'Three steps to a program that attendees see',
      steps: [
        'Say what the conference is called, when it is, and in which time zone.',
        'Import its sessions from a spreadsheet or another tool, or write them here.',
        'Publish. Until then, attendees see none of it.',
      ],
    },
    next: {
      import: 'Import a program',
      create: 'Create a session',
      publishSessions: (n: number) => `Publish ${count(n, 'session', 'sessions')}`,
      publishChanges: (n: number) => `Publish ${count(n, 'change', 'changes')}`,
      attendeesView: 'See it as attendees do',
      onNow: 'See what is on now',
    },
    numbers: {
      sessions: 'Sessions',
      published: (published: number, unpublished: number) =>
        unpublished === 0
          ? 'all published'
          : published === 0
            ? 'not published'
            : `${published.toLocaleString('en')} published, ${unpublished.toLocaleString('en')} not`,
      speakers: 'Speakers',
      rooms: 'Rooms',
      participants: 'Participants',
    },
    toDo: 'What is left to do',
    nothingToDo: 'Nothing is left to do.',
    doneCount: (n: number) => `What is done (${n})`,
    others: 'Other organizers',
    othersHint:
      'They come in with a link that works once. A command on the server prints one, for an editor of the program or ' +
      'with another role: owner, moderator, desk or reader.',
    states: {
      todo: 'To do',
      warning: 'Warning',
      unknown: 'Not known',
      done: '✓ Done',
      unneeded: 'Not needed',
    },
    links: {
      name: 'Name it',
      days: 'Set the days',
      zone: 'Choose the time zone',
      publish: 'Publish',
      import: 'Import',
      rooms: 'Rooms',
      clashes: 'Show the clashes',
      roomless: 'Sessions without a room',
      timeless: 'Sessions without a time',
      speakers: 'Show the speakers',
    },
    checks: {
      noName: 'The conference has no name.',
      name: (name: string) => `The conference is called ${name}.`,
      noDays: 'It is not set when the conference is.',
      days: (days: string) => `It takes place on ${days}.`,
      daysOfSessions: (days: string) => `It takes place on ${days}, the days of its sessions.`,
      noZone: (zone: string) => `No time zone is set. Times are those of ${zone}, as the server is set.`,
      zone: (zone: string) => `All times are those of ${zone}.`,
      noSessions: 'There are no sessions yet.',
      neverPublished: 'Attendees see no sessions: nothing has been published.',
      unpublished: (changes: string) => `Attendees do not see everything yet: ${changes}.`,
      newSessions: (n: number) => count(n, 'new session', 'new sessions'),
      changedSessions: (n: number) => count(n, 'changed session', 'changed sessions'),
      removedSessions: (n: number) => count(n, 'deleted session', 'deleted sessions'),
      published: (n: number) => `Attendees see ${n === 1 ? 'the session' : `all ${n.toLocaleString('en')} sessions`}.`,
      noRooms: 'There are no rooms yet.',
      namelessRooms: (n: number) => `${count(n, 'room has', 'rooms have')} no name.`,
      rooms: (n: number) => `${n === 1 ? 'The room has a name' : `All ${n.toLocaleString('en')} rooms have names`}.`,
      clashes: (n: number) =>
        `${n >= 1_000 ? 'At least ' : ''}${count(n, 'pair of sessions shares', 'pairs of sessions share')} a room or a speaker at the same time.`,
      noClashes: 'No two sessions share a room or a speaker at the same time.',
      timeless: (n: number) => `${count(n, 'session has', 'sessions have')} no time.`,
      roomless: (n: number) => `${count(n, 'session has', 'sessions have')} no room.`,
      placed: 'Every session has a room and a time.',
      linkedPhotos: (n: number) =>
        n === 1
          ? 'The picture of 1 speaker is a link to another site. Attendees see initials until it is uploaded here.'
          : `The pictures of ${n.toLocaleString('en')} speakers are links to other sites. Attendees see initials until they are uploaded here.`,
      photos: 'No picture of a speaker depends on another site.',
      mail: 'Participants sign in with codes by mail, which this server can send.',
      noMailInOpen: 'Mail: participants do not sign in, so nothing has to be sent.',
      noMail: 'Mail: participants sign in with the links that you give them, so nothing has to be sent.',
      localOnly:
        'Only the computer of the server opens these pages. For all others, whoever runs the server sets PUBLIC_URL to an ' +
        'https address, and ACCESS to who may read and write.',
      anyone:
        'Anyone who opens the address can write as anyone. Before it is known to attendees, whoever runs the server sets ' +
        'ACCESS to public or members.',
      unencrypted:
        'People sign in without encryption, so others in their network can read along. Whoever runs the server sets ' +
        'PUBLIC_URL to an https address.',
      public: 'Anyone can read the program; whoever writes signs in, with encryption.',
      members: 'Only participants and organizers read and write, with encryption.',
      noBackup: 'Nothing is backed up. Whoever runs the server sets BACKUP_TO to a place on another disk.',
      noBackupKnown: 'No backup is known to be good yet: the first one is still to be made and verified.',
      neverBackedUp:
        'No backup is known to be good, and none is made by itself. Whoever runs the server sets BACKUP_EVERY.',
      backup: (time: string, size: string) => `Verified backup of ${time}, ${size}.`,
      lateBackup: (time: string, size: string) =>
        `Verified backup of ${time}, ${size}. The next one is late: whoever runs the server finds the reason in its log.`,
      lastBackup: (time: string, size: string) =>
        `Verified backup of ${time}, ${size}. No other is made by itself: whoever runs the server sets BACKUP_TO and ` +
        'BACKUP_EVERY.',
    },
    size: (bytes: number) =>
      bytes < 1e6 ? 'less than 1 MB' : bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`,
  },

  sessions: {
    title: 'Sessions',
    create: 'New session',
    states: {
      all: 'All',
      unpublished: 'Not published',
      new: 'New',
      changed: 'Changed',
      removed: 'To be deleted',
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
    previous: 'Earlier sessions',
    next: 'Later sessions',
  },

  /** What changes of a session, by the members of the contract; `when` is both its start and its end. */
  sessionMembers: {
    title: 'Title',
    subtitle: 'Subtitle',
    when: 'Time',
    starts_at: 'Start',
    ends_at: 'End',
    day: 'Day',
    room_id: 'Room',
    track_id: 'Track',
    speaker_ids: 'Speakers',
    description: 'Description',
    details: 'Details',
    type: 'Type',
    language: 'Language',
    tags: 'Tags',
    links: 'Links',
    license: 'Licence',
    do_not_record: 'Recording',
    is_cancelled: 'Status',
    activities: 'Parts',
    code: 'Code',
    slug: 'Slug',
  } as Readonly<Record<string, string>>,

  publish: {
    title: 'Publish',
    groups: {
      cancelled: 'Cancelled',
      moved: 'Moved',
      new: 'New',
      retitled: 'New title',
      speakers: 'Other speakers',
      restored: 'Takes place after all',
      removed: 'Deleted',
      other: 'Other changes',
    },
    otherHint: 'Attendees see these in the program, but the list of changes does not name them.',
    removedHint: 'They leave the program without a word. To tell attendees, cancel a session instead.',
    unpublished: (n: number) =>
      `${count(n, 'session is', 'sessions are')} not published as you see ${n === 1 ? 'it' : 'them'} in the console.`,
    first: (n: number) => `The program goes out: ${count(n, 'session', 'sessions')}`,
    choose: 'Choose sessions',
    show: (n: number) => `Show ${count(n, 'session', 'sessions')}`,
    many: (n: number) => `All ${n.toLocaleString('en')} are published together. To publish one alone, open it.`,
    all: 'All',
    none: 'None',
    chosen: 'Chosen sessions:',
    tick: (title: string) => `Publish “${title}”`,
    note: 'Note to attendees',
    noteHint: 'Attendees read it above the list of changes. You may leave it empty.',
    publish: 'Publish',
    /** The button, by how many sessions are chosen; `#` is the number. */
    publishOne: 'Publish 1 session',
    publishMany: 'Publish # sessions',
    preview: 'What attendees will read',
    previewShow: 'Show what attendees will read',
    previewOf: 'Of the sessions and the note as they were when this page was loaded.',
    previewEmpty: 'Nothing: the list of changes does not name what is chosen. Write a note to tell them.',
    seen: 'What attendees see',
    discard: 'Discard',
    discardHint:
      'The changes of the chosen sessions are lost: they become again what attendees see. New sessions stay, and are ' +
      'deleted on their own pages. You can undo it.',
    discardChosen: 'Discard the changes of chosen sessions',
    clashes: (n: number) => `${count(n, 'clash', 'clashes')} among what will be published`,
    clashRoom: (room: string) => `at the same time in ${room}:`,
    clashSpeaker: (speaker: string) => `at the same time with ${speaker}:`,
    and: 'and',
    empty: 'Everything is published',
    emptyHint:
      'Attendees see the program as you do. What you change of a session next is listed here until you publish it.',
    nothing: 'There is no session yet',
    nothingHint: 'Import a file or create a session. It is listed here until you publish it.',
    newest: 'The newest publication',
  },

  history: {
    title: 'History',
    empty: 'Nothing has been changed yet',
    emptyHint: 'Each import, change and publication is listed here, and can be undone.',
    /** What a list of one kind has. */
    only: { import: 'Imports.', edit: 'Changes.', publication: 'Publications.', undo: 'What was undone.' },
    all: 'Show everything',
    operator: 'the operator',
    newer: 'Newer',
    older: 'Older',
    /** What a revision has done, by its command. */
    commands: {
      'import program': (file: string) => `Imported ${file || 'a program'}`,
      'import participants': (file: string) => `Imported participants${file && ` from ${file}`}`,
      'import images': (file: string) => `Imported pictures${file && ` from ${file}`}`,
      createEvent: () => 'Created a session',
      updateEvent: () => 'Changed a session',
      deleteEvent: () => 'Deleted a session',
      discardDraft: () => 'Discarded changes',
      publish: () => 'Published',
      updateConference: () => 'Changed the conference',
      setRooms: () => 'Changed the rooms',
      setTracks: () => 'Changed the tracks',
      createSpeaker: () => 'Created a speaker',
      updateSpeaker: () => 'Changed a speaker',
      setLogo: () => 'Changed the logo',
      setBanner: () => 'Changed the picture of a session',
      setSpeakerPhoto: () => 'Changed the picture of a speaker',
    } as Readonly<Record<string, (file: string) => string>>,
    named: (said: string, title: string) => `${said}: “${title}”`,
    records: (said: string, n: number) => `${said}: ${count(n, 'record', 'records')}`,
    sessions: (said: string, n: number) => `${said}: ${count(n, 'session', 'sessions')}`,
    undid: (said: string) => `Undid: ${said}`,
    redid: (said: string) => `Redid: ${said}`,
    /** A change that is on another page. */
    change: (id: string) => `change ${id}`,
    number: (id: string) => `No. ${id}`,
    isPublished: 'Published',
    isUndone: 'Undone',
    undoNamed: (said: string) => `Undo “${said}”`,
    redoNamed: (said: string) => `Redo “${said}”`,
    onlyCommand: 'Only a command can undo it, as it removes people for good:',

    undoTitle: 'Undo',
    redoTitle: 'Redo',
    goneTitle: 'It has been undone already, or there is no such change.',
    groups: {
      blocked: 'Changed since, so it stays',
      returned: 'Comes back',
      restored: 'Becomes as it was',
      removed: 'Removed',
      stays: 'Stays, as it is still needed',
      gone: 'Is not there any more',
    },
    undo: 'Undo',
    redo: 'Redo',
    undoOthers: 'Undo the others, keep these',
    redoOthers: 'Redo the others, keep these',
    allBlocked: 'All of it was changed since, so nothing can be undone. Undo the later changes first.',
    nothingToUndo: 'Nothing of it can be undone as it is.',
  },

  /** Of lists that are saved as a whole. */
  lists: {
    place: 'Place',
    remove: 'Remove',
    fresh: 'New',
    sessions: (n: number) => count(n, 'session', 'sessions'),
    ofRow: (label: string, name: string) => (name === '' ? label : `${label} of ${name}`),
    added: 'Added meanwhile.',
    removed: 'Removed meanwhile. What you have typed is added again when you save.',
    reordered: 'The order was changed meanwhile.',
  },

  rooms: {
    title: 'Rooms',
    hint: 'To move a room, give it another place. To add one, use the empty rows at the end.',
    name: 'Name',
    building: 'Building',
    address: 'Address',
    capacity: 'Seats',
    description: 'Description',
    inUse: 'These sessions are in this room, or leave it only when they are published. Until then it stays:',
  },

  tracks: {
    title: 'Tracks',
    hint: 'To move a track, give it another place. To add one, use the empty rows at the end.',
    name: 'Name',
    color: 'Colour',
    plain: 'No colour',
    inUse: 'These sessions are in this track, or leave it only when they are published. Until then it stays:',
  },

  picture: {
    hint: 'Drop a file here, or choose one: JPEG, PNG, WebP, GIF or AVIF.',
    again: 'Choose the file again.',
    none: 'Choose an image.',
    add: 'Add the picture',
    replace: 'Replace the picture',
    remove: 'Remove the picture',
  },

  speakers: {
    title: 'Speakers',
    create: 'New speaker',
    search: 'Search the speakers',
    placeholder: 'Name, company',
    find: 'Search',
    show: 'Show',
    states: {
      all: 'All',
      sessionless: 'Without a session',
      faceless: 'Without a photo',
      elsewhere: 'Photo on another site',
    },
    found: (n: number, all: number) => `${n.toLocaleString('en')} of ${count(all, 'speaker', 'speakers')}`,
    elsewhere: (n: number) =>
      `${n === 1 ? 'One photo is' : `${n.toLocaleString('en')} photos are`} on another site. Attendees see initials instead, ` +
      'until somebody adds the photo here.',
    showThem: 'Show them',
    nobodyFound: 'Nobody fits all of this.',
    showAll: 'Show all',
    empty: 'No speakers yet',
    emptyHint: 'Import the spreadsheet or file that you have, or create the first one by hand.',
    import: 'Import a file',
    previous: 'Previous page',
    next: 'Next page',
    erased: 'The speaker has been erased.',
  },

  speaker: {
    nameless: 'No name',
    fresh: 'New speaker',
    create: 'Create speaker',
    name: 'Name',
    position: 'Position',
    company: 'Company',
    biography: 'About them',
    links: 'Links',
    linksHint: 'A link without an address is removed when you save.',
    linkTitle: (n: number) => `Title of link ${n}`,
    linkUrl: (n: number) => `Address of link ${n}`,
    photo: 'Photo',
    choosePhoto: 'Choose a photo',
    photoElsewhere: 'The photo is on another site, so attendees see initials. Add it here to show it:',
    sessions: (n: number) => count(n, 'session', 'sessions'),
    sessionsTitle: 'Sessions',
    noSessions: 'None yet. Speakers are added to a session on its page.',
    notPublished: 'Not published',
    erase: 'Erase this speaker',
    eraseTitle: (name: string) => `Erase ${name}?`,
    eraseHint:
      'All that is stored about this person is deleted: name, texts, links and photos, also in the history. This cannot be ' +
      'undone, and a backup that is restored later does not bring it back.',
    eraseSessions: 'These sessions stay, without this speaker:',
    eraseNoSessions: 'No session has this speaker.',
    eraseNow: (name: string) => `Erase ${name} for good`,
  },

  settings: {
    title: 'Settings',
    conference: 'Conference',
    name: 'Name',
    acronym: 'Short name',
    acronymHint: 'Where there is little space, as on a phone.',
    url: 'Page of the conference',
    urlHint: 'An address that begins with https://.',
    daysAndZone: 'Days and time zone',
    firstDay: 'First day',
    lastDay: 'Last day',
    daysHint: 'Without them, the first and the last day of the sessions.',
    zone: 'Time zone',
    zoneHint: 'All times of the program are times there.',
    colour: 'Colour',
    hue: 'Hue',
    hueHint: 'A number of degrees round the colour wheel, from 0 to 359; empty for that of Summit.',
    hueRange: 'Hue must be a whole number from 0 to 359, or empty.',
    hueChoice: 'Choose the hue',
    ownHue: 'Summit’s own colour',
    sample: {
      button: 'Main button',
      other: 'Button',
      link: 'A link',
      tag: 'Tag',
      notice: 'A notice, in the colour that you have chosen.',
    },
    logo: 'Logo',
    chooseLogo: 'Choose a logo',
    logoHint: 'Beside the name, at the top of every page. A square picture looks best.',
  },

  import: {
    title: 'Import a program',
    view: 'Program',
    lead: 'Choose the file that has the program. First you see what it would change; nothing changes before you say so.',
    file: 'File with the program',
    fileHint:
      'A spreadsheet as an Excel workbook (.xlsx) or CSV, with at least a title and a start for each session; schedule.xml or ' +
      'schedule.json of frab, pretalx and Pentabarf; JSON of Sessionize; an iCalendar file (.ics); or a zip of these. From Google ' +
      'Sheets, download it as Microsoft Excel; in LibreOffice, save a copy as .xlsx. You can also drop the file here.',
    participants:
      'A list of participants is imported here where they sign in (ACCESS is members or public), by the desk or an owner; ' +
      'elsewhere by a command on the server:',
    visibility: 'When do attendees see it?',
    draft: 'Sessions become drafts: attendees see them once you publish.',
    atOnce: 'At once.',
    partsAtOnce: 'Rooms, tracks, speakers and the settings of the conference are changed at once in any case.',
    options: 'Options',
    source: 'Name of the program',
    sourceHint: 'If you import several files, such as talks and workshops, each has a name of its own. Empty: program.',
    zone: 'Time zone of the file',
    zoneOfConference: 'As the file says, or else that of the conference',
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
    busy: (seconds: number) =>
      `The server is reading the files of others at the moment. Nothing has been imported. Try again in ${count(seconds, 'second', 'seconds')}.`,
    kept: 'What you chose of the plan is still here.',
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
      n === 1
        ? 'One session that is already here stays as it is: the file does not speak for it.'
        : `${count(n, 'session', 'sessions')} that are already here stay as they are: the file does not speak for them.`,
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
    /** In place of a value. */
    noValue: 'none',
    tooMany: (n: number) => `These are more than ${n.toLocaleString('en')}, so they can only be imported together.`,
    edited: 'Changed here since the last import',
    editedLead: 'Not ticked, your change stays. Ticked, the session gets what the file says.',
    editedTogether: 'These sessions get what the file says, and your changes are lost.',
    reverted: 'Changed here since the spreadsheet was written: it gets the older values',
    hasDraft: 'Has changes that are not published',
    parts: 'Rooms, tracks and speakers',
    partKinds: { conference: 'Conference', room: 'Room', track: 'Track', speaker: 'Speaker' },
    partChanges: { new: 'new', changed: 'changed' },
    unused: 'In the file, but not used',
    unusedColumns: (n: number) => count(n, 'column is not used', 'columns are not used'),
    unusedHint:
      'To use a column, give it another heading, such as Title, Description, Start, End, Room, Track, Speaker or Company, and ' +
      'choose the file again.',
    unusedCount: (n: number) => count(n, 'value', 'values'),
    apply: 'Import',
    imported: (n: number, isDraft: boolean) =>
      isDraft
        ? `${count(n, 'session was', 'sessions were')} imported as drafts. Look through them, then publish.`
        : `${count(n, 'session was', 'sessions were')} imported. Attendees see them already.`,
    toSessions: 'Sessions',
    toPublish: 'Publish',
    toHistory: 'History',
    past: 'Imports so far',
    allPast: 'All imports',
  },

  importParticipants: {
    title: 'Import participants',
    view: 'Participants',
    lead: 'Choose the list of participants, such as that of your ticket shop. First you see what it would change.',
    file: 'File with participants',
    fileHint:
      'A spreadsheet as an Excel workbook (.xlsx) or CSV, with the e-mail address or the employee number of each person. From ' +
      'Google Sheets, download it as Microsoft Excel; in LibreOffice, save a copy as .xlsx. You can also drop the file here.',
    samePerson: 'Rows with another e-mail address are the person with their number or name, who gets the new address.',
    samePersonHint: 'They sign in with the new address then, and are signed out everywhere. Check those rows first.',
    planTitle: 'What this file changes',
    nothing: 'Nothing: everybody in the file is here already.',
    people: 'Participants',
    changes: { new: 'new', changed: 'changed', unchanged: 'unchanged' },
    groups: { new: 'New', changed: 'Changed' },
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
    another: 'Other pictures',
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

  /** Of texts that are stored as HTML. */
  texts: {
    textHint: 'An empty line begins a paragraph, and “- ” an item of a list. Addresses become links.',
    htmlHint: 'This text has formatting that plain text has not, so it is shown as HTML.',
  },

  session: {
    newTitle: 'New session',
    title: 'Title',
    subtitle: 'Subtitle',
    start: 'Start',
    end: 'End',
    endHint: 'It moves with the start.',
    day: 'Day of the conference',
    dayHint: 'What starts after midnight may belong to the day before.',
    room: 'Room',
    track: 'Track',
    none: 'None',
    speakers: 'Speakers',
    speaker: (place: number) => `Speaker ${place}`,
    speakersHint: 'In order. Type a part of a name to find it; empty a field to take somebody off.',
    unknownSpeaker: (name: string) =>
      `There is no speaker “${name}”. Correct the name, or create this speaker with the button below the form.`,
    severalSpeakers: (name: string, labels: readonly string[]) =>
      `Several speakers are called “${name}”. Write ${labels.join(' or ')}.`,
    createSpeaker: (name: string) => `Create the speaker “${name}”`,
    speakerCreated: (name: string) => `“${name}” is a speaker now. The session is not saved yet.`,
    description: 'Description',
    details: 'Details',
    type: 'Type',
    typeHint: 'Such as Talk or Workshop.',
    language: 'Language',
    languageHint: 'Such as en or de.',
    tags: 'Tags',
    tagsHint: 'With commas between them.',
    links: 'Links',
    linksHint: 'One on each line: what it is, and behind it the address.',
    linkWithoutAddress: (line: number) => `Line ${line} needs an address at its end that begins with https://.`,
    license: 'Licence of recordings',
    doNotRecord: 'Must not be recorded',
    create: 'Create session',
    move: 'Move to…',
    see: 'As attendees see it',
    noTime: 'No time yet',
    draft: 'Not published',
    neverPublished: 'Not published: attendees do not see this session yet.',
    notPublished: 'Not published:',
    willBeRemoved: 'Deleted: attendees see it until this is published.',
    publish: 'Publish…',
    discard: 'Discard',
    keep: 'Keep the session',
    changed: (what: string) => `${what} changed`,
    fromTo: (what: string, from: string, to: string) => `${what}: ${from || '–'} → ${to || '–'}`,
    recorded: 'recorded',
    notRecorded: 'not recorded',
    cancelled: 'Cancelled',
    takesPlace: 'takes place',
    clashes: 'It clashes with what is at the same time:',
    publishHint: (save: string, saveAndPublish: string) =>
      `“${save}” is for you and other organizers until you publish it. “${saveAndPublish}” is for everybody at once.`,
    firstHint: 'Attendees do not see this session until you publish it.',
    withChanges: 'What else is not published of it, and would be:',
    banner: 'Picture',
    bannerLabel: 'Picture above the session',
    bannerHint: 'It is cropped to 16:9.',
    bannerHintPublished: 'It is cropped to 16:9. Attendees see it at once.',
    cancel: 'Cancel…',
    restore: 'Restore…',
    delete: 'Delete session',
    deleteHint: 'A deleted session is gone from the list. You can undo it.',
    deleteHintPublished:
      'A deleted session is gone from the program, without a word, once that is published. To tell attendees, cancel it ' +
      'instead. You can undo it.',
  },

  move: {
    title: (session: string) => `Move ${session}`,
    heading: 'Move to…',
    now: (slot: string) => `It is at: ${slot}`,
    day: 'Day',
    noDay: 'No day',
    time: 'Start',
    timeHint: 'It stays as long as it is.',
    room: 'Room',
    noRoom: 'No room',
    free: (room: string) => `${room} – free`,
    taken: (room: string, session: string) => `${room} – taken: ${session}`,
    look: 'See what clashes',
    lookFailed:
      'The server could not be asked what clashes. Which rooms are free is as it was before: press “See what clashes”.',
    noClash: (slot: string) => `Nothing clashes: ${slot}`,
    move: 'Move',
    moveAndPublish: 'Move and publish',
    needsDay: 'Choose a day, too.',
    needsTime: 'Choose a time, too.',
  },

  cancelling: {
    cancel: {
      title: (session: string) => `Cancel ${session}`,
      heading: 'Cancel session',
      hint:
        'A cancelled session stays in the program, crossed out, with “This session was cancelled.” That is kinder than one ' +
        'that has vanished.',
      save: 'Cancel session',
      saveAndPublish: 'Cancel and publish',
    },
    restore: {
      title: (session: string) => `Restore ${session}`,
      heading: 'Restore session',
      hint: 'It is cancelled. Restored, it takes place after all.',
      save: 'Restore session',
      saveAndPublish: 'Restore and publish',
    },
  },
}
