import { rooms, tracks } from './conference.ts'
import type { SampleSession } from './shapes.ts'
import { speakers } from './speakers.ts'

export const firstDay: SampleSession[] = [
  {
    title: 'Doors open, coffee and cinnamon buns',
    from: '08:00',
    to: '09:00',
    room: rooms.foyer,
    type: 'Break',
    description: '<p>Pick up your badge, find a bun, say hello to the person behind you in the queue.</p>',
    details:
      '<p>Vegan and gluten-free buns are on the blue plates. Tea is at the far end, where it is ' +
      'quieter.</p><p>Travelling light? The cloakroom also charges phones.</p>',
  },
  {
    title: 'Welcome, and three house rules',
    from: '09:00',
    to: '09:30',
    room: rooms.greatHall,
    type: 'Talk',
    speakers: [speakers.ingrid, speakers.aoife],
    description: '<p>Be kind, be curious, be back from lunch on time.</p>',
    details:
      '<p>Where to find tea, help, quiet and each other. Ingrid explains the lanterns, Aoife the colours of the ' +
      'badges.</p>',
  },
  {
    title: 'Opening keynote: Software that survives the weather',
    from: '09:30',
    to: '10:20',
    room: rooms.greatHall,
    type: 'Keynote',
    track: tracks.madeToLast,
    speakers: [speakers.solveig],
    banner: 'ferryInAStorm',
    tags: ['offline', 'ferries'],
    description:
      '<p>A ferry does not stop for an update. For eleven winters Solveig has kept software running on 64 boats ' +
      'that spend half their lives out of reach, and she still sleeps well.</p>',
    details:
      '<p>What happens when you assume that the network is the exception? We look at three storms, one very ' +
      'patient captain, and the four habits that came out of it:</p><ol><li>Decide on board, report ' +
      'ashore.</li><li>Make every message safe to send twice.</li><li>Let people see how old the data ' +
      'is.</li><li>Practise the bad day on a good day.</li></ol>',
  },
  {
    title: 'Coffee, and the first question to a stranger',
    from: '10:20',
    to: '10:45',
    room: rooms.foyer,
    type: 'Break',
    description: '<p>If you cannot think of one: “What did you fix last week?”</p>',
    details: '',
  },
  {
    title: 'Your first contribution, together',
    subtitle: 'Everybody leaves with a patch that has been sent',
    from: '10:45',
    to: '12:15',
    room: rooms.ropeLoft,
    type: 'Workshop',
    track: tracks.together,
    speakers: [speakers.ravindu, speakers.thais],
    tags: ['open source', 'first-timers', 'hands-on'],
    description:
      '<p>Pick a small, real task in a project that is expecting you, and finish it with somebody at your ' +
      'side.</p>',
    details:
      '<p>Maintainers of six projects have set aside tasks and promised to reply within the hour. Documentation, ' +
      'translations and drawings count exactly as much as code.</p>',
  },
  {
    title: '終電: Planning for the last train home',
    from: '11:00',
    to: '11:45',
    room: rooms.greatHall,
    type: 'Talk',
    track: tracks.behindTheScenes,
    speakers: [speakers.haruka],
    banner: 'lastTrain',
    tags: ['planning', 'trains'],
    description:
      '<p><em>Shūden</em> (終電) is the last train of the night. If it is late, somebody walks home. Haruka plans ' +
      'timetables backwards from that one promise.</p>',
    details:
      '<p>Expect hand-drawn diagrams, a short history of waiting politely, and a scheduling trick that works just ' +
      'as well for build queues.</p><p>In English, with a Japanese summary on the last slide (日本語のまとめあり).</p>',
  },
  {
    title: 'Mapas a pie: kerbs, benches and shade',
    from: '11:00',
    to: '11:45',
    room: rooms.engineRoom,
    type: 'Talk',
    track: tracks.everybodyIncluded,
    speakers: [speakers.xiomara],
    language: 'es',
    tags: ['maps', 'open data'],
    description:
      '<p>Un mapa que no muestra los escalones no es un mapa para todos. Xiomara cuenta cómo once ciudades se ' +
      'midieron a sí mismas.</p>',
    details: '<p>In Spanish, with English captions. Tomorrow’s workshop on the quay needs no Spanish, only shoes.</p>',
  },
  {
    title: 'Lunch under the whale',
    from: '12:15',
    to: '13:30',
    room: rooms.foyer,
    type: 'Break',
    banner: 'lunch',
    description: '<p>Soup, bread, dumplings, and a table for everybody who has come alone: the round one.</p>',
    details: '<p>Everything is labelled. What has nuts in it stands on its own table by the window.</p>',
  },
  {
    title: 'Workshop: Offline first, for real',
    from: '13:30',
    to: '16:30',
    room: rooms.ropeLoft,
    type: 'Workshop',
    track: tracks.madeToLast,
    speakers: [speakers.seun],
    tags: ['offline', 'mobile', 'hands-on'],
    links: [{ rel: '', title: 'Exercises', url: 'https://example.com/puffinpost/offline-first' }],
    description:
      '<p>Build a small messaging app that keeps working in a tunnel, then let the whole room try to break it.</p>',
    details:
      '<p><strong>You will</strong></p><ul><li>queue writes and replay them safely</li><li>merge two edits ' +
      'without losing either</li><li>show “sent”, “waiting” and “failed” ' +
      'honestly</li></ul><p><strong>Bring</strong> a laptop and a phone of any make. Some experience with any ' +
      'mobile platform helps; being the only expert in the room does not.</p>',
  },
  {
    title: 'Panel: Who gets paged?',
    from: '14:00',
    to: '15:00',
    room: rooms.greatHall,
    type: 'Panel',
    track: tracks.behindTheScenes,
    speakers: [speakers.juergen, speakers.priyanka, speakers.bronte],
    tags: ['on call', 'alerts'],
    description:
      '<p>Three people who have been woken at 3 a.m. by a computer discuss who should be, how often, and for ' +
      'what.</p>',
    details:
      '<p>Fair pay for broken sleep, alerts that deserved to be deleted, and how a night shift at a power company ' +
      'differs from one at a warehouse. Moderated by Mateus Carvalhal, who promises to be awake.</p>',
  },
  {
    title: 'What the caller meant',
    from: '14:15',
    to: '15:00',
    room: rooms.engineRoom,
    type: 'Talk',
    track: tracks.everybodyIncluded,
    speakers: [speakers.zofia],
    tags: ['voice'],
    description:
      '<p>“I am calling about my mother” is not on the menu. Zofia plays nine recordings, with permission, and ' +
      'asks what each caller needed.</p>',
    details: '<p>Transcripts are on paper at the door and on the screen. Nobody in the recordings is a joke.</p>',
  },
  {
    title: 'Tea and something sweet',
    from: '15:15',
    to: '15:45',
    room: rooms.foyer,
    type: 'Break',
    description: '<p>Waffles with brown cheese. Try it once, then decide.</p>',
    details: '',
  },
  {
    title: 'The year in small disasters, told by those who caused them',
    from: '16:00',
    to: '17:00',
    room: rooms.greatHall,
    type: 'Panel',
    track: tracks.behindTheScenes,
    speakers: [speakers.soren, speakers.juergen, speakers.wanjiru],
    tags: ['failure', 'postmortems'],
    do_not_record: 1,
    description:
      '<p>A cabin sold twice, a pager that rang a bakery, and a decimal point in the wrong country. Nobody was ' +
      'hurt, everybody learned.</p>',
    details: '<p>Ten minutes each, then yours. The cameras are off, so that the stories can be complete.</p>',
  },
  {
    title: 'Open tables with the workshop hosts',
    from: '16:45',
    to: '17:45',
    room: rooms.ropeLoft,
    type: 'Workshop',
    track: tracks.together,
    speakers: [speakers.seun, speakers.ravindu, speakers.thais],
    description: '<p>Stuck on an exercise, or curious about one that you missed? Pull up a chair.</p>',
    details: '<p>No program and no slides. There is soup at 17:15, and the tables are large.</p>',
  },
  {
    title: 'Harbour walk, meet at the big anchor',
    from: '17:15',
    to: '18:30',
    room: rooms.bigAnchor,
    type: 'Social',
    track: tracks.together,
    speakers: [speakers.ingrid],
    tags: ['outdoors'],
    description: '<p>Along the water to the old fish market and back, at the pace of the slowest.</p>',
    details: '<p>About two kilometres, step-free, with three stories and one bench for each of them.</p>',
  },
  {
    title: 'Repair café: bring something broken',
    from: '18:00',
    to: '19:45',
    room: rooms.ropeLoft,
    type: 'Workshop',
    track: tracks.madeToLast,
    speakers: [speakers.maeve, speakers.nell],
    tags: ['repair', 'hands-on'],
    description: '<p>Radios, zips, keyboards, umbrellas. You hold the screwdriver, we hold the torch.</p>',
    details:
      '<p>Maeve opens things, Nell finds out what their manuals meant. Anything that fits through the door is ' +
      'welcome, as long as it is cold and unplugged.</p>',
  },
  {
    title: 'Lantern Night',
    from: '20:00',
    to: '24:30',
    room: rooms.quay,
    type: 'Social',
    track: tracks.together,
    banner: 'harbourAtDusk',
    tags: ['food', 'music'],
    description:
      '<p>Fish soup, bean stew, a brass band that takes requests, and 400 paper lanterns on the water. 🏮</p>',
    details:
      '<p>Upstairs is the quiet floor: board games, tea, soft light. Soft drinks are free all night. Families are ' +
      'welcome until 22:00.</p><p>The lanterns are collected again in the morning. Shuttles to the centre leave ' +
      'at 23:00, 00:00 and 01:15.</p>',
    parts: [
      { title: 'Soup, stew and bread', time: '20:00' },
      { title: 'The brass band takes requests', time: '20:45' },
      { title: 'The lanterns are lit', time: '21:30' },
    ],
  },
  {
    title: 'Sjøhistorier etter midnatt',
    subtitle: 'Sea stories after midnight, in Norwegian, with whispered English',
    from: '24:15',
    to: '24:50',
    room: rooms.quietFloor,
    type: 'Social',
    track: tracks.together,
    speakers: [speakers.solveig],
    language: 'nb',
    tags: ['stories'],
    description: '<p>Draugen, fyrvokteren og ferga som aldri kom fram. Nesten alt er sant.</p>',
    details: '<p>Ta med en kopp te og et teppe. Den siste bussen til sentrum går klokka 01:15.</p>',
  },
]
