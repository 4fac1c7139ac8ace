import { type Calendar, minutesAfterStart } from './calendar.ts'
import { rooms, tracks } from './conference.ts'
import type { SampleEvent } from './shapes.ts'
import { speakers } from './speakers.ts'

/** The sessions that came into the program last: workshops, small talks, walks and stories. */
export function laterSessions(day: Calendar): SampleEvent[] {
  return [
    {
      title: 'Welcome, and three house rules',
      date_from: `${day(0)} 09:00:00`,
      date_to: `${day(0)} 09:30:00`,
      room: rooms.greatHall,
      type: 'talk',
      speakers: [speakers.ingrid, speakers.aoife],
      description: '<p>Be kind, be curious, be back from lunch on time.</p>',
      details:
        '<p>Where to find tea, help, quiet and each other. Ingrid explains the lanterns, Aoife the colours of the ' +
        'badges.</p>',
    },
    {
      title: 'Your first contribution, together',
      subtitle: 'Everybody leaves with a patch that has been sent',
      date_from: `${day(0)} 10:45:00`,
      date_to: `${day(0)} 12:15:00`,
      room: rooms.ropeLoft,
      type: 'workshop',
      track: tracks.together,
      speakers: [speakers.ravindu, speakers.thais],
      tags: ['open source', 'first-timers', 'hands-on'],
      description:
        '<p>Pick a small, real task in a project that is expecting you, and finish it with somebody at your side.</p>',
      details:
        '<p>Maintainers of six projects have set aside tasks and promised to reply within the hour. Documentation, ' +
        'translations and drawings count exactly as much as code.</p>',
    },
    {
      title: 'The year in small disasters, told by those who caused them',
      date_from: `${day(0)} 16:00:00`,
      date_to: `${day(0)} 17:00:00`,
      room: rooms.greatHall,
      type: 'panel',
      track: tracks.behindTheScenes,
      speakers: [speakers.soren, speakers.juergen, speakers.wanjiru],
      tags: ['failure', 'postmortems'],
      do_not_record: 1,
      description:
        '<p>A cabin sold twice, a pager that rang a bakery, and a decimal point in the wrong country. Nobody was hurt, ' +
        'everybody learned.</p>',
      details: '<p>Ten minutes each, then yours. The cameras are off, so that the stories can be complete.</p>',
    },
    {
      title: 'Open tables with the workshop hosts',
      date_from: `${day(0)} 16:45:00`,
      date_to: `${day(0)} 17:45:00`,
      room: rooms.ropeLoft,
      type: 'workshop',
      track: tracks.together,
      speakers: [speakers.seun, speakers.ravindu, speakers.thais],
      description: '<p>Stuck on an exercise, or curious about one that you missed? Pull up a chair.</p>',
      details: '<p>No program and no slides. There is soup at 17:15, and the tables are large.</p>',
    },
    {
      title: 'Harbour walk, meet at the big anchor',
      date_from: `${day(0)} 17:15:00`,
      date_to: `${day(0)} 18:30:00`,
      room: rooms.bigAnchor,
      type: 'social',
      track: tracks.together,
      speakers: [speakers.ingrid],
      tags: ['outdoors'],
      description: '<p>Along the water to the old fish market and back, at the pace of the slowest.</p>',
      details:
        '<p>About two kilometres, step-free, with three stories and one bench for each of them. If the harbour office ' +
        'hoists the storm ball, we stay inside.</p>',
      cancelledAt: minutesAfterStart(0, '15:40'),
    },
    {
      title: 'Design a phone line that listens',
      date_from: `${day(1)} 10:45:00`,
      date_to: `${day(1)} 12:15:00`,
      room: rooms.ropeLoft,
      type: 'workshop',
      track: tracks.everybodyIncluded,
      speakers: [speakers.zofia],
      tags: ['voice', 'accessibility', 'hands-on'],
      description:
        '<p>“For appointments, press one.” Then what? Build a line that people do not want to hang up on.</p>',
      details:
        '<p>In groups of four, you write the dialogue, act it out with real telephones, and listen to each other stumble.' +
        '</p><p>No laptop needed. Bring your voice, or somebody who likes to lend theirs.</p>',
    },
    {
      title: 'Maps with your feet: survey the quay',
      date_from: `${day(1)} 13:30:00`,
      date_to: `${day(1)} 15:00:00`,
      room: rooms.ropeLoft,
      type: 'workshop',
      track: tracks.everybodyIncluded,
      speakers: [speakers.xiomara],
      tags: ['maps', 'open data', 'outdoors'],
      description: '<p>Which way into the Salt Shed would you take on wheels, with a pram, or on a bad knee?</p>',
      details:
        '<p>Fifteen minutes of introduction in the loft, then out with measuring tapes. Everything that we find is open ' +
        'data by the evening. Rain jackets are at the help desk.</p>',
    },
    {
      title: 'Read a flame graph without crying',
      subtitle: 'A picture of what your program does all day',
      date_from: `${day(1)} 15:15:00`,
      date_to: `${day(1)} 16:15:00`,
      room: rooms.netRoom,
      type: 'workshop',
      track: tracks.behindTheScenes,
      speakers: [speakers.priyanka],
      tags: ['performance', 'hands-on'],
      description: '<p>Wide is slow, tall is only tall, and the colours mean nothing at all. The rest is practice.</p>',
      details:
        '<p>Five graphs of real warehouses, from friendly to frightening. Bring one of your own, and we read it ' +
        'together.</p>',
      moved: { from: rooms.ropeLoft, at: minutesAfterStart(1, '12:24') },
    },
    {
      title: 'Sjøhistorier etter midnatt',
      subtitle: 'Sea stories after midnight, in Norwegian, with whispered English',
      date_from: `${day(2)} 00:15:00`,
      date_to: `${day(2)} 00:50:00`,
      program_date: day(1),
      room: rooms.quietFloor,
      type: 'social',
      track: tracks.together,
      speakers: [speakers.solveig],
      language: 'nb',
      tags: ['stories'],
      description: '<p>Draugen, fyrvokteren og ferga som aldri kom fram. Nesten alt er sant.</p>',
      details: '<p>Ta med en kopp te og et teppe. Den siste bussen til sentrum går klokka 01:15.</p>',
    },
    {
      title: 'When the grid sneezes',
      date_from: `${day(2)} 11:15:00`,
      date_to: `${day(2)} 12:00:00`,
      room: rooms.greatHall,
      type: 'talk',
      track: tracks.behindTheScenes,
      speakers: [speakers.bronte],
      tags: ['energy', 'control'],
      description: '<p>A cloud passes over 90,000 roofs, and for eleven seconds everything depends on software.</p>',
      details:
        '<p>What fifty hertz sounds like, why it must not change, and what we do when it does. With a recording of a ' +
        'transformer that is unhappy.</p>',
    },
    {
      title: 'Repair café: bring something broken',
      date_from: `${day(2)} 11:15:00`,
      date_to: `${day(2)} 12:45:00`,
      room: rooms.ropeLoft,
      type: 'workshop',
      track: tracks.madeToLast,
      speakers: [speakers.maeve, speakers.nell],
      tags: ['repair', 'hands-on'],
      description: '<p>Radios, zips, keyboards, umbrellas. You hold the screwdriver, we hold the torch.</p>',
      details:
        '<p>Maeve opens things, Nell finds out what their manuals meant. Anything that fits through the door is welcome, ' +
        'as long as it is cold and unplugged.</p>',
    },
    {
      title: 'Write the error message first',
      date_from: `${day(2)} 13:00:00`,
      date_to: `${day(2)} 14:15:00`,
      room: rooms.ropeLoft,
      type: 'workshop',
      track: tracks.everybodyIncluded,
      speakers: [speakers.nell],
      tags: ['writing', 'hands-on'],
      description: '<p>If you cannot say what went wrong and what to do, the code will not know either.</p>',
      details:
        '<p>We write twelve messages for a program that does not exist, and watch it take shape. Bring the worst one ' +
        'that you have ever met.</p>',
    },
    {
      title: 'Ask the organizers anything',
      date_from: `${day(2)} 13:30:00`,
      date_to: `${day(2)} 14:15:00`,
      room: rooms.greatHall,
      type: 'panel',
      track: tracks.together,
      speakers: [speakers.ingrid, speakers.mateus, speakers.aoife],
      description: '<p>What it costs, what went wrong, and why there are buns.</p>',
      details:
        '<p>Questions from the floor and from the news feed. There is one that we will not answer: the recipe.</p>',
    },
    {
      title: 'Show and tell',
      date_from: `${day(2)} 14:30:00`,
      date_to: `${day(2)} 15:15:00`,
      room: rooms.ropeLoft,
      type: 'workshop',
      track: tracks.together,
      speakers: [speakers.thais],
      description: '<p>Three minutes each for what you have made in these three days, finished or not.</p>',
      details: '<p>Put your name on the board until lunch. Applause is guaranteed, questions are friendly.</p>',
    },
  ]
}
