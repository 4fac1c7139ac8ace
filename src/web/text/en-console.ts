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

  keptForm: {
    title: 'You are signed out',
    body:
      'Your session has ended, so nothing was saved. What you have typed is kept on this page; only files have to be ' +
      'chosen again. Sign in again in another tab, come back, and send it again.',
    signIn: 'Sign in, in another tab',
    send: 'Send again',
  },

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
