import { rooms, tracks } from './conference.ts'
import type { SampleSession } from './shapes.ts'
import { speakers } from './speakers.ts'

export const secondEvening: SampleSession[] = [
  {
    title: 'Choir for people who do not sing',
    from: '17:45',
    to: '18:45',
    room: rooms.quietFloor,
    type: 'Social',
    track: tracks.together,
    speakers: [speakers.aoife],
    tags: ['music'],
    description: '<p>One hour, three songs, no auditions. You hum, and the rest follows.</p>',
    details: '<p>Song sheets come in large print and as text.</p>',
    isCancelled: true,
  },
  {
    title: 'Long tables: fish soup and bean stew',
    from: '18:00',
    to: '19:45',
    room: rooms.quay,
    type: 'Break',
    description: '<p>Sit beside somebody whose badge you cannot read yet. The soup is as good as it smells.</p>',
    details: '<p>Vegan at the far end. The quiet table is upstairs, and so is a microwave for baby food.</p>',
  },
  {
    title: 'Bring your own map',
    from: '18:30',
    to: '19:30',
    room: rooms.netRoom,
    type: 'Workshop',
    track: tracks.together,
    speakers: [speakers.haruka],
    tags: ['drawing'],
    description: '<p>Draw the way that you take most often, from memory, without street names. Then swap.</p>',
    details: '<p>Pencils, paper and one very patient cat, in a photograph.</p>',
  },
  {
    title: 'An evening of unfinished things',
    from: '20:00',
    to: '21:30',
    room: rooms.greatHall,
    type: 'Social',
    track: tracks.together,
    speakers: [speakers.mateus, speakers.nell, speakers.etienne],
    tags: ['stories'],
    description:
      '<p>Half a novel, a boat without a mast, version 0.9 of everything. Three hosts, nine guests, and no ' +
      'advice.</p>',
    details: '<p>Doors stay open: come and go as you like. The balcony is dark for those who prefer to listen.</p>',
  },
  {
    title: 'Board games and tea',
    from: '20:00',
    to: '23:00',
    room: rooms.quietFloor,
    type: 'Social',
    track: tracks.together,
    description:
      '<p>Two long games, many short ones, and a jigsaw of the harbour with one piece missing since last year.</p>',
    details: '',
  },
  {
    title: 'Dancing for those who say that they cannot',
    from: '21:45',
    to: '23:30',
    room: rooms.quay,
    type: 'Social',
    track: tracks.together,
    speakers: [speakers.aoife, speakers.seun],
    tags: ['music'],
    description: '<p>A fiddle, an accordion, and a reinlender that is explained until it works. Comfortable shoes.</p>',
    details: '<p>Seated dancing is taught, too, at the front where one sees best.</p>',
  },
]
