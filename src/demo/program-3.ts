import { rooms, tracks } from './conference.ts'
import type { SampleSession } from './shapes.ts'
import { speakers } from './speakers.ts'

export const thirdDay: SampleSession[] = [
  {
    title: 'Breakfast, and the last of the buns',
    from: '08:00',
    to: '09:15',
    room: rooms.quay,
    type: 'Break',
    description: '<p>There is a shelf for luggage by the door, and a list for sharing taxis.</p>',
    details: '',
  },
  {
    title: 'Keynote: An interface is a promise',
    from: '09:15',
    to: '10:00',
    room: rooms.greatHall,
    type: 'Keynote',
    track: tracks.everybodyIncluded,
    speakers: [speakers.etienne],
    banner: 'poster',
    tags: ['design'],
    description:
      '<p>A button, a form, an API: each tells somebody what will happen next. Étienne collects promises that ' +
      'were kept, and a few that were not.</p>',
    details:
      '<p>Three questions to ask of anything you are about to ship, with examples from a lift, a bakery and a tax ' +
      'office. No slides for the first ten minutes, only a very long roll of paper.</p>',
  },
  {
    title: 'Why the warehouse was slow',
    from: '10:15',
    to: '11:00',
    room: rooms.greatHall,
    type: 'Talk',
    track: tracks.behindTheScenes,
    speakers: [speakers.priyanka],
    tags: ['performance'],
    description:
      '<p>It was not the database. It was not the network. It was a comma, and it had been there for six ' +
      'years.</p>',
    details: '<p>A detective story with seven suspects. You may accuse one of them every five minutes.</p>',
  },
  {
    title: 'Ensinar quem tem certeza de que não consegue',
    from: '10:15',
    to: '11:00',
    room: rooms.engineRoom,
    type: 'Talk',
    track: tracks.everybodyIncluded,
    speakers: [speakers.thais],
    language: 'pt',
    tags: ['learning'],
    description:
      '<p>Quem diz “isto não é para mim” já ouviu isso de alguém. Thaís mostra a primeira aula, a que vem antes ' +
      'da primeira.</p>',
    details: '<p>In Portuguese, with English captions. Scissors are provided.</p>',
  },
  {
    title: 'Write the error message first',
    from: '10:15',
    to: '11:45',
    room: rooms.ropeLoft,
    type: 'Workshop',
    track: tracks.everybodyIncluded,
    speakers: [speakers.nell],
    tags: ['writing', 'hands-on'],
    description: '<p>If you cannot say what went wrong and what to do, the code will not know either.</p>',
    details:
      '<p>We write twelve messages for a program that does not exist, and watch it take shape. Bring the worst ' +
      'one that you have ever met.</p>',
  },
  {
    title: 'Panel: What we stopped building',
    from: '11:15',
    to: '12:15',
    room: rooms.greatHall,
    type: 'Panel',
    track: tracks.madeToLast,
    speakers: [speakers.wanjiru, speakers.maeve, speakers.soren, speakers.mateus],
    tags: ['maintenance'],
    description: '<p>Four features that were switched off, who missed them, and what grew in the space.</p>',
    details: '<p>Each guest brings one that they still regret. Mateus brings the clock.</p>',
  },
  {
    title: 'Lunch, and addresses to exchange',
    from: '12:15',
    to: '13:30',
    room: rooms.foyer,
    type: 'Break',
    description: '<p>Everything that is left, which is a lot. Paper and pens are on every table.</p>',
    details: '',
  },
  {
    title: 'Timetables by hand',
    from: '13:30',
    to: '15:00',
    room: rooms.ropeLoft,
    type: 'Workshop',
    track: tracks.behindTheScenes,
    speakers: [speakers.haruka],
    tags: ['planning', 'trains', 'hands-on'],
    description:
      '<p>One line, five stations, three trains and a promise. With a ruler it takes an hour; without one, a ' +
      'career.</p>',
    details: '<p>Rulers are provided. The best diagram goes home with the night train.</p>',
  },
  {
    title: 'Ask the organizers anything',
    from: '13:30',
    to: '14:15',
    room: rooms.greatHall,
    type: 'Panel',
    track: tracks.together,
    speakers: [speakers.ingrid, speakers.mateus, speakers.aoife],
    description: '<p>What it costs, what went wrong, and why there are buns.</p>',
    details:
      '<p>Questions from the floor and from the news feed. There is one that we will not answer: the recipe.</p>',
  },
  {
    title: 'Show and tell',
    from: '14:30',
    to: '15:15',
    room: rooms.engineRoom,
    type: 'Workshop',
    track: tracks.together,
    speakers: [speakers.thais, speakers.ravindu],
    description: '<p>Three minutes each for what you have made in these three days, finished or not.</p>',
    details: '<p>Put your name on the board until lunch. Applause is guaranteed, questions are friendly.</p>',
  },
  {
    title: 'Closing, and the Lighthouse Awards',
    from: '15:30',
    to: '16:30',
    room: rooms.greatHall,
    type: 'Social',
    track: tracks.together,
    speakers: [speakers.ingrid],
    banner: 'lighthouse',
    description: '<p>Three small brass lighthouses, a great many thank-yous, and the date of the next summit.</p>',
    details:
      '<p>The awards go to the kindest code review, the most useful failure, and the best question asked by ' +
      'somebody who thought it was a silly one. The likes in the news feed decide.</p><p>Luggage may stay in the ' +
      'cloakroom until 18:00.</p>',
  },
  {
    title: 'Farewell waffles on the quay',
    from: '16:30',
    to: '18:00',
    room: rooms.quay,
    type: 'Break',
    description: '<p>Say goodbye twice. It is allowed.</p>',
    details: '<p>Shuttles to the airport leave from the big anchor at 17:00 and 18:00.</p>',
  },
  {
    title: 'The slow boat to the lighthouse',
    from: '18:15',
    to: '21:15',
    room: rooms.bigAnchor,
    type: 'Social',
    track: tracks.together,
    speakers: [speakers.solveig],
    tags: ['outdoors', 'ferries'],
    description:
      '<p>Three hours on the smallest of the 64 ferries, for everybody who leaves tomorrow. Solveig explains ' +
      'every noise.</p>',
    details:
      '<p>Sixty places, two of them for wheelchairs. If the weather is what her keynote was about, we stay in the ' +
      'shed.</p>',
  },
  {
    title: 'Last tea for those who stay',
    from: '20:30',
    to: '23:00',
    room: rooms.quietFloor,
    type: 'Social',
    track: tracks.together,
    speakers: [speakers.aoife],
    description: '<p>Nothing is planned, and the kettle is on.</p>',
    details: '',
  },
]

export const unscheduled: SampleSession[] = [
  {
    title: 'Teaching a robot to say sorry',
    room: null,
    type: 'Talk',
    track: tracks.everybodyIncluded,
    speakers: [speakers.thaovy],
    tags: ['robots', 'research'],
    description:
      '<p>When a delivery robot blocks your way, what should it say, and should it mean it? Results from 900 ' +
      'slightly awkward encounters in a hospital corridor.</p>',
    details: '<p>Not scheduled yet. As soon as the talk has a time, it appears here and in the news feed.</p>',
  },
]
