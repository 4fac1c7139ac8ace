import type { Calendar } from './calendar.ts'
import { greatHall, lanternHouse, ropeLoft } from './places.ts'
import type { SampleEvent } from './shapes.ts'

/** The events of the first day. */
export function firstDaySessions(day: Calendar): SampleEvent[] {
  return [
    {
      title: 'Doors open, coffee and cinnamon buns',
      date_from: `${day(0)} 08:00:00`,
      date_to: `${day(0)} 09:00:00`,
      location: lanternHouse,
      venue: 'Foyer',
      speaker: '',
      position: '',
      company: '',
      description: '<p>Pick up your badge, find a bun, say hello to the person behind you in the queue.</p>',
      details:
        '<p>Vegan and gluten-free buns are on the blue plates. Tea is at the far end, where it is quieter.</p>' +
        '<p>Travelling light? The cloakroom also charges phones.</p>',
      program: [],
    },
    {
      title: 'Opening keynote: Software that survives the weather',
      date_from: `${day(0)} 09:30:00`,
      date_to: `${day(0)} 10:20:00`,
      location: lanternHouse,
      venue: greatHall,
      speaker: 'Solveig Ødegård-Lien',
      position: 'Chief Engineer',
      company: 'Kystlykt',
      description:
        '<p>A ferry does not stop for an update. For eleven winters Solveig has kept software running on 64 boats ' +
        'that spend half their lives out of reach, and she still sleeps well.</p>',
      details:
        '<p>What happens when you assume that the network is the exception? We look at three storms, one very ' +
        'patient captain, and the four habits that came out of it:</p>' +
        '<ol><li>Decide on board, report ashore.</li><li>Make every message safe to send twice.</li>' +
        '<li>Let people see how old the data is.</li><li>Practise the bad day on a good day.</li></ol>',
      program: [],
    },
    {
      title: '終電: Planning for the last train home',
      date_from: `${day(0)} 11:00:00`,
      date_to: `${day(0)} 11:45:00`,
      location: lanternHouse,
      venue: greatHall,
      speaker: 'Haruka Hoshikawa',
      position: 'Timetable Architect',
      company: 'Hoshimachi Rail',
      description:
        '<p><em>Shūden</em> (終電) is the last train of the night. If it is late, somebody walks home. Haruka plans ' +
        'timetables backwards from that one promise.</p>',
      details:
        '<p>Expect hand-drawn diagrams, a short history of waiting politely, and a scheduling trick that works just ' +
        'as well for build queues.</p><p>In English, with a Japanese summary on the last slide (日本語のまとめあり).</p>',
      program: [],
    },
    {
      title: 'Workshop: Offline first, for real',
      date_from: `${day(0)} 13:30:00`,
      date_to: `${day(0)} 16:30:00`,
      location: lanternHouse,
      venue: ropeLoft,
      speaker: 'Oluwaseun Adetimirin',
      position: 'Mobile Lead',
      company: 'Puffinpost',
      description:
        '<p>Build a small messaging app that keeps working in a tunnel, then let the whole room try to break it.</p>',
      details:
        '<p><strong>You will</strong></p><ul><li>queue writes and replay them safely</li><li>merge two edits without ' +
        'losing either</li><li>show “sent”, “waiting” and “failed” honestly</li></ul>' +
        '<p><strong>Bring</strong> a laptop and a phone of any make. Some experience with any mobile platform ' +
        'helps; being the only expert in the room does not.</p>',
      program: [],
    },
    {
      title: 'Panel: Who gets paged?',
      date_from: `${day(0)} 14:00:00`,
      date_to: `${day(0)} 15:00:00`,
      location: lanternHouse,
      venue: greatHall,
      speaker: 'Jürgen Hoßfeld, Priyanka Deshmane, Bronte Wattley-Quinn',
      position: 'Panel',
      company: 'Nebelhorn Werke, Saffron & Steel, Wattlebird Energy',
      description:
        '<p>Three people who have been woken at 3 a.m. by a computer discuss who should be, how often, and ' +
        'for what.</p>',
      details:
        '<p>Fair pay for broken sleep, alerts that deserved to be deleted, and how a night shift at a power company ' +
        'differs from one at a warehouse. Moderated by Mateus Carvalhal, who promises to be awake.</p>',
      program: [],
    },
  ]
}
