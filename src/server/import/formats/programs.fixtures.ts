import { existsSync, readFileSync } from 'node:fs'
import { defaultLimits } from '../../../contract/limits.ts'
import type { ParsedProgram } from '../source.ts'
import { parseProgram } from './detect.ts'
import type { ReadingOptions } from './reading-options.ts'

/** One invented conference, Alpine Makers Days, as several tools export it. */
export const inventedPrograms = ['frab.xml', 'frab.json', 'day-grid.json', 'sessionize.json'] as const

export const parseInventedProgram = (name: (typeof inventedPrograms)[number]): ParsedProgram =>
  parse(new URL(`fixtures/${name}`, import.meta.url))

/** Programs of real conferences, which are not part of the repository. */
const realProgramsDir = new URL('../../../../../shared/data/', import.meta.url)

export const hasRealProgram = (name: string): boolean => existsSync(new URL(name, realProgramsDir))

export const parseRealProgram = (name: string): ParsedProgram => parse(new URL(name, realProgramsDir))

/** The invented conference in templates and exports of other tools. */
export const readFixture = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')

export const parseFixture = (name: string, options: ReadingOptions = {}): ParsedProgram =>
  parseProgram(readFixture(name), name, defaultLimits, options)

const parse = (file: URL) => parseProgram(readFileSync(file, 'utf8'), file.pathname, defaultLimits)
