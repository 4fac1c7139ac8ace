import type { SampleRoom, SampleTrack } from './shapes.ts'

export const conference = {
  title: 'Lantern Summit',
  acronym: 'lantern',
  url: 'https://example.org/lantern',
  slot_minutes: 5,
  /** Of the water in the harbour. */
  hue: 195,
}

/** The changes of the second day, and how long before the first start they are published. */
export const release = {
  note: 'The workshop on nets has moved to the Rope Loft, and the choir is cancelled. Nothing else has changed.',
  minutesAgo: 195,
}

const lanternHouse = { building: 'Lantern House', address: 'Lanternekaien 12, 5003 Bergen, Norway' }
const saltShed = { building: 'The Salt Shed', address: 'Lanternekaien 20, 5003 Bergen, Norway' }

/** In the order in which they are listed. */
export const rooms = {
  greatHall: {
    ...lanternHouse,
    name: 'Great Hall',
    capacity: 420,
    description: 'Ground floor, with a balcony. Captions run on both sides of the stage.',
  },
  ropeLoft: {
    ...lanternHouse,
    name: 'Rope Loft',
    capacity: 36,
    description: 'Second floor, by stairs or lift. Power at every table.',
  },
  netRoom: {
    ...lanternHouse,
    name: 'Net Room',
    capacity: 40,
    description: 'First floor, step-free by the lift beside the library. One table can be raised.',
  },
  foyer: {
    ...lanternHouse,
    name: 'Foyer',
    capacity: 300,
    description: 'Badges, coffee and the cloakroom. The tea is at the far end, where it is quieter.',
  },
  engineRoom: {
    ...saltShed,
    name: 'Engine Room',
    capacity: 120,
    description: 'Ground floor of the shed, step-free. The engine is real, and off.',
  },
  quay: {
    ...saltShed,
    name: 'Quay and upstairs',
    capacity: 600,
    description: 'The whole shed, and the quay in front of it. The ramp beside it is the best way in on wheels.',
  },
  quietFloor: {
    ...saltShed,
    name: 'Quiet floor',
    capacity: 60,
    description: 'Upstairs in the shed, by stairs or lift. Soft light, armchairs, tea.',
  },
  bigAnchor: {
    name: 'The big anchor',
    building: null,
    address: 'Lanternekaien 16, 5003 Bergen, Norway',
    capacity: 0,
    description: 'The meeting point on the quay, between the two houses.',
  },
} satisfies Record<string, SampleRoom>

/** In the order in which they are listed. White text can be read on the first three colours, dark text on the last. */
export const tracks = {
  madeToLast: { name: 'Made to last', color: '#0f6b6b' },
  everybodyIncluded: { name: 'Everybody included', color: '#7a3b83' },
  behindTheScenes: { name: 'Behind the scenes', color: '#a3402a' },
  together: { name: 'Together', color: '#f4b942' },
} satisfies Record<string, SampleTrack>
