import type { SampleTopic } from './shapes.ts'

export const firstEveningTopics: SampleTopic[] = [
  {
    by: 43,
    header: 'Repair café: may I bring a radio that is older than me?',
    body: 'It was my grandfather’s. It hums in B flat and nothing else.',
    posted: { firstDay: '17:20' },
    likes: [12, 25, 39, 8, 44, 31],
    comments: [
      { by: 12, minutesAfter: 6, comment: 'Please do. Humming is a symptom, and usually a cheap one.' },
      { by: 25, minutesAfter: 10, comment: 'Capacitors! I have a bag of them. Of course I travel with a bag of them.' },
      {
        by: 43,
        minutesAfter: 125,
        comment: 'IT PLAYS. I am not crying, it is the solder.',
        files: [{ name: 'radio.webp', picture: 'radio' }],
      },
      { by: 39, minutesAfter: 129, comment: 'The whole loft applauded. Best bug fix of the summit.' },
    ],
  },
  {
    by: 26,
    header: 'Harbour walk: 31 people, 3 stories, 1 confused seal',
    body:
      'Ingrid’s storm story is not for the faint-hearted. The seal listened to all of it.\n\n' +
      'The ramp next to the Salt Shed is the best way in tonight if you come on wheels.',
    posted: { firstDay: '18:41' },
    files: [{ name: 'seal.webp', picture: 'seal' }],
    likes: [13, 36, 14, 33, 44, 29, 28, 0, 4, 31, 16],
    comments: [
      { by: 36, minutesAfter: 7, comment: 'Does the seal have an identifier? I would like to import it.' },
      { by: 13, minutesAfter: 15, comment: 'seal/1. We are optimistic about seal/2.' },
      {
        by: 14,
        minutesAfter: 44,
        comment: 'Our council has been looking for a mascot. I am taking notes and a photo.',
      },
    ],
  },
  {
    by: 20,
    header: 'Lantern Night ✨',
    body: '',
    posted: { firstDay: '21:38' },
    files: [{ name: 'lanterns.webp', picture: 'harbourAtDusk' }],
    likes: [0, 1, 2, 4, 5, 8, 6, 23, 46, 34, 35, 28, 31, 44, 37, 24, 26, 13, 18, 12, 22, 43, 39, 16, 17, 45, 30],
    comments: [
      { by: 46, minutesAfter: 4, comment: 'きれい… I have no other words.' },
      { by: 18, minutesAfter: 11, comment: 'Tāne asked the band for a waiata and they KNEW it?!' },
      { by: 28, minutesAfter: 16, comment: 'The tuba player has cousins in Rotorua. Of course he does.' },
      {
        by: 17,
        minutesAfter: 35,
        comment: 'Upstairs: board games, tea, and the calmest view of all. There is still room.',
      },
      { by: 40, minutesAfter: 58, comment: 'Second bowl of stew. Do not tell the soup.' },
      {
        by: 0,
        minutesAfter: 82,
        comment: 'Looking at this from the end of the quay and feeling very lucky. Skål, everybody.',
      },
    ],
  },
  {
    by: 4,
    header: 'Last shuttle to the centre at 01:15, from the big anchor',
    body: 'Do look under your table: somebody’s left shoe is already on board.',
    posted: { firstDay: '23:05' },
    likes: [45, 20, 27],
    comments: [],
  },
]
