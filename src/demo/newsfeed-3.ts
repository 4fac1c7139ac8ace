import { release } from './conference.ts'
import type { SampleTopic } from './shapes.ts'

export const secondDayTopics: SampleTopic[] = [
  {
    by: 4,
    header: 'Found: one very small toy penguin',
    body: 'It was sitting in row 7, paying attention. It may be collected from the blue desk.',
    posted: { minutesAgo: 430 },
    files: [{ name: 'penguin.webp', picture: 'penguin' }],
    likes: [20, 22, 11, 34, 35, 46, 26, 39, 0, 2, 47, 5, 45, 37, 19, 24, 43, 31, 6],
    comments: [
      { by: 22, minutesAfter: 5, comment: 'At Puffinpost we must point out that it is the wrong bird. Not ours.' },
      { by: 20, minutesAfter: 9, comment: 'Does it need a badge?' },
      {
        by: 4,
        minutesAfter: 17,
        comment: 'It has one now.',
        files: [{ name: 'penguin-with-badge.webp', picture: 'penguinWithBadge' }],
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
    by: 1,
    header: '“Teaching a robot to say sorry” needs a new time',
    body:
      'A fallen tree has closed the mountain line and Thảo Vy’s train is waiting it out. We are looking for a new slot, or ' +
      'an evening online in the weeks to come. The talk stays in the program without a time until we know.',
    posted: { minutesAgo: 372 },
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
    by: 15,
    header: 'Ferry slides as text, for whoever likes to read ahead',
    body:
      'A warning: last week’s draft says that a boat keeps its own backup for seven days. It is fourteen. Björn ' +
      'read it, shaking his head.',
    posted: { minutesAgo: 318 },
    files: [
      {
        name: 'én-database-per-ferge.txt',
        text:
          'One database per ferry: the slides as text\n\n- 64 boats, 64 databases, 1 shore\n- every change has a ' +
          'number, per boat\n- the shore asks “what came after 41 907?”\n- clocks disagree, numbers do not\n- ' +
          'backups on board: 14 days (not 7!)\n',
      },
    ],
    likes: [30, 5, 32, 42, 21, 7, 40, 38, 36],
    comments: [
      { by: 30, minutesAfter: 3, comment: 'Lovingly shaking it.' },
      { by: 36, minutesAfter: 8, comment: 'Plain text! Diolch, my screen reader and I are delighted.' },
      { by: 32, minutesAfter: 10, comment: 'Who won, when two ferries sold the same cabin?' },
      {
        by: 15,
        minutesAfter: 19,
        comment: 'The passengers. Both got a better one, and I got a bug report with a smiley.',
      },
      { by: 42, minutesAfter: 48, comment: '“Clocks disagree, numbers do not.” Printed and framed.' },
    ],
  },
  {
    by: 46,
    header: 'The posters have arrived',
    body: 'One for everybody who carries it home rolled, not folded. They are on the piano in the foyer.',
    posted: { minutesAgo: 262 },
    files: [{ name: 'poster.webp', picture: 'poster' }],
    likes: [8, 20, 6, 33, 2, 0, 37, 44, 26, 14, 29, 39],
    comments: [
      { by: 8, minutesAfter: 6, comment: 'That is a lantern with a point of view. Bravo!' },
      { by: 20, minutesAfter: 11, comment: 'Who drew it?' },
      { by: 46, minutesAfter: 13, comment: 'Haruka and I, with a lot of advice from her cat.' },
      {
        by: 33,
        minutesAfter: 21,
        comment: 'Could somebody hang one at eye level for people who sit? I will hold the ladder.',
      },
      { by: 4, minutesAfter: 34, comment: 'Done: beside the lift, at 110 centimetres.' },
    ],
  },
  {
    by: 1,
    header: 'Two changes: nets move to the Rope Loft, no choir',
    body:
      'The workshop on nets needs beams to tie to, so it moves to the Rope Loft, one floor up by stairs or lift. ' +
      'Same time.\n\nThe choir is cancelled: Aoife has sung so much last night that she has no voice left. She ' +
      'says that dancing needs none.',
    posted: { minutesAgo: release.minutesAgo },
    likes: [3, 32, 42, 24, 0],
    comments: [
      { by: 42, minutesAfter: 12, comment: 'Is the Rope Loft step-free?' },
      { by: 1, minutesAfter: 15, comment: 'It is, by the lift beside the library.' },
      {
        by: 2,
        minutesAfter: 17,
        comment: '(croaks) Sorry, everybody! Honey and tea at the blue desk for fellow sufferers.',
      },
      { by: 31, minutesAfter: 26, comment: 'We hum in sympathy.' },
    ],
  },
  {
    by: 2,
    header: 'Two minutes of feedback, please',
    body:
      'Open a session in the app, tap “Feedback”, be honest. We read every single line, and the next summit is built ' +
      'on it. Last time you asked for quieter rooms and better tea.',
    posted: { minutesAgo: 150 },
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
    by: 34,
    header: 'My grandmother’s recipe cards, as a repository',
    body: 'For everybody who asked. Every stain is a commit, every “less salt!” in the margin is a review.',
    posted: { minutesAgo: 118 },
    files: [
      {
        name: 'waffles.txt',
        text:
          'WAFFLES, version 14\n\n3 eggs (was 4, see 1971)\n250 g flour\n250 ml milk\n100 g butter, no ' +
          'substitutes, I mean it\n1 spoon of cardamom (reverted twice, restored for good)\n',
      },
    ],
    likes: [35, 12, 37, 41, 39, 44, 0, 2, 19, 20, 25, 8, 46],
    comments: [
      { by: 35, minutesAfter: 2, comment: 'ROBIN!!! “reverted twice, restored for good” 👏' },
      {
        by: 12,
        minutesAfter: 9,
        comment: 'Your grandmother wrote better commit messages than anyone I have worked with.',
      },
      { by: 41, minutesAfter: 14, comment: 'Would you tell this story at our school? I mean it, come and find me.' },
      { by: 34, minutesAfter: 16, comment: 'My knees are shaking. Yes. Where are you?' },
      { by: 41, minutesAfter: 17, comment: 'On the bench by the window. Take your time, there is cake.' },
    ],
  },
  {
    by: 44,
    header: 'The shared glossary is there: 41 words, 19 languages',
    body: 'It began at lunch with two tables and some cheese. Which word does your language have that we need?',
    posted: { minutesAgo: 74 },
    files: [
      {
        name: 'glossary.txt',
        text:
          'offline: zonder verbinding, ohne Netz, frakoblet, 圏外, bila mtandao\nretry: noch einmal, otra vez, ' +
          'もう一度, jaribu tena\nthank you: tusen takk, asante, ありがとう, obrigada, go raibh maith agat\n',
      },
    ],
    likes: [37, 24, 41, 16, 35, 6, 23, 7, 45, 17],
    comments: [
      {
        by: 24,
        minutesAfter: 5,
        comment: '“Meitheal”: when all the neighbours come to help with the hay. We have no code review without it.',
      },
      { by: 44, minutesAfter: 8, comment: 'Row 42, thank you! In Basque it is “auzolan”.' },
      { by: 7, minutesAfter: 15, comment: '“Harambee”. I think that we have found a keynote for next time.' },
      {
        by: 37,
        minutesAfter: 22,
        comment: '“Mutirão” in Portuguese. So everybody has the word, and English has the meeting.',
      },
    ],
  },
  {
    by: 31,
    header: 'Forecast for the slow boat: clear, with a good chance of friends',
    body:
      'Eleven degrees, a light wind from the north-west. Take a second jumper anyway, the fjord has its own ' +
      'opinion.',
    posted: { minutesAgo: 31 },
    likes: [5, 40, 28, 13, 0, 26],
    comments: [
      {
        by: 40,
        minutesAfter: 4,
        comment: 'My sensor on the roof agrees. It is the first time that it agrees with you.',
      },
      {
        by: 5,
        minutesAfter: 9,
        comment: 'I have told the captain. She says that she has never asked a model, and never been wet.',
      },
      { by: 28, minutesAfter: 19, comment: 'Two places left on the list by the cloakroom!' },
    ],
  },
  {
    by: 47,
    header: 'An hour to spare? The blue jumpers are warm',
    body:
      'We need two people at the cloakroom and one who likes to carry chairs. You get a jumper, a bun, and to ' +
      'know everybody.',
    posted: { minutesAgo: 7 },
    likes: [4, 43, 2],
    comments: [
      { by: 43, minutesAfter: 2, comment: 'I like to carry chairs. On my way!' },
      { by: 4, minutesAfter: 4, comment: 'Omar, you have just become family.' },
    ],
  },
]
