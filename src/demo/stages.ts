import type { Calendar } from './calendar.ts'
import { rooms } from './conference.ts'
import type { SampleEvent } from './shapes.ts'

/** The two events that last all three days and have a schedule of their own. */
export function stages(day: Calendar): SampleEvent[] {
  return [
    {
      title: 'Main Stage',
      date_from: `${day(0)} 09:00:00`,
      date_to: `${day(2)} 16:30:00`,
      room: rooms.greatHall,
      description:
        '<p>Three days, one stage: the talks everybody will be discussing at lunch. Captioned live, and recorded.</p>',
      details:
        '<p>The Great Hall seats 420. The front row on the left is kept for anyone who reads lips or captions, the ' +
        'back row on the right for anyone who may need to leave quickly, and for babies.</p>' +
        '<p><strong>Questions?</strong> Post them in the news feed. The host reads out the ones with the most ' +
        'likes.</p>',
      program: [
        {
          date: day(0),
          activities: [
            { title: 'Welcome, and three house rules', time: '09:00:00' },
            { title: 'Opening keynote: Software that survives the weather', time: '09:30:00' },
            { title: '終電: Planning for the last train home', time: '11:00:00' },
            { title: 'Panel: Who gets paged?', time: '14:00:00' },
            { title: 'The year in small disasters, told by those who caused them', time: '16:00:00' },
            { title: 'Harbour walk, meet at the big anchor', time: '17:15:00' },
          ],
        },
        {
          date: day(1),
          activities: [
            { title: 'Keynote: An interface is a promise', time: '09:15:00' },
            { title: 'One database per ferry', time: '10:15:00' },
            { title: 'Panel: The form nobody could finish', time: '11:15:00' },
            { title: 'Money over a bad line', time: '14:00:00' },
            { title: 'Lightning talks', time: '16:30:00' },
          ],
        },
        {
          date: day(2),
          activities: [
            { title: 'Keynote: Repair is a feature', time: '10:00:00' },
            { title: 'When the grid sneezes', time: '11:15:00' },
            { title: 'Ask the organizers anything', time: '13:30:00' },
            { title: 'Closing, and the Lighthouse Awards', time: '15:30:00' },
          ],
        },
      ],
    },
    {
      title: 'Workshop Track',
      date_from: `${day(0)} 10:45:00`,
      date_to: `${day(2)} 15:15:00`,
      room: rooms.ropeLoft,
      description:
        '<p>Sleeves up. Small groups, big tables, and somebody who has done it before within arm’s reach.</p>',
      details:
        '<p>36 places per workshop, first come, first seated. Bring a laptop unless the title says otherwise.</p>' +
        '<ul><li>Power at every table</li><li>A quiet corner for pairs</li><li>Loan laptops at the help desk</li></ul>',
      program: [
        {
          date: day(0),
          activities: [
            { title: 'Your first contribution, together', time: '10:45:00' },
            { title: 'Workshop: Offline first, for real', time: '13:30:00' },
            { title: 'Open tables with the workshop hosts', time: '16:45:00' },
          ],
        },
        {
          date: day(1),
          activities: [
            { title: 'Design a phone line that listens', time: '10:45:00' },
            { title: 'Maps with your feet: survey the quay', time: '13:30:00' },
            { title: 'Read a flame graph without crying', time: '15:15:00' },
          ],
        },
        {
          date: day(2),
          activities: [
            { title: 'Repair café: bring something broken', time: '11:15:00' },
            { title: 'Write the error message first', time: '13:00:00' },
            { title: 'Show and tell', time: '14:30:00' },
          ],
        },
      ],
    },
  ]
}
