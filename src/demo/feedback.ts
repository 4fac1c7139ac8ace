import type { EventIndex, PersonIndex, SampleFeedback, Score } from './shapes.ts'

type Row = [
  by: PersonIndex | null,
  event: EventIndex | null,
  scores: [quality: Score, rating: Score, relevance: Score, expectation: Score],
  comments: string | null,
]

const rows: Row[] = [
  [20, 2, ['5', '5', '', '5'], 'Best buns of my career.'],
  [
    33,
    2,
    ['4', '4', '5', '4'],
    'The quiet end of the foyer is a wonderful idea.\nPlease put up a sign at eye level, too.',
  ],
  [21, 3, ['5', '5', '5', '5'], 'Honest, practical, funny. I changed our backlog during the applause.'],
  [36, 3, ['5', '4', '5', '4'], 'Excellent. She described every chart aloud, diolch!'],
  [null, 3, ['4', '5', '4', '5'], null],
  [46, 4, ['5', '5', '4', '5'], '美しい図でした。\nThe drawings alone were worth the journey.'],
  [32, 4, ['5', '4', '5', '4'], 'Did not expect to redesign our nightly builds at a talk about trains.'],
  [25, 5, ['5', '5', '5', '5'], 'Exercise 3 is the clearest explanation of merging I have seen.'],
  [35, 5, ['5', '5', '5', '5'], 'I learned a lot, and then kept learning until 22:20.'],
  [43, 5, ['4', '4', '5', '3'], 'Very good, but three hours need a second break.'],
  [
    42,
    6,
    ['4', '4', '5', '4'],
    'More time for questions, please.\n\nThe answers in the news feed afterwards were great.',
  ],
  [null, 6, ['3', '3', '4', '3'], 'I would have liked to hear from a small team, too.'],
  [29, 7, ['5', '5', '5', '5'], 'Ten minutes without slides and nobody looked at a phone.'],
  [44, 7, ['5', '5', '4', '5'], 'Poetic, and still useful. How does he do it?'],
  [30, 8, ['4', '5', '5', '4'], 'I am biased: I maintain half of this. Every word is true, except for the seven days.'],
  [38, 8, ['5', '4', '4', '4'], null],
  [
    24,
    9,
    ['5', '5', '5', '5'],
    'We filled in that form together and I laughed, then I did not.\nShow this to everybody who designs forms.',
  ],
  [36, 9, ['5', '5', '5', '5'], 'Finally.'],
  [10, 10, ['5', '5', '4', '5'], 'The mango example explains idempotency better than any manual.'],
  [22, 10, ['5', '4', '4', '4'], ''],
  [41, 11, ['5', '5', '5', '5'], 'Keep the bell. Keep first-timers first. Give Robin an hour next time.'],
  [null, 11, ['4', '5', '3', '5'], 'A little loud on the balcony.'],
  [28, 12, ['5', '5', '5', '5'], 'Waiata on a Norwegian quay, in the rain, with a tuba. I will tell my grandchildren.'],
  [17, 12, ['5', '5', '', '4'], 'Thank you for the quiet floor.\nIt meant that I could stay until the lanterns.'],
  [39, 13, ['5', '5', '5', '5'], 'Biased (same workshop, next bench), but the toaster deserves its own keynote.'],
  [27, 1, ['4', '4', '4', '3'], 'Great hosts. Workshops fill up quickly; could we reserve places in the app?'],
  [31, 0, ['5', '5', '5', '4'], 'Captions were fast and accurate, even with my accent.'],
  [34, null, ['5', '5', '5', '5'], 'I was nervous about coming.\n\nBy lunch on the first day I was not. Thank you.'],
  [40, null, ['4', '4', '4', '4'], 'More stew. Fewer stairs to the balcony. Same people, please.'],
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
