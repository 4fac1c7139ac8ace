import type { SampleTopic } from './shapes.ts'

export const firstDayTopics: SampleTopic[] = [
  {
    by: 0,
    header: 'Good morning, and welcome to Lantern Summit! 🏮',
    body:
      'The doors are open, the coffee is hot and the buns are disappearing fast.\n\n' +
      'If you do one thing before 09:00: talk to somebody you do not know yet. They are hoping that you will.',
    posted: { firstDay: '08:05' },
    files: [{ name: 'quay-in-the-morning.webp', picture: 'quayInTheMorning' }],
    likes: [1, 2, 4, 34, 20, 35, 5, 37, 11, 24, 46, 12, 9, 28, 44, 30, 7, 22, 39, 16, 47, 31],
    comments: [
      { by: 28, minutesAfter: 4, comment: 'Thirty-one hours of travel and it smells of cinnamon. Worth it already.' },
      { by: 4, minutesAfter: 6, comment: 'Tāne, come to the blue desk: anybody over 30 hours gets the first bun.' },
      { by: 35, minutesAfter: 11, comment: 'Just met someone who programs weather balloons. It is 8:16!' },
      { by: 40, minutesAfter: 14, comment: 'That was me. Hello again, Ananya!' },
      { by: 44, minutesAfter: 22, comment: 'Egun on everybody, and bon dia, and god morgen.' },
    ],
  },
  {
    by: 2,
    header: 'Badges: first names A–L on the left, M–Z on the right',
    body:
      'The queue looks long but takes about four minutes.\n' +
      'Stickers for your badge are on the table: languages you speak, “happy to chat”, “need a quiet moment”.\n' +
      'The quiet room is behind the library, no questions asked.',
    posted: { firstDay: '08:20' },
    likes: [33, 34, 17, 29, 43, 24, 39, 0, 8],
    comments: [
      { by: 23, minutesAfter: 5, comment: '漢字の名前はどちらの列ですか? Which side for a name in kanji? 🙂' },
      { by: 2, minutesAfter: 7, comment: '蓮さん, the right one, under R for Ren. Or either, we will find you!' },
      { by: 33, minutesAfter: 19, comment: 'Thank you for the quiet room. And for signposting it.' },
    ],
  },
  {
    by: 34,
    header: 'First summit ever. Any tips?',
    body: '',
    posted: { firstDay: '08:48' },
    likes: [35, 20, 0, 2, 12, 41, 19, 37, 11, 45, 26],
    comments: [
      {
        by: 41,
        minutesAfter: 2,
        comment: 'Skip one session a day on purpose. The bench by the window is where things happen.',
      },
      { by: 12, minutesAfter: 3, comment: 'Eat before you are hungry, sit before you are tired.' },
      { by: 35, minutesAfter: 4, comment: 'Mine too! Shall we find seats together? I am by the big anchor.' },
      { by: 34, minutesAfter: 5, comment: 'On my way!' },
      { by: 10, minutesAfter: 7, comment: 'Ask the question. Half of the room has it as well.' },
      {
        by: 45,
        minutesAfter: 9,
        comment: 'Write down names straight away. “Tall, penguins, databases” is not enough by day three.',
      },
      { by: 15, minutesAfter: 9, comment: 'I believe I am “tall, penguins, databases”.' },
      {
        by: 19,
        minutesAfter: 70,
        comment: 'And sign up for a lightning talk tomorrow. Four minutes, very kind audience.',
      },
      { by: 34, minutesAfter: 224, comment: 'Update: I signed up. What have I done.' },
    ],
  },
  {
    by: 21,
    header: '“Let people see how old the data is”',
    body:
      'Solveig’s keynote in one sentence. I have already opened three tickets at work.\n\n' +
      'What are you taking home from it?',
    posted: { firstDay: '10:26' },
    files: [{ name: 'keynote-storm-chart.webp', picture: 'keynoteStormChart' }],
    likes: [5, 15, 30, 7, 9, 11, 31, 40, 42, 18, 32, 38, 25, 1, 0, 27, 36],
    comments: [
      { by: 30, minutesAfter: 3, comment: 'I was on call for storm two. The captain brought us waffles afterwards.' },
      {
        by: 31,
        minutesAfter: 8,
        comment: 'Practise the bad day on a good day. We do that with forecasts, never with deploys!',
      },
      {
        by: 22,
        minutesAfter: 12,
        comment: '“Sent 4 min ago, seen by the shore 2 min ago”. Stealing that for our status line.',
      },
      {
        by: 5,
        minutesAfter: 41,
        comment: 'Thank you all. The captain is called Gunnvor and she will be insufferable about this.',
      },
    ],
  },
  {
    by: 23,
    header: '星川さんの「終電」、最高でした!',
    body: '逆から考える、という発想が素敵です。\n\nFor everybody else: planning backwards from the one promise you must keep.',
    posted: { firstDay: '11:52' },
    files: [{ name: '時刻表.webp', picture: 'talkLastTrain' }],
    likes: [6, 46, 44, 34, 28, 17, 8, 12, 39],
    comments: [
      {
        by: 6,
        minutesAfter: 15,
        comment: 'ありがとうございます! The diagram took three evenings and one very patient cat.',
      },
      { by: 46, minutesAfter: 21, comment: 'She says this as if the cat did not draw half of it.' },
      {
        by: 32,
        minutesAfter: 30,
        comment: 'We are going to schedule our nightly builds like this. “Last build home.”',
      },
    ],
  },
  {
    by: 37,
    header: 'Lunch: is anyone else here from education?',
    body: 'Thaís, Sementinha Edu. I am at the round table under the whale, with two free chairs and too much bread.',
    posted: { firstDay: '12:21' },
    files: [{ name: 'round-table.webp', picture: 'lunch' }],
    likes: [41, 34, 35, 16, 44, 19],
    comments: [
      { by: 35, minutesAfter: 3, comment: 'Does “being educated” count?' },
      { by: 37, minutesAfter: 4, comment: 'You are the best kind! Come!' },
      { by: 24, minutesAfter: 9, comment: 'I train nurses on new systems, does that fit? Bringing cheese.' },
      { by: 41, minutesAfter: 12, comment: 'We now have two tables, eleven people and a plan for a shared glossary.' },
      { by: 44, minutesAfter: 15, comment: 'A glossary?! Keep me a chair, I will translate it.' },
    ],
  },
  {
    by: 27,
    header: 'Lost: dark green scarf',
    body: 'Knitted by my mother, so rather urgent. Last seen on the balcony of the Great Hall.',
    posted: { firstDay: '12:55' },
    likes: [43, 2],
    comments: [
      { by: 47, minutesAfter: 18, comment: 'Found! It was keeping a camera tripod warm. It is at the blue desk now.' },
      { by: 27, minutesAfter: 24, comment: 'Emeka, you have saved a family. Teşekkürler!' },
    ],
  },
  {
    by: 38,
    header: 'Serious question: which of the four coffees is the good one?',
    body: '',
    posted: { firstDay: '13:11' },
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
    by: 42,
    header: 'A question for the panel that we ran out of time for',
    body:
      'Who decides that an alert may be deleted? In my team everybody is allowed to add one and nobody dares to ' +
      'remove one.',
    posted: { firstDay: '15:08' },
    likes: [10, 9, 18, 29, 32, 45, 27, 30, 21, 38, 1, 40, 25],
    comments: [
      {
        by: 10,
        minutesAfter: 9,
        comment: 'Whoever was woken by it. Same morning, no meeting. We have yet to regret one.',
      },
      {
        by: 9,
        minutesAfter: 16,
        comment: 'We give every alert a date to expire. Renewing takes one line and a reason. Here is our template.',
        files: [
          {
            name: 'alert-template.txt',
            text:
              'alert:\nwakes somebody up: yes / no\nwhat they should do first:\n' +
              'added by:\nexpires on:\nrenewed because:\n',
          },
        ],
      },
      { by: 42, minutesAfter: 20, comment: '“What they should do first” alone will delete half of ours. Köszönöm!' },
      {
        by: 18,
        minutesAfter: 33,
        comment: 'And if the first thing to do is “go back to sleep”, you have your answer.',
      },
    ],
  },
  {
    by: 11,
    header: 'Offline first: exercises and notes from the workshop',
    body:
      'You broke my app in seven ways, two of them new to me. I am very proud.\n\n' +
      'Notes attached. If you finish exercise 4 tonight, show me at breakfast.',
    posted: { firstDay: '16:42' },
    files: [
      {
        name: 'offline-first-notes.txt',
        text:
          'Offline first, for real\n=======================\n\n' +
          '1. Write to the queue, then to the screen, then to the network.\n' +
          '2. Give every write a key, so that sending it twice is harmless.\n' +
          '3. Show waiting, sent and failed. Never guess.\n' +
          '4. Exercise: two phones edit the same note in two tunnels. Lose nothing.\n',
      },
      { name: 'workshop-table.webp', picture: 'workshopTable' },
    ],
    likes: [22, 43, 25, 23, 34, 35, 20, 28, 7, 46, 45],
    comments: [
      { by: 22, minutesAfter: 6, comment: 'As his product manager: he is this proud every day.' },
      { by: 25, minutesAfter: 13, comment: 'My kettle firmware is going to be offline first by next week.' },
      { by: 35, minutesAfter: 338, comment: 'Exercise 4 done!! It is 22:20 and I am not sorry.' },
    ],
  },
]
