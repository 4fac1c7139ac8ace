import { type Calendar, calendar } from './calendar.ts'
import { rooms, tracks } from './conference.ts'
import { laterSessions } from './later-sessions.ts'
import type { SampleEvent } from './shapes.ts'
import { speakers } from './speakers.ts'
import { stages } from './stages.ts'

/**
 * The program of a summit that starts on firstDay, YYYY-MM-DD.
 * @throws RangeError if firstDay is not a date.
 */
export function events(firstDay: string): SampleEvent[] {
  const day = calendar(firstDay)
  return [
    ...stages(day),
    ...firstDaySessions(day),
    ...secondDaySessions(day),
    ...thirdDaySessions(day),
    ...laterSessions(day),
  ]
}

/** The events of the first day. */
function firstDaySessions(day: Calendar): SampleEvent[] {
  return [
    {
      title: 'Doors open, coffee and cinnamon buns',
      date_from: `${day(0)} 08:00:00`,
      date_to: `${day(0)} 09:00:00`,
      room: rooms.foyer,
      type: 'social',
      description: '<p>Pick up your badge, find a bun, say hello to the person behind you in the queue.</p>',
      details:
        '<p>Vegan and gluten-free buns are on the blue plates. Tea is at the far end, where it is quieter.</p>' +
        '<p>Travelling light? The cloakroom also charges phones.</p>',
    },
    {
      title: 'Opening keynote: Software that survives the weather',
      date_from: `${day(0)} 09:30:00`,
      date_to: `${day(0)} 10:20:00`,
      room: rooms.greatHall,
      type: 'keynote',
      track: tracks.madeToLast,
      speakers: [speakers.solveig],
      tags: ['offline', 'ferries'],
      description:
        '<p>A ferry does not stop for an update. For eleven winters Solveig has kept software running on 64 boats ' +
        'that spend half their lives out of reach, and she still sleeps well.</p>',
      details:
        '<p>What happens when you assume that the network is the exception? We look at three storms, one very ' +
        'patient captain, and the four habits that came out of it:</p>' +
        '<ol><li>Decide on board, report ashore.</li><li>Make every message safe to send twice.</li>' +
        '<li>Let people see how old the data is.</li><li>Practise the bad day on a good day.</li></ol>',
    },
    {
      title: '終電: Planning for the last train home',
      date_from: `${day(0)} 11:00:00`,
      date_to: `${day(0)} 11:45:00`,
      room: rooms.greatHall,
      type: 'talk',
      track: tracks.behindTheScenes,
      speakers: [speakers.haruka],
      tags: ['planning', 'trains'],
      description:
        '<p><em>Shūden</em> (終電) is the last train of the night. If it is late, somebody walks home. Haruka plans ' +
        'timetables backwards from that one promise.</p>',
      details:
        '<p>Expect hand-drawn diagrams, a short history of waiting politely, and a scheduling trick that works just ' +
        'as well for build queues.</p><p>In English, with a Japanese summary on the last slide (日本語のまとめあり).</p>',
    },
    {
      title: 'Workshop: Offline first, for real',
      date_from: `${day(0)} 13:30:00`,
      date_to: `${day(0)} 16:30:00`,
      room: rooms.ropeLoft,
      type: 'workshop',
      track: tracks.madeToLast,
      speakers: [speakers.seun],
      tags: ['offline', 'mobile', 'hands-on'],
      links: [{ rel: '', title: 'Exercises', url: 'https://example.com/puffinpost/offline-first' }],
      description:
        '<p>Build a small messaging app that keeps working in a tunnel, then let the whole room try to break it.</p>',
      details:
        '<p><strong>You will</strong></p><ul><li>queue writes and replay them safely</li><li>merge two edits without ' +
        'losing either</li><li>show “sent”, “waiting” and “failed” honestly</li></ul>' +
        '<p><strong>Bring</strong> a laptop and a phone of any make. Some experience with any mobile platform ' +
        'helps; being the only expert in the room does not.</p>',
    },
    {
      title: 'Panel: Who gets paged?',
      date_from: `${day(0)} 14:00:00`,
      date_to: `${day(0)} 15:00:00`,
      room: rooms.greatHall,
      type: 'panel',
      track: tracks.behindTheScenes,
      speakers: [speakers.juergen, speakers.priyanka, speakers.bronte],
      tags: ['on call', 'alerts'],
      description:
        '<p>Three people who have been woken at 3 a.m. by a computer discuss who should be, how often, and ' +
        'for what.</p>',
      details:
        '<p>Fair pay for broken sleep, alerts that deserved to be deleted, and how a night shift at a power company ' +
        'differs from one at a warehouse. Moderated by Mateus Carvalhal, who promises to be awake.</p>',
    },
  ]
}

/** The events of the second day, until well after midnight. */
function secondDaySessions(day: Calendar): SampleEvent[] {
  return [
    {
      title: 'Keynote: An interface is a promise',
      date_from: `${day(1)} 09:15:00`,
      date_to: `${day(1)} 10:00:00`,
      room: rooms.greatHall,
      type: 'keynote',
      track: tracks.everybodyIncluded,
      speakers: [speakers.etienne],
      tags: ['design'],
      description:
        '<p>A button, a form, an API: each tells somebody what will happen next. Étienne collects promises that were ' +
        'kept, and a few that were not.</p>',
      details:
        '<p>Three questions to ask of anything you are about to ship, with examples from a lift, a bakery and a tax ' +
        'office. No slides for the first ten minutes, only a very long roll of paper.</p>',
    },
    {
      title: 'One database per ferry',
      date_from: `${day(1)} 10:15:00`,
      date_to: `${day(1)} 11:00:00`,
      room: rooms.greatHall,
      type: 'talk',
      track: tracks.madeToLast,
      speakers: [speakers.soren],
      tags: ['databases', 'ferries', 'offline'],
      description:
        '<p>The keynote said “decide on board”. This is how: 64 boats, 64 small databases, and one shore that has to ' +
        'make sense of them all.</p>',
      details:
        '<p>Change logs, clocks that disagree, and the day two ferries sold the same cabin. With numbers, and with ' +
        'the mistakes left in.</p>',
    },
    {
      title: 'Panel: The form nobody could finish',
      date_from: `${day(1)} 11:15:00`,
      date_to: `${day(1)} 12:15:00`,
      room: rooms.greatHall,
      type: 'panel',
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
      title: 'Money over a bad line',
      date_from: `${day(1)} 14:00:00`,
      date_to: `${day(1)} 14:45:00`,
      room: rooms.greatHall,
      type: 'talk',
      track: tracks.madeToLast,
      speakers: [speakers.wanjiru],
      tags: ['payments', 'idempotency'],
      description:
        '<p>A market stall, two bars of signal, a queue. The payment must happen once: not zero times, not twice.</p>',
      details:
        '<p>Wanjiru follows a single payment through every retry, timeout and shrug on its way, and shows how an ' +
        'idempotency key saved a mango season.</p>',
    },
    {
      title: 'Lightning talks',
      date_from: `${day(1)} 16:30:00`,
      date_to: `${day(1)} 17:30:00`,
      room: rooms.greatHall,
      type: 'talk',
      track: tracks.together,
      speakers: [speakers.ravindu],
      tags: ['first-timers'],
      description: '<p>Twelve talks, four minutes each, one ship’s bell. Anybody may sign up, including you.</p>',
      details:
        '<p>The sign-up sheet hangs beside the Great Hall until lunch. First-time speakers go first, and get the ' +
        'loudest applause. Ravindu rings the bell, without mercy and with a smile.</p>',
    },
    {
      title: 'Lantern Night',
      date_from: `${day(1)} 20:00:00`,
      date_to: `${day(2)} 01:00:00`,
      room: rooms.quay,
      type: 'social',
      track: tracks.together,
      tags: ['food', 'music'],
      description:
        '<p>Fish soup, bean stew, a brass band that takes requests, and 400 paper lanterns on the water. 🏮</p>',
      details:
        '<p>Upstairs is the quiet floor: board games, tea, soft light. Soft drinks are free all night. Families are ' +
        'welcome until 22:00.</p><p>The lanterns are lit at 21:30 and collected again in the morning. Shuttles to ' +
        'the centre leave at 23:00, 00:00 and 01:15.</p>',
    },
  ]
}

/** The events of the third day, and those without a date. */
function thirdDaySessions(day: Calendar): SampleEvent[] {
  return [
    {
      title: 'Keynote: Repair is a feature',
      date_from: `${day(2)} 10:00:00`,
      date_to: `${day(2)} 10:50:00`,
      room: rooms.greatHall,
      type: 'keynote',
      track: tracks.madeToLast,
      speakers: [speakers.maeve],
      tags: ['repair'],
      description:
        '<p>Maeve fixes kettles, cranes and occasionally software. She brings a toaster from 1958 and a phone from ' +
        'last year, and asks which of the two was built by people who expected to meet it again.</p>',
      details:
        '<p>Spare parts, spare knowledge, and why a good log line is a screw you can actually turn. Starts a little ' +
        'later than usual, for reasons that involve a brass band.</p>' +
        '<p>Afterwards: the <strong>repair café</strong> in the Rope Loft.</p>',
    },
    {
      title: 'Closing, and the Lighthouse Awards',
      date_from: `${day(2)} 15:30:00`,
      date_to: `${day(2)} 16:30:00`,
      room: rooms.greatHall,
      type: 'social',
      track: tracks.together,
      speakers: [speakers.ingrid],
      description: '<p>Three small brass lighthouses, a great many thank-yous, and the date of the next summit.</p>',
      details:
        '<p>The awards go to the kindest code review, the most useful failure, and the best question asked by ' +
        'somebody who thought it was a silly one. The likes in the news feed decide.</p>' +
        '<p>Luggage may stay in the cloakroom until 18:00.</p>',
    },
    {
      title: 'Teaching a robot to say sorry',
      date_from: null,
      date_to: null,
      room: null,
      type: 'talk',
      track: tracks.everybodyIncluded,
      speakers: [speakers.thaovy],
      tags: ['robots', 'research'],
      description:
        '<p>When a delivery robot blocks your way, what should it say, and should it mean it? Results from 900 ' +
        'slightly awkward encounters in a hospital corridor.</p>',
      details: '<p>Not scheduled yet. As soon as the talk has a time, it appears here and in the news feed.</p>',
    },
  ]
}
