import { minutesAfterStart } from './calendar.ts'
import type { SampleTopic } from './shapes.ts'

export const thirdDayTopics: SampleTopic[] = [
  {
    by: 4,
    header: 'Last shuttle to the centre at 01:15, from the big anchor',
    body: 'Do look under your table: somebody’s left shoe is already on board.',
    minutesAfterStart: minutesAfterStart(2, '00:41'),
    likes: [45, 20, 27],
    comments: [],
  },
  {
    by: 1,
    header: '“Teaching a robot to say sorry” needs a new time',
    body:
      'A fallen tree has closed the mountain line and Thảo Vy’s train is waiting it out. We are looking for a new slot, or ' +
      'an evening online in the weeks to come. The talk stays in the program without a time until we know.',
    minutesAfterStart: minutesAfterStart(2, '08:57'),
    likes: [16, 34, 17, 24, 6],
    comments: [
      {
        by: 16,
        minutesAfter: 8,
        comment: 'Greetings from a very pretty valley! The robot says sorry. I think that it means it.',
      },
      { by: 6, minutesAfter: 15, comment: 'As a timetable person, I feel this deeply. Is there hot tea on board?' },
      {
        by: 16,
        minutesAfter: 19,
        comment: 'The conductor is handing out cocoa and the whole carriage is playing cards.',
      },
      { by: 24, minutesAfter: 33, comment: 'I work in one of those corridors. I will join whenever it is!' },
    ],
  },
  {
    by: 43,
    header: 'Repair café: may I bring a radio that is older than me?',
    body: 'It was my grandfather’s. It hums in B flat and nothing else.',
    minutesAfterStart: minutesAfterStart(2, '09:24'),
    likes: [12, 25, 39, 8, 44, 31],
    comments: [
      { by: 12, minutesAfter: 6, comment: 'Please do. Humming is a symptom, and usually a cheap one.' },
      { by: 25, minutesAfter: 10, comment: 'Capacitors! I have a bag of them. Of course I travel with a bag of them.' },
      {
        by: 43,
        minutesAfter: 186,
        comment: 'IT PLAYS. I am not crying, it is the solder.',
        files: [{ name: 'radio.jpg', kind: 'picture', title: 'Grandfather’s radio, playing' }],
      },
      { by: 39, minutesAfter: 191, comment: 'The whole loft applauded. Best bug fix of the summit.' },
    ],
  },
  {
    by: 2,
    header: 'Two minutes of feedback, please',
    body:
      'Open a session in the app, tap “Feedback”, be honest. We read every single line, and the next summit is built ' +
      'on it. Last time you asked for quieter rooms and better tea.',
    minutesAfterStart: minutesAfterStart(2, '13:02'),
    likes: [0, 1, 33, 29, 36, 41, 10],
    comments: [
      {
        by: 29,
        minutesAfter: 21,
        comment: 'Done. I test software for a living, so please do sit down first. (It is mostly praise.)',
      },
    ],
  },
  {
    by: 45,
    header: 'Thank you to the volunteers in the blue jumpers',
    body:
      'Thirty people who found our scarves, rooms, chargers and courage.\n\n' +
      'Emeka, Noor and all of you: tusen takk, asante, ありがとう, obrigado, go raibh maith agaibh.',
    minutesAfterStart: minutesAfterStart(2, '15:12'),
    likes: [0, 1, 2, 3, 27, 20, 34, 35, 37, 44, 24, 28, 7, 11, 12, 5, 8, 15, 22, 38, 42, 46, 23],
    comments: [
      { by: 47, minutesAfter: 7, comment: 'It was a joy. You may keep losing things, we are used to it now.' },
      { by: 27, minutesAfter: 13, comment: 'My mother sends her regards, and a parcel. It contains a blue scarf.' },
    ],
  },
  {
    by: 0,
    header: 'Thank you, and see you at the next light',
    body:
      'Three days, 19 languages on the badges, 400 lanterns, one penguin.\n\n' +
      'The brass lighthouses went to Sana for the kindest review, to Søren for the most useful failure, and to Robin ' +
      'for the best question: “Who is not in this room?”\n\n' +
      'Travel safely, and write to somebody whom you met here. — Ingrid',
    minutesAfterStart: minutesAfterStart(2, '16:45'),
    files: [{ name: 'everybody.jpg', kind: 'picture', title: 'All of us, slightly windswept' }],
    likes: [
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28, 30, 31, 33, 34, 35,
      37, 39, 41, 43, 44, 46, 47,
    ],
    comments: [
      {
        by: 34,
        minutesAfter: 3,
        comment: 'I came here knowing nobody. I am leaving with a brass lighthouse and a ride home.',
      },
      { by: 15, minutesAfter: 5, comment: 'Pip has asked to be co-author of my failure.' },
      { by: 33, minutesAfter: 9, comment: 'Merci à toutes et à tous. I will be kinder still.' },
      { by: 16, minutesAfter: 14, comment: 'Watched the closing from the train. We are moving! And so am I.' },
      { by: 9, minutesAfter: 22, comment: 'Our team chat is now just photographs of lanterns.' },
      { by: 21, minutesAfter: 30, comment: 'Three tickets opened on day one, two of them closed. Jërëjëf, Bergen.' },
      { by: 31, minutesAfter: 41, comment: 'Forecast for the journey home: clear, with a good chance of friends.' },
      { by: 13, minutesAfter: 64, comment: 'Update from the quay: seal/2 confirmed.' },
      { by: 0, minutesAfter: 97, comment: 'That is the best possible ending. Good night, everybody. 🏮' },
    ],
  },
]
