import { expect, test } from 'vitest'
import { correctPeople } from './corrected-people.ts'

/** Speakers, each as `name / position`. */
const toPeople = (written: string[]) =>
  written.map((each) => {
    const [name = '', position = ''] = each.split(' / ')
    return { name, position, company: '' }
  })

test.each<[before: string[], speaker: string, position: string, after: string[]]>([
  [['Ana Ek / A', 'Bo Day / B'], 'Ana Ek, Bo Dai', 'A, B', ['Ana Ek / A', 'Bo Dai / B < Bo Day']],
  [['Ek, Ana / A', 'Day, Bo / A'], 'Ek, Anna, Day, Bo', 'A', ['Ek, Anna / A < Ek, Ana', 'Day, Bo / A']],
  [['Ana Ek', 'Bo Day'], 'Cy Orr, Di Fox', '', ['Cy Orr < Ana Ek', 'Di Fox < Bo Day']],
  [['Ana Ek', 'Bo Day / B'], 'Bo Day, Ana Ek', 'B', ['Bo Day / B', 'Ana Ek']],
  [['Ana Ek / A'], 'Ana Ek-Ray, Bo Day', 'A, B', ['Ana Ek-Ray / A', 'Bo Day / B']],
  [['Ana Ek / Head, Ice', 'Bo Day / B'], 'Ana Ek, Bo Day', 'Head, Snow, B', ['Ana Ek / Head, Snow', 'Bo Day / B']],
  [
    ['Ana Ek / A', 'Bo Day / B', 'Cy Orr / A'],
    'Ana Ek, Bo Day, Cy Orr',
    'A, C',
    ['Ana Ek / A', 'Bo Day / C', 'Cy Orr / A'],
  ],
  [['Ana Ek / A', 'Bo Day / B'], 'Ana Ek', 'A, B', ['Ana Ek / A, B']],
  [['Ana Ek / A', 'Bo Day / B'], 'Ana Ek, Bo Day', '', ['Ana Ek', 'Bo Day']],
  [['Ana, Bo, Cy / Panel'], 'Ana, Bo, Cyd', 'Panel', ['Ana, Bo, Cyd / Panel < Ana, Bo, Cy']],
  [['Ana Ek', 'Bo Day'], 'Ana Ek, Bo Day', 'Panel', ['Ana Ek, Bo Day / Panel']],
  [['Ana Ek / A'], '', 'A', [' / A']],
  [['Ana Ek / A'], '', '', []],
  [[], 'Ana Ek, Bo Day', 'A, B', ['Ana Ek / A', 'Bo Day / B']],
])('after %j, %j with %j are %j', (before, speaker, position, after) => {
  const people = toPeople(before)
  const corrected = correctPeople(people, { speaker, position, company: '' })
  expect(corrected.map(({ person }) => person)).toEqual(toPeople(after.map((each) => each.replace(/ < .*/, ''))))
  const formers = after.map((each) => {
    const [now = '', was = now.split(' / ')[0]] = each.split(' < ')
    return people.find(({ name }) => name === was)
  })
  expect(corrected.map(({ was }) => was)).toEqual(formers)
})
