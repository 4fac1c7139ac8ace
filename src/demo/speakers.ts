import type { SampleSpeaker } from './shapes.ts'

/** Each is a participant, too. */
export const speakers = {
  ingrid: {
    name: 'Ingrid Solbakk',
    position: 'Summit Chair',
    company: 'Lantern Summit',
    biography:
      'Ingrid grew up three streets from the quay and sold her first program, a tide table, to the harbour master at ' +
      'the age of fourteen. She has chaired Lantern Summit since it fitted into one café. Ask her about knots.',
    links: [{ title: 'Website', url: 'https://example.org/ingrid' }],
  },
  mateus: {
    name: 'Mateus Carvalhal',
    position: 'Program Lead',
    company: 'Lantern Summit',
    biography:
      'Mateus reads every proposal twice, once in the morning and once after dinner, and keeps those that survive ' +
      'both. Before he made programs for conferences, he made them for a small radio station in Porto.',
    links: [],
  },
  aoife: {
    name: 'Aoife Ní Bhriain',
    position: 'Participant Care',
    company: 'Lantern Summit',
    biography:
      'Aoife looks after everybody who arrives until they feel that they have arrived. She was a stage manager in ' +
      'Galway for ten years and still carries tape, plasters and a spare jumper. Her quiet room has been copied by ' +
      'four other conferences, with her blessing.',
    links: [{ title: 'How to run a quiet room', url: 'https://example.org/aoife/quiet-room' }],
  },
  solveig: {
    name: 'Solveig Ødegård-Lien',
    position: 'Chief Engineer',
    company: 'Kystlykt',
    biography:
      'Solveig has kept the software of 64 ferries running for eleven winters, most of them from the engine room. She ' +
      'trained as a ship’s electrician and learned to program because the manual was wrong. On land she sings alto ' +
      'and tells stories that her grandmother swore were true.',
    links: [
      { title: 'Website', url: 'https://example.org/solveig' },
      { title: 'The four habits', url: 'https://example.com/kystlykt/habits' },
    ],
  },
  haruka: {
    name: 'Haruka Hoshikawa',
    position: 'Timetable Architect',
    company: 'Hoshimachi Rail',
    biography:
      'Haruka (星川 遥) draws every timetable by hand before a computer may see it. Her plan for the night trains of ' +
      'Hoshimachi takes 41,000 people home, and she has ridden the last one to be sure. Her cat reviews all diagrams.',
    links: [{ title: '時刻表の部屋', url: 'https://example.net/haruka' }],
  },
  wanjiru: {
    name: 'Wanjiru Kamotho',
    position: 'Head of Payments',
    company: 'Marula Ledger',
    biography:
      'Wanjiru builds payments for markets where the network comes and goes with the rain. She began as a cashier, ' +
      'which is why she counts everything twice and charges it once.',
    links: [{ title: 'Notes on retries', url: 'https://example.org/wanjiru/retries' }],
  },
  etienne: {
    name: 'Étienne Lagarde-Roux',
    position: 'Design Director',
    company: 'Atelier Mouette',
    biography:
      'Étienne designs what people use without noticing: lifts, counters, letters from the tax office. He teaches ' +
      'lettering in the evenings, owns no slide clicker, and travels with a very long roll of paper.',
    links: [{ title: 'Atelier Mouette', url: 'https://example.com/mouette' }],
  },
  priyanka: {
    name: 'Priyanka Deshmane',
    position: 'Principal Engineer',
    company: 'Saffron & Steel',
    biography:
      'Priyanka makes slow warehouses fast, and explains afterwards why they were slow. She has read flame graphs for ' +
      'fifteen years and promises that they do not bite. At home in Pune she restores bicycles with steel frames.',
    links: [{ title: 'Code', url: 'https://example.org/priyanka/code' }],
  },
  juergen: {
    name: 'Jürgen Hoßfeld',
    position: 'Reliability Lead',
    company: 'Nebelhorn Werke',
    biography:
      'Jürgen was woken 212 times in one year and decided that there would be no second such year. Today his team has ' +
      'the most boring pagers in Kempten, and publishes how it got there. He bakes bread at hours at which he used ' +
      'to be awake anyway.',
    links: [{ title: 'Bereitschaft ohne Drama', url: 'https://example.org/juergen' }],
  },
  seun: {
    name: 'Oluwaseun Adetimirin',
    position: 'Mobile Lead',
    company: 'Puffinpost',
    biography:
      'Oluwaseun writes apps for people in tunnels, on ferries and behind thick walls. He tests them on a phone from ' +
      '2013 that he bought back from his aunt. Whoever breaks his app is thanked by name.',
    links: [{ title: 'Website', url: 'https://example.org/seun' }],
  },
  maeve: {
    name: 'Maeve Thistlewood',
    position: 'Repair Engineer',
    company: 'Kettle & Crane',
    biography:
      'Maeve repairs kettles, cranes and the software inside both. Her repair café above a launderette in Leeds has ' +
      'sent home only four things that still did not work, and she remembers each of them.',
    links: [{ title: 'Repair log', url: 'https://example.org/maeve/repairs' }],
  },
  xiomara: {
    name: 'Xiomara Quintalba',
    position: 'Map Editor',
    company: 'Quetzalia Maps',
    biography:
      'Xiomara maps what other maps leave out: kerbs, benches, shade, doors that are heavy. She began with the streets ' +
      'that her grandmother could still walk. Volunteers in eleven cities have followed her with a measuring tape.',
    links: [{ title: 'Mapas a pie', url: 'https://example.net/xiomara' }],
  },
  callum: {
    name: 'Callum Braithmoor',
    position: 'Service Designer',
    company: 'Brightmoor Council',
    biography:
      'Callum looks after the forms of a council that had 640 of them and is down to 412. He used to be a librarian, ' +
      'and still thinks that nobody should leave without what they came for. He reads every form aloud first.',
    links: [],
  },
  soren: {
    name: 'Søren Kjærbo',
    position: 'Database Engineer',
    company: 'Kystlykt',
    biography:
      'Søren looks after 64 databases that are at sea for most of the day. He collects clocks that disagree, at work ' +
      'and on his mantelpiece. His daughter lends him a penguin for important talks.',
    links: [{ title: 'Postmortems', url: 'https://example.org/soren/postmortems' }],
  },
  thaovy: {
    name: 'Thảo Vy Đặng',
    position: 'Robotics Researcher',
    company: 'Holmvik University',
    biography:
      'Thảo Vy studies what robots do when they are in somebody’s way. She has followed them through hospital ' +
      'corridors for 900 encounters and apologized for them in most. She takes the train wherever there is one.',
    links: [{ title: 'Research group', url: 'https://example.org/holmvik/robots' }],
  },
  zofia: {
    name: 'Zofia Łąkowicz',
    position: 'Voice Interface Lead',
    company: 'Tern Clinic',
    biography:
      'Zofia builds the telephone line of a clinic, for callers who cannot or will not use an app. She listens to ' +
      'recordings, with permission, until she knows why somebody hung up. She is patient in four languages.',
    links: [{ title: 'Website', url: 'https://example.org/zofia' }],
  },
  bronte: {
    name: 'Bronte Wattley-Quinn',
    position: 'Grid Software Lead',
    company: 'Wattlebird Energy',
    biography:
      'Bronte writes the software that keeps a power grid at fifty hertz while the sun comes and goes. She grew up on ' +
      'a farm at the end of a very long wire, and can hear when a transformer is unhappy.',
    links: [],
  },
  ravindu: {
    name: 'Ravindu Senarathne',
    position: 'Community Engineer',
    company: 'Loonlake Weather',
    biography:
      'Ravindu helps people with their first contribution, and makes sure that there is a second. It took him three ' +
      'years to dare his own. He has rung the bell at lightning talks in nine countries and apologizes to all of them.',
    links: [{ title: 'First patches welcome', url: 'https://example.org/ravindu' }],
  },
  sana: {
    name: 'Sana Mirzapour',
    position: 'Accessibility Specialist',
    company: 'Atelier Mouette',
    biography:
      'Sana finds out who is left out by a design, preferably before it ships. She tests with people who are blind, ' +
      'deaf, dyslexic or holding a baby, and pays all of them. Her reviews are known for their kindness and their length.',
    links: [{ title: 'Have we asked them?', url: 'https://example.org/sana' }],
  },
  thais: {
    name: 'Thaís Ribeirinho',
    position: 'Learning Designer',
    company: 'Sementinha Edu',
    biography:
      'Thaís designs lessons for people who are sure that they cannot learn this. She taught chemistry in Recife before ' +
      'she taught teachers. Her workshops have no slides, many scissors, and always bread.',
    links: [{ title: 'Aulas abertas', url: 'https://example.net/thais' }],
  },
  nell: {
    name: 'Nell Arkwright-Shaw',
    position: 'Technical Writer',
    company: 'Kettle & Crane',
    biography:
      'Nell writes manuals for machines that can burn your fingers. After years of explaining error messages, Nell now ' +
      'writes them first and lets the code follow. The pencil stubs of all editions are in a jar.',
    links: [{ title: 'Plain words', url: 'https://example.org/nell' }],
  },
} satisfies Record<string, SampleSpeaker>
