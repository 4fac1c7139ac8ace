import type { Calendar } from './calendar.ts'
import { greatHall, lanternHouse, saltShed } from './places.ts'
import type { SampleEvent } from './shapes.ts'

/** The events of the second day, until well after midnight. */
export function secondDaySessions(day: Calendar): SampleEvent[] {
  return [
    {
      title: 'Keynote: An interface is a promise',
      date_from: `${day(1)} 09:15:00`,
      date_to: `${day(1)} 10:00:00`,
      location: lanternHouse,
      venue: greatHall,
      speaker: 'Étienne Lagarde-Roux',
      position: 'Design Director',
      company: 'Atelier Mouette',
      description:
        '<p>A button, a form, an API: each tells somebody what will happen next. Étienne collects promises that were ' +
        'kept, and a few that were not.</p>',
      details:
        '<p>Three questions to ask of anything you are about to ship, with examples from a lift, a bakery and a tax ' +
        'office. No slides for the first ten minutes, only a very long roll of paper.</p>',
      program: [],
    },
    {
      title: 'One database per ferry',
      date_from: `${day(1)} 10:15:00`,
      date_to: `${day(1)} 11:00:00`,
      location: lanternHouse,
      venue: greatHall,
      speaker: 'Søren Kjærbo',
      position: 'Database Engineer',
      company: 'Kystlykt',
      description:
        '<p>The keynote said “decide on board”. This is how: 64 boats, 64 small databases, and one shore that has to ' +
        'make sense of them all.</p>',
      details:
        '<p>Change logs, clocks that disagree, and the day two ferries sold the same cabin. With numbers, and with ' +
        'the mistakes left in.</p>',
      program: [],
    },
    {
      title: 'Panel: The form nobody could finish',
      date_from: `${day(1)} 11:15:00`,
      date_to: `${day(1)} 12:15:00`,
      location: lanternHouse,
      venue: greatHall,
      speaker: 'Callum Braithmoor, Xiomara Quintalba, Sana Mirzapour',
      position: 'Panel',
      company: 'Brightmoor Council, Quetzalia Maps, Atelier Mouette',
      description:
        '<p>One real parking-permit form, 31 screens long. Three people take it apart in front of you and put back ' +
        'only what is needed.</p>',
      details:
        '<p>How names, addresses and bodies that do not fit the boxes get left out, and what changes when you test ' +
        'with the people who gave up last time. Live captions and sign language interpretation.</p>',
      program: [],
    },
    {
      title: 'Money over a bad line',
      date_from: `${day(1)} 14:00:00`,
      date_to: `${day(1)} 14:45:00`,
      location: lanternHouse,
      venue: greatHall,
      speaker: 'Wanjiru Kamotho',
      position: 'Head of Payments',
      company: 'Marula Ledger',
      description:
        '<p>A market stall, two bars of signal, a queue. The payment must happen once: not zero times, not twice.</p>',
      details:
        '<p>Wanjiru follows a single payment through every retry, timeout and shrug on its way, and shows how an ' +
        'idempotency key saved a mango season.</p>',
      program: [],
    },
    {
      title: 'Lightning talks',
      date_from: `${day(1)} 16:30:00`,
      date_to: `${day(1)} 17:30:00`,
      location: lanternHouse,
      venue: greatHall,
      speaker: 'Ravindu Senarathne',
      position: 'Community Engineer',
      company: 'Loonlake Weather',
      description: '<p>Twelve talks, four minutes each, one ship’s bell. Anybody may sign up, including you.</p>',
      details:
        '<p>The sign-up sheet hangs beside the Great Hall until lunch. First-time speakers go first, and get the ' +
        'loudest applause. Ravindu rings the bell, without mercy and with a smile.</p>',
      program: [],
    },
    {
      title: 'Lantern Night',
      date_from: `${day(1)} 20:00:00`,
      date_to: `${day(2)} 01:00:00`,
      location: saltShed,
      venue: 'Quay and upstairs',
      speaker: '',
      position: '',
      company: '',
      description:
        '<p>Fish soup, bean stew, a brass band that takes requests, and 400 paper lanterns on the water. 🏮</p>',
      details:
        '<p>Upstairs is the quiet floor: board games, tea, soft light. Soft drinks are free all night. Families are ' +
        'welcome until 22:00.</p><p>The lanterns are lit at 21:30 and collected again in the morning. Shuttles to ' +
        'the centre leave at 23:00, 00:00 and 01:15.</p>',
      program: [],
    },
  ]
}
