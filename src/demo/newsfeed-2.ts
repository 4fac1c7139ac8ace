import { minutesAfterStart } from './calendar.ts'
import type { SampleTopic } from './shapes.ts'

export const secondDayTopics: SampleTopic[] = [
  {
    by: 1,
    header: 'Day two at a glance',
    body:
      '09:15 Étienne’s keynote\n12:15 lunch, dumplings!\n' +
      '16:30 lightning talks\n20:00 Lantern Night in the Salt Shed',
    minutesAfterStart: minutesAfterStart(1, '08:30'),
    files: [
      {
        name: 'day-two.txt',
        kind: 'text',
        text:
          'MAIN STAGE\n09:15 An interface is a promise\n10:15 One database per ferry\n' +
          '11:15 The form nobody could finish\n' +
          '14:00 Money over a bad line\n16:30 Lightning talks\n\nWORKSHOPS\n10:45 Design a phone line that listens\n' +
          '13:30 Maps with your feet\n15:15 Read a flame graph without crying\n\nEVENING\n20:00 Lantern Night\n',
      },
    ],
    likes: [0, 2, 3, 4, 36, 29, 45, 14],
    comments: [{ by: 36, minutesAfter: 8, comment: 'Plain text! Diolch, my screen reader and I are delighted.' }],
  },
  {
    by: 4,
    header: 'Found: one very small toy penguin',
    body: 'It was sitting in row 7, paying attention. It may be collected from the blue desk.',
    minutesAfterStart: minutesAfterStart(1, '09:03'),
    files: [{ name: 'penguin.jpg', kind: 'picture', title: 'Row 7, seat 12' }],
    likes: [20, 22, 11, 34, 35, 46, 26, 39, 0, 2, 47, 5, 45, 37, 19, 24, 43, 31, 6],
    comments: [
      { by: 22, minutesAfter: 5, comment: 'At Puffinpost we must point out that it is the wrong bird. Not ours.' },
      { by: 20, minutesAfter: 9, comment: 'Does it need a badge?' },
      {
        by: 4,
        minutesAfter: 17,
        comment: 'It has one now.',
        files: [{ name: 'penguin-with-badge.jpg', kind: 'picture', title: 'Pip, Guest of Honour' }],
      },
      { by: 39, minutesAfter: 21, comment: 'I would read its conference notes.' },
      {
        by: 15,
        minutesAfter: 132,
        comment: 'Ahem. My daughter lent him to me for luck on stage. He is called Pip, that was a very good guess.',
      },
      {
        by: 4,
        minutesAfter: 135,
        comment: 'Not a guess: it says so on his foot. He is having coffee, take your time.',
      },
      { by: 45, minutesAfter: 140, comment: 'Tall, penguins, databases. I rest my case.' },
    ],
  },
  {
    by: 33,
    header: 'Étienne’s three questions, for the wall above your desk',
    body: '1. What did we just promise?\n2. Who will notice first if we break it?\n3. Have we asked them?',
    minutesAfterStart: minutesAfterStart(1, '10:08'),
    files: [{ name: 'paper-roll.jpg', kind: 'picture', title: 'Eleven metres of paper' }],
    likes: [8, 14, 13, 43, 46, 17, 0, 29, 39, 36, 26, 44, 21, 10],
    comments: [
      {
        by: 8,
        minutesAfter: 12,
        comment: 'Merci, Sana. You asked me the third one ten years ago, I only bought the paper.',
      },
      { by: 46, minutesAfter: 20, comment: 'May I have the metre with the lift on it?' },
      { by: 8, minutesAfter: 26, comment: 'With pleasure. I will be rolling it up in the foyer until noon.' },
    ],
  },
  {
    by: 15,
    header: 'Ferry slides, and the answer about backups that I got wrong',
    body:
      'Dmytro asked how long a boat keeps its own backup. I said seven days. It is fourteen: Björn stood in the ' +
      'second row, shaking his head.',
    minutesAfterStart: minutesAfterStart(1, '11:12'),
    files: [
      {
        name: 'én-database-per-ferge.txt',
        kind: 'text',
        text:
          'One database per ferry: the slides as text\n\n- 64 boats, 64 databases, 1 shore\n' +
          '- every change has a number, per boat\n' +
          '- the shore asks “what came after 41 907?”\n- clocks disagree, numbers do not\n' +
          '- backups on board: 14 days (not 7!)\n',
      },
    ],
    likes: [30, 5, 32, 42, 21, 7, 40, 38],
    comments: [
      { by: 30, minutesAfter: 3, comment: 'Lovingly shaking it.' },
      { by: 32, minutesAfter: 10, comment: 'Thank you! And who won, when two ferries sold the same cabin?' },
      {
        by: 15,
        minutesAfter: 19,
        comment: 'The passengers. Both got a better one, and I got a bug report with a smiley.',
      },
      { by: 42, minutesAfter: 48, comment: '“Clocks disagree, numbers do not.” Printed and framed.' },
    ],
  },
  {
    by: 1,
    header: 'Room change: the flame graph workshop moves to the Net Room',
    body:
      'The projector in the Rope Loft has retired after a long career. ' +
      'Same time, 15:15, one floor down, lift beside the library.',
    minutesAfterStart: minutesAfterStart(1, '12:24'),
    likes: [3, 32, 42],
    comments: [
      { by: 42, minutesAfter: 31, comment: 'Is the Net Room step-free?' },
      { by: 1, minutesAfter: 34, comment: 'It is, and there is a table that can be raised.' },
    ],
  },
  {
    by: 38,
    header: 'Serious question: which of the four coffees is the good one?',
    body: '',
    minutesAfterStart: minutesAfterStart(1, '13:11'),
    likes: [21, 7, 10, 32, 25, 34, 9, 18],
    comments: [
      { by: 24, minutesAfter: 2, comment: 'Number two. It keeps a night shift alive, and I speak as a nurse.' },
      { by: 32, minutesAfter: 4, comment: 'Number two before noon, number four after.' },
      { by: 25, minutesAfter: 6, comment: 'Is no one going to talk about number three?' },
      { by: 7, minutesAfter: 9, comment: 'We do not talk about number three.' },
      { by: 2, minutesAfter: 27, comment: 'Number three is the tea. We have now labelled it.' },
    ],
  },
  {
    by: 26,
    header: 'We walked the quay and mapped 61 kerbs, 9 ramps and 1 confused seal',
    body:
      'Thank you to the 22 people who came out in the drizzle with Xiomara! All of it is open data.\n\n' +
      'The ramp next to the Salt Shed is the best way in tonight if you come on wheels.',
    minutesAfterStart: minutesAfterStart(1, '15:18'),
    files: [
      { name: 'quay-survey.jpg', kind: 'picture', title: '61 kerbs, 9 ramps' },
      { name: 'seal.jpg', kind: 'picture', title: 'Not a kerb' },
    ],
    likes: [13, 36, 14, 33, 44, 29, 28, 0, 4, 31, 16],
    comments: [
      { by: 36, minutesAfter: 7, comment: 'Importing it tonight. Does the seal have an identifier?' },
      { by: 13, minutesAfter: 15, comment: 'seal/1. We are optimistic about seal/2.' },
      {
        by: 14,
        minutesAfter: 44,
        comment: 'This is more than our council managed in a year. I am taking notes and a photo.',
      },
    ],
  },
  {
    by: 19,
    header: 'Lightning talks: 12 speakers, 0 overruns, 1 bell with a crack in it',
    body: 'Eight of the twelve had never been on a stage before. You would not have known.',
    minutesAfterStart: minutesAfterStart(1, '17:41'),
    files: [{ name: 'the-bell.jpg', kind: 'picture', title: 'Ding' }],
    likes: [34, 35, 0, 1, 2, 20, 37, 12, 5, 11, 41, 45, 22, 39, 43, 9, 27],
    comments: [
      {
        by: 35,
        minutesAfter: 3,
        comment: 'ROBIN!!! “What my grandmother’s recipe cards taught me about version control” 👏',
      },
      { by: 34, minutesAfter: 8, comment: 'My knees are still shaking. Thank you for laughing in the right places.' },
      { by: 12, minutesAfter: 12, comment: 'That was the talk of the day, Robin, and I have sat through all of them.' },
      { by: 41, minutesAfter: 20, comment: 'Would you give it at our school? I mean it, come and find me.' },
    ],
  },
  {
    by: 20,
    header: 'Lantern Night ✨',
    body: '',
    minutesAfterStart: minutesAfterStart(1, '21:38'),
    files: [
      { name: 'lanterns-1.jpg', kind: 'picture', title: '400 lanterns' },
      { name: 'lanterns-2.jpg', kind: 'picture', title: 'The brass band takes a request' },
    ],
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
]
