import { rooms, tracks } from './conference.ts'
import type { SampleSession } from './shapes.ts'
import { speakers } from './speakers.ts'

export const secondDay: SampleSession[] = [
  {
    title: 'A swim before breakfast, if you dare',
    from: '07:30',
    to: '08:15',
    room: rooms.bigAnchor,
    type: 'Social',
    speakers: [speakers.callum],
    tags: ['outdoors'],
    description: '<p>Nine degrees, four minutes, then the sauna raft. Callum brings the thermometer and the cocoa.</p>',
    details: '<p>You may also just come for the cocoa. Most do.</p>',
  },
  {
    title: 'Breakfast in the Salt Shed',
    from: '08:00',
    to: '09:15',
    room: rooms.quay,
    type: 'Break',
    description:
      '<p>Porridge, rye bread, four kinds of herring and a quiet table for those who do not speak before nine.</p>',
    details: '',
  },
  {
    title: 'One database per ferry',
    from: '09:15',
    to: '10:00',
    room: rooms.greatHall,
    type: 'Talk',
    track: tracks.madeToLast,
    speakers: [speakers.soren],
    tags: ['databases', 'ferries', 'offline'],
    description:
      '<p>The keynote said “decide on board”. This is how: 64 boats, 64 small databases, and one shore that has ' +
      'to make sense of them all.</p>',
    details:
      '<p>Change logs, clocks that disagree, and the day two ferries sold the same cabin. With numbers, and with ' +
      'the mistakes left in.</p>',
  },
  {
    title: 'Captions are not subtitles',
    from: '09:15',
    to: '10:00',
    room: rooms.engineRoom,
    type: 'Talk',
    track: tracks.everybodyIncluded,
    speakers: [speakers.sana],
    tags: ['accessibility'],
    description:
      '<p>[Door creaks. Somebody we know comes in.] What a good caption says, what it leaves out, and who ' +
      'decides.</p>',
    details:
      '<p>Sana has watched 40 hours of our own recordings and is very kind about it. Bring a video of yours.</p>',
  },
  {
    title: 'Keynote: Repair is a feature',
    from: '10:15',
    to: '11:05',
    room: rooms.greatHall,
    type: 'Keynote',
    track: tracks.madeToLast,
    speakers: [speakers.maeve],
    banner: 'radio',
    tags: ['repair'],
    description:
      '<p>Maeve fixes kettles, cranes and occasionally software. She brings a toaster from 1958 and a phone from ' +
      'last year, and asks which of the two was built by people who expected to meet it again.</p>',
    details:
      '<p>Spare parts, spare knowledge, and why a good log line is a screw you can actually turn. Starts a little ' +
      'later than usual, for reasons that involve a brass band.</p>',
  },
  {
    title: 'Design a phone line that listens',
    from: '10:45',
    to: '12:15',
    room: rooms.ropeLoft,
    type: 'Workshop',
    track: tracks.everybodyIncluded,
    speakers: [speakers.zofia],
    tags: ['voice', 'accessibility', 'hands-on'],
    description: '<p>“For appointments, press one.” Then what? Build a line that people do not want to hang up on.</p>',
    details:
      '<p>In groups of four, you write the dialogue, act it out with real telephones, and listen to each other ' +
      'stumble.</p><p>No laptop needed. Bring your voice, or somebody who likes to lend theirs.</p>',
  },
  {
    title: 'When the grid sneezes',
    from: '11:15',
    to: '12:00',
    room: rooms.greatHall,
    type: 'Talk',
    track: tracks.behindTheScenes,
    speakers: [speakers.bronte],
    tags: ['energy', 'control'],
    description: '<p>A cloud passes over 90,000 roofs, and for eleven seconds everything depends on software.</p>',
    details:
      '<p>What fifty hertz sounds like, why it must not change, and what we do when it does. With a recording of ' +
      'a transformer that is unhappy.</p>',
  },
  {
    title: 'Bereitschaft ohne Drama',
    from: '11:15',
    to: '12:00',
    room: rooms.engineRoom,
    type: 'Talk',
    track: tracks.behindTheScenes,
    speakers: [speakers.juergen],
    language: 'de',
    tags: ['on call'],
    description:
      '<p>Von 212 Weckrufen im Jahr auf neun, ohne dass jemand weniger Verantwortung trägt. Nur anders ' +
      'verteilt.</p>',
    details: '<p>In German, slides in English. There will be bread.</p>',
  },
  {
    title: 'Lunch, dumplings',
    from: '12:15',
    to: '13:30',
    room: rooms.foyer,
    type: 'Break',
    banner: 'lunch',
    description: '<p>Seven kinds, labelled by hand. The queue on the left is shorter, it always is.</p>',
    details: '<p>Please bring your plate back: the dishwasher is a volunteer.</p>',
  },
  {
    title: 'Maps with your feet: survey the quay',
    from: '13:30',
    to: '15:00',
    room: rooms.bigAnchor,
    type: 'Workshop',
    track: tracks.everybodyIncluded,
    speakers: [speakers.xiomara],
    tags: ['maps', 'open data', 'outdoors'],
    description: '<p>Which way into the Salt Shed would you take on wheels, with a pram, or on a bad knee?</p>',
    details:
      '<p>Measuring tapes are at the anchor, rain jackets at the help desk. Everything that we find is open data ' +
      'by the evening.</p>',
  },
  {
    title: 'Money over a bad line',
    from: '14:00',
    to: '14:45',
    room: rooms.greatHall,
    type: 'Talk',
    track: tracks.madeToLast,
    speakers: [speakers.wanjiru],
    tags: ['payments', 'idempotency'],
    description:
      '<p>A market stall, two bars of signal, a queue. The payment must happen once: not zero times, not ' +
      'twice.</p>',
    details:
      '<p>Wanjiru follows a single payment through every retry, timeout and shrug on its way, and shows how an ' +
      'idempotency key saved a mango season.</p>',
  },
  {
    title: 'Tea and something sweet',
    from: '14:45',
    to: '15:15',
    room: rooms.foyer,
    type: 'Break',
    description: '<p>Almond cake, and the tea that has now been labelled.</p>',
    details: '',
  },
  {
    title: 'Tie a net, draw a network',
    subtitle: 'Knots for people who think in graphs',
    from: '15:15',
    to: '16:15',
    room: rooms.netRoom,
    type: 'Workshop',
    track: tracks.together,
    speakers: [speakers.ingrid],
    tags: ['knots', 'hands-on'],
    description:
      '<p>Fishers knew about redundancy first. Tie a square metre of net, cut one knot, and see what still ' +
      'holds.</p>',
    details: '<p>Twine and needles are there. Left-handers are welcome, and taught by one.</p>',
    movesTo: rooms.ropeLoft,
  },
  {
    title: 'Panel: The form nobody could finish',
    from: '15:15',
    to: '16:15',
    room: rooms.greatHall,
    type: 'Panel',
    track: tracks.everybodyIncluded,
    speakers: [speakers.callum, speakers.xiomara, speakers.sana],
    tags: ['forms', 'accessibility'],
    description:
      '<p>One real parking-permit form, 31 screens long. Three people take it apart in front of you and put back ' +
      'only what is needed.</p>',
    details:
      '<p>How names, addresses and bodies that do not fit the boxes get left out, and what changes when you test ' +
      'with the people who gave up last time. Live captions and sign language interpretation.</p>',
  },
  {
    title: 'Read a flame graph without crying',
    subtitle: 'A picture of what your program does all day',
    from: '15:15',
    to: '16:15',
    room: rooms.engineRoom,
    type: 'Workshop',
    track: tracks.behindTheScenes,
    speakers: [speakers.priyanka],
    tags: ['performance', 'hands-on'],
    description: '<p>Wide is slow, tall is only tall, and the colours mean nothing at all. The rest is practice.</p>',
    details:
      '<p>Five graphs of real warehouses, from friendly to frightening. Bring one of your own, and we read it ' +
      'together.</p>',
  },
  {
    title: 'Lightning talks',
    from: '16:30',
    to: '17:30',
    room: rooms.greatHall,
    type: 'Talk',
    track: tracks.together,
    speakers: [speakers.ravindu],
    banner: 'shipBell',
    tags: ['first-timers'],
    description: '<p>Twelve talks, four minutes each, one ship’s bell. Anybody may sign up, including you.</p>',
    details:
      '<p>The sign-up sheet hangs beside the Great Hall until lunch. First-time speakers go first, and get the ' +
      'loudest applause. Ravindu rings the bell, without mercy and with a smile.</p>',
    parts: [
      { title: 'What my grandmother’s recipe cards taught me about version control', time: '16:30' },
      { title: 'A weather balloon in my garden', time: '16:35' },
      { title: 'How to translate a joke about semicolons', time: '16:40' },
      { title: 'Eight more, and whoever dares', time: '16:45' },
    ],
  },
]
