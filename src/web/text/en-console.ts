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
    inUse: 'Nothing has been saved: sessions are in what you wanted to remove. They are named below.',
    unchanged: 'Nothing was changed.',
    changed: (records: number) => `Done: ${count(records, 'record was', 'records were')} changed.`,
    undo: 'Undo',
    /** By the operation that has made a revision. */
    commands: {
      updateConference: 'Saved. Attendees see it already.',
      setRooms: 'Saved. Attendees see it already.',
      setTracks: 'Saved. Attendees see it already.',
      setLogo: 'Saved. Attendees see it already.',
      createSpeaker: 'Saved. Attendees see speakers of published sessions.',
      updateSpeaker: 'Saved. Attendees see it already.',
      setSpeakerPhoto: 'Saved. Attendees see it already.',
      undoRevision: 'Undone.',
    } as Readonly<Record<string, string>>,
  },

  overview: {
    title: 'Overview',
  },

  history: {
    title: 'History',
  },

  /** Of lists that are saved as a whole. */
  lists: {
    place: 'Place',
    remove: 'Remove',
    fresh: 'New',
    sessions: (n: number) => count(n, 'session', 'sessions'),
    ofRow: (label: string, name: string) => (name === '' ? label : `${label} of ${name}`),
    added: 'Somebody else has added this meanwhile.',
    removed: 'Somebody else has removed this meanwhile. What you have typed is added again when you save.',
    reordered: 'Somebody else has changed the order.',
    more: (n: number) => `and ${n.toLocaleString('en')} more`,
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
    emptyHint: 'Import the spreadsheet or file that you have, or add the first one by hand.',
    import: 'Import a file',
    previous: 'Previous page',
    next: 'Next page',
    erased: 'The speaker has been erased.',
  },

  speaker: {
    nameless: 'No name',
    fresh: 'New speaker',
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
    daysAndZone: 'Days and time zone',
    firstDay: 'First day',
    lastDay: 'Last day',
    daysHint: 'Without them, the first and the last day of the sessions.',
    zone: 'Time zone',
    zoneHint: 'All times of the program are times there.',
    colour: 'Colour',
    hue: 'Hue',
    hueHint: 'A number of degrees round the colour wheel, from 0 to 359; empty for that of Summit.',
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
}
