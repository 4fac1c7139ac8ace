// Every sentence of the pages in English. Another language is another file of this shape.

const count = (n: number, one: string, many: string): string => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

function fileSize(bytes: number): string {
  if (bytes < 1_000) return count(bytes, 'byte', 'bytes')
  const [unit, size] = bytes < 999_500 ? ['kB', 1_000] : ['MB', 1_000_000]
  return `${(bytes / size).toLocaleString('en', { maximumSignificantDigits: bytes < 999_500 ? 3 : 2 })} ${unit}`
}

export const text = {
  /** A language tag (BCP 47). */
  language: 'en',
  skip: 'Skip to the content',
  brand: 'Summit',
  nav: {
    label: 'Pages',
    now: 'Now',
    program: 'Program',
    plan: 'My plan',
    feed: 'Feed',
    people: 'People',
    speakers: 'Speakers',
  },
  account: { signIn: 'Sign in', me: 'Me' },
  footer: {
    releases: 'Changes of the program',
    speakers: 'Speakers',
    api: 'For developers',
    organizers: 'For organizers',
  },

  program: {
    title: 'Program',
    days: 'Days',
    search: 'Search the program',
    placeholder: 'Title, person, room',
    find: 'Search',
    filters: 'Filters',
    apply: 'Show',
    clear: 'Show all',
    any: 'All',
    track: 'Track',
    room: 'Room',
    language: 'Language',
    type: 'Type',
    found: (n: number, query: string) => `${n === 0 ? 'Nothing' : count(n, 'session', 'sessions')} for “${query}”`,
    foundMost: (n: number, query: string) => `The best ${n} sessions for “${query}”`,
    nothingFound: 'No session has all of these words. Try fewer, or only the beginning of one.',
    filtered: (n: number, all: number) => `${n} of ${count(all, 'session', 'sessions')}`,
    nothingFiltered: 'No session of this day fits these filters.',
    empty: 'The program is not out yet',
    emptyHint: 'When the organizers publish it, the sessions of each day are here.',
    withoutTime: 'Time not known yet',
    timeZone: (zone: string) => `Times are in the zone ${zone}.`,
  },

  session: {
    cancelled: 'Cancelled',
    cancelledNotice: 'This session was cancelled.',
    moved: 'Moved',
    movedFrom: (slot: string) => `It was ${slot}.`,
    changed: (when: string) => `Changed ${when}.`,
    wasShort: (slot: string) => `was ${slot}`,
    when: 'When',
    where: 'Where',
    with: 'With',
    track: 'Track',
    language: 'Language',
    type: 'Type',
    tags: 'Topics',
    noTime: 'Not known yet',
    noRecording: 'This session is not recorded.',
    calendar: 'Add to calendar',
    parts: 'Parts',
    links: 'Links',
    sameTime: 'At the same time',
    star: 'Star',
    starNamed: (title: string) => `Star: ${title}`,
    at: (room: string) => `in ${room}`,
  },

  speakers: {
    title: 'Speakers',
    empty: 'No speakers yet',
    emptyHint: 'They are here with the first published session that has one.',
    sessions: 'Sessions',
    about: 'About',
    links: 'Links',
    photoElsewhere: 'Photo on another site',
    search: 'Find a speaker',
  },

  releases: {
    title: 'Changes of the program',
    empty: 'Nothing has changed',
    emptyHint: 'When a session is added, moved or cancelled, it is listed here.',
    first: 'The program is out.',
    undone: 'Taken back later.',
    changes: {
      new: 'New',
      cancelled: 'Cancelled',
      restored: 'Takes place after all',
      moved: 'Moved',
      retitled: 'New title',
      speakers: 'Other speakers',
    },
    fromTo: (from: string, to: string) => `${from} → ${to}`,
    renamedRoom: (from: string, to: string) => `The room “${from}” is called “${to}”.`,
    renamedTrack: (from: string, to: string) => `The track “${from}” is called “${to}”.`,
    feed: 'Subscribe with a feed reader',
  },

  home: {
    before: (day: string) => `Begins on ${day}`,
    after: 'It is over',
    afterHint: 'Thank you for coming. The program stays here to look things up.',
    now: 'On now',
    nothingNow: 'Nothing is on right now.',
    next: 'Next',
    nextOn: (day: string) => `Next, on ${day}`,
    until: (time: string) => `until ${time}`,
    feed: 'From the feed',
    allFeed: 'All posts',
    wholeProgram: 'Whole program',
    changes: 'Latest changes',
    allChanges: 'All changes',
    empty: 'Welcome',
    emptyHint: 'The organizers have not published a program yet.',
  },

  feed: {
    title: 'Feed',
    empty: 'Nothing has been posted yet',
    emptyHint: 'News and photos of everybody here will be on this page.',
    newer: 'Newer posts',
    older: 'Older posts',
    likes: (n: number) => count(n, 'like', 'likes'),
    comments: (n: number) => count(n, 'comment', 'comments'),
    noComments: 'No comments yet',
    edited: 'edited',
    untitled: 'Untitled',
    more: 'Read on',
    photoBy: (name: string) => `Photo by ${name}`,
    photoOf: (nth: number, n: number, name: string) => `Photo ${nth} of ${n} by ${name}`,
    download: 'Download',
    size: (bytes: number) => fileSize(bytes),
    newerComments: 'Later comments',
    olderComments: 'Earlier comments',
    latestComments: 'Latest comments',
    shown: (first: number, last: number) => `${first.toLocaleString('en')} to ${last.toLocaleString('en')}`,
    formerParticipant: 'Somebody who has left',
    formerInSentence: 'somebody who has left',
  },

  people: {
    title: 'People',
    empty: 'Nobody is here yet',
    emptyHint: 'Everybody whom the organizers add is listed here.',
    search: 'Find a person',
    placeholder: 'Name, company',
    find: 'Search',
    found: (n: number, query: string) => `${count(n, 'person', 'people')} for “${query}”.`,
    nobodyFound: (query: string) => `Nobody is found for “${query}”.`,
    all: 'Show everybody',
    nameless: 'No name',
    next: 'Next page',
    previous: 'Previous page',
    email: 'E-mail',
    mobile: 'Mobile',
    employeeNo: 'Employee number',
    sessions: 'Sessions',
  },

  plan: {
    title: 'My plan',
    empty: 'Your plan is empty',
    emptyHint: 'Tap the star of a session in the program, and it is here, in the order of time.',
    toProgram: 'To the program',
    onDevice: 'Your stars are kept in this browser.',
    overlaps: (title: string, from: string, to: string) => `Overlaps with “${title}”, ${from}–${to}`,
    gap: (duration: string) => `${duration} free`,
    calendar: 'Add all to my calendar',
    subscribe: 'Subscribe in a calendar app',
    cancelled: 'Cancelled sessions',
    withoutScript: 'Stars need JavaScript. Without it, you can bookmark sessions, or add each to your calendar.',
    overlapCount: (n: number) => `${count(n, 'overlap', 'overlaps')} in your plan`,
    hours: (minutes: number) => {
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
      return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 ? [`${rest} min`] : [])].join(' ')
    },
  },

  failure: {
    title: 'That did not work',
    notFoundTitle: 'There is nothing here',
    notFound: 'The address may be misspelt, or what was here is gone.',
    unavailableTitle: 'Back in a moment',
    unavailable: 'The server cannot show this page right now. Try again in a minute.',
    forbidden: 'This page is not for you.',
    notBuilt: 'The pages of this summit were not built. The organizers find the reason in the log of the server.',
    toStart: 'To the first page',
    toProgram: 'To the program',
    reference: (id: string) => `If you report this, name ${id}.`,
  },
}


/** The sentences of scripts in the browser. */
export const islands = {
  language: 'en',
  ownTime: (time: string) => `(${time} your time)`,
  now: (time: string) => `Now, ${time}`,
  passkeyErrors: {
    NotAllowedError: 'It was cancelled, or there is no passkey for this site on this device.',
    SecurityError: 'Passkeys do not work at this address.',
    InvalidStateError: 'This device has a passkey for this site already.',
  } as Readonly<Record<string, string>>,
}
