import type { Calendar } from './calendar.ts'
import { greatHall, lanternHouse } from './places.ts'
import type { SampleEvent } from './shapes.ts'

/** The events of the third day, and those without a date. */
export function thirdDaySessions(day: Calendar): SampleEvent[] {
  return [
    {
      title: 'Keynote: Repair is a feature',
      date_from: `${day(2)} 10:00:00`,
      date_to: `${day(2)} 10:50:00`,
      location: lanternHouse,
      venue: greatHall,
      speaker: 'Maeve Thistlewood',
      position: 'Repair Engineer',
      company: 'Kettle & Crane',
      description:
        '<p>Maeve fixes kettles, cranes and occasionally software. She brings a toaster from 1958 and a phone from ' +
        'last year, and asks which of the two was built by people who expected to meet it again.</p>',
      details:
        '<p>Spare parts, spare knowledge, and why a good log line is a screw you can actually turn. Starts a little ' +
        'later than usual, for reasons that involve a brass band.</p>' +
        '<p>Afterwards: the <strong>repair café</strong> in the Rope Loft.</p>',
      program: [],
    },
    {
      title: 'Closing, and the Lighthouse Awards',
      date_from: `${day(2)} 15:30:00`,
      date_to: `${day(2)} 16:30:00`,
      location: lanternHouse,
      venue: greatHall,
      speaker: 'Ingrid Solbakk',
      position: 'Summit Chair',
      company: 'Lantern Summit',
      description: '<p>Three small brass lighthouses, a great many thank-yous, and the date of the next summit.</p>',
      details:
        '<p>The awards go to the kindest code review, the most useful failure, and the best question asked by ' +
        'somebody who thought it was a silly one. The likes in the news feed decide.</p>' +
        '<p>Luggage may stay in the cloakroom until 18:00.</p>',
      program: [],
    },
    {
      title: 'Teaching a robot to say sorry',
      date_from: null,
      date_to: null,
      location: { name: '', address: '' },
      venue: 'To be announced',
      speaker: 'Thảo Vy Đặng',
      position: 'Robotics Researcher',
      company: 'Holmvik University',
      description:
        '<p>When a delivery robot blocks your way, what should it say, and should it mean it? Results from 900 ' +
        'slightly awkward encounters in a hospital corridor.</p>',
      details: '<p>Not scheduled yet. As soon as the talk has a time, it appears here and in the news feed.</p>',
      program: [],
    },
  ]
}
