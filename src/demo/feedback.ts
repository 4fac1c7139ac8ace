import type { PersonIndex, SampleFeedback, Score } from './shapes.ts'

type Row = [
  by: PersonIndex | null,
  event: string | null,
  scores: [quality: Score, rating: Score, relevance: Score, expectation: Score],
  comments: string | null,
]

const doors = 'Doors open, coffee and cinnamon buns'
const keynote = 'Opening keynote: Software that survives the weather'
const lastTrain = '終電: Planning for the last train home'
const contribution = 'Your first contribution, together'
const maps = 'Mapas a pie: kerbs, benches and shade'
const offline = 'Workshop: Offline first, for real'
const paged = 'Panel: Who gets paged?'
const caller = 'What the caller meant'
const disasters = 'The year in small disasters, told by those who caused them'
const repair = 'Repair café: bring something broken'
const lanterns = 'Lantern Night'

const rows: Row[] = [
  [20, doors, ['5', '5', '', '5'], 'Best buns of my career.'],
  [
    33,
    doors,
    ['4', '5', '5', '4'],
    'The quiet end of the foyer is a wonderful idea.\nPlease put up a sign at eye level, too.',
  ],
  [21, keynote, ['5', '5', '5', '5'], 'Honest, practical, funny. I changed our backlog during the applause.'],
  [36, keynote, ['5', '4', '5', '4'], 'Excellent. She described every chart aloud, diolch!'],
  [31, keynote, ['5', '5', '5', '4'], 'Captions were fast and accurate, even with my accent.'],
  [null, keynote, ['4', '5', '4', '5'], null],
  [46, lastTrain, ['5', '5', '4', '5'], '美しい図でした。\nThe drawings alone were worth the journey.'],
  [32, lastTrain, ['5', '4', '5', '4'], 'Did not expect to redesign our nightly builds at a talk about trains.'],
  [38, lastTrain, ['5', '4', '4', '4'], null],
  [35, contribution, ['5', '5', '5', '5'], 'They merged my comma. I have never been so proud of a comma.'],
  [
    27,
    contribution,
    ['4', '4', '4', '3'],
    'Great hosts. Workshops fill up quickly; could we reserve places in the app?',
  ],
  [44, maps, ['5', '5', '5', '5'], 'Poesía con cinta métrica.'],
  [26, maps, ['5', '5', '4', '5'], ''],
  [25, offline, ['5', '5', '5', '5'], 'Exercise 3 is the clearest explanation of merging I have seen.'],
  [34, offline, ['5', '5', '5', '5'], 'I learned a lot, and then kept learning.'],
  [43, offline, ['4', '4', '5', '3'], 'Very good, but three hours need a second break.'],
  [
    42,
    paged,
    ['4', '4', '5', '4'],
    'More time for questions, please.\n\nThe answers in the news feed afterwards were great.',
  ],
  [null, paged, ['3', '3', '4', '3'], 'I would have liked to hear from a small team, too.'],
  [23, paged, ['4', '4', '4', '4'], null],
  [24, caller, ['5', '5', '5', '5'], 'I work on the other end of that line. Show this to everybody who designs menus.'],
  [36, caller, ['5', '5', '5', '5'], 'Finally.'],
  [29, disasters, ['5', '5', '5', '5'], 'An hour without slides and nobody looked at a phone.'],
  [30, disasters, ['5', '5', '4', '5'], 'Søren tells it better than the logs do.'],
  [22, disasters, ['5', '4', '4', '4'], ''],
  [39, repair, ['5', '5', '5', '5'], 'Biased (same workshop, next bench), but the radio deserves its own keynote.'],
  [28, lanterns, ['5', '5', '5', '5'], 'Waiata on a Norwegian quay, with a tuba. I will tell my grandchildren.'],
  [17, lanterns, ['5', '5', '', '4'], 'Thank you for the quiet floor.\nIt meant that I could stay until the lanterns.'],
  [40, null, ['4', '4', '4', '4'], 'More stew. Fewer stairs to the balcony. Same people, please.'],
  [45, null, ['5', '5', '5', '5'], 'I was nervous about coming.\n\nBy lunch I was not. Thank you.'],
  [null, null, ['', '4', '', ''], null],
]

export const feedback: SampleFeedback[] = rows.map(
  ([by, event, [quality, rating, relevance, expectation], comments]) => ({
    by,
    event,
    quality,
    rating,
    relevance,
    expectation,
    comments,
  }),
)
