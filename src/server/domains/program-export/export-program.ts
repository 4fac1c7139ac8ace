import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type ProgramFileName, programFiles } from '../../../contract/program-export.ts'
import { Failure } from '../../core/failure.ts'
import type { createCurrentReader } from '../../log/changes/current.ts'
import type { Freshness, Versioned } from '../../log/changes/freshness.ts'
import type { ByteResponse, HandlerInput } from '../../operation.ts'
import type { Scope } from '../../scope.ts'
import type { Position } from '../../storage/db/open.ts'
import { type Filter, filterEvents, readFilter } from './filter.ts'
import type { Program } from './program.ts'
import { writeReleasesAtom } from './releases-atom.ts'
import type { writeScheduleIcs } from './schedule-ics.ts'
import { writeScheduleJson } from './schedule-json.ts'
import { writeScheduleXml } from './schedule-xml.ts'
import { writeAllJson, writeGridSmart } from './sessionize.ts'
import { writeSessionsCsv } from './sessions-csv.ts'

type Input = HandlerInput<'exportProgram'>

interface Format {
  mediaType: string
  write(program: Program, filter: Filter): string | Promise<string>
}

export const calendarType = 'text/calendar; charset=utf-8'

/** Loaded with the first calendar, as its library takes memory. */
export const writeCalendar = async (...given: Parameters<typeof writeScheduleIcs>): Promise<string> =>
  (await import('./schedule-ics.ts')).writeScheduleIcs(...given)

const formats: Record<ProgramFileName, Format> = {
  'schedule.xml': { mediaType: 'application/xml', write: writeScheduleXml },
  'schedule.json': { mediaType: 'application/json', write: writeScheduleJson },
  'schedule.ics': {
    mediaType: calendarType,
    write: async (program, filter) => {
      const { events, name } = filterEvents(program, filter)
      return writeCalendar(program, events, name)
    },
  },
  'all.json': { mediaType: 'application/json', write: writeAllJson },
  'gridsmart.json': { mediaType: 'application/json', write: writeGridSmart },
  'sessions.csv': { mediaType: 'text/csv; charset=utf-8', write: writeSessionsCsv },
  'releases.atom': { mediaType: 'application/atom+xml; charset=utf-8', write: writeReleasesAtom },
}

/** A URL stays the same when the program changes, so copies are revalidated by `ETag` after a few minutes. */
const cacheControl = 'public, max-age=300'

/** Of a program of a thousand events, all files and some dozen calendars of rooms and speakers. */
const maxCacheBytes = 32 * 1024 * 1024

/** A file of the program as it was at a position of the log. */
interface CachedFile extends Versioned {
  readonly bytes: Buffer
  readonly response: ByteResponse
}

/** Reads the program, which stays in memory until it changes. */
export type ReadCurrentProgram = ReturnType<typeof createCurrentReader<Program>>

interface ExportOptions {
  freshness: Freshness
  readCurrent: ReadCurrentProgram
  /** The maximum bytes to cache; 0 disables the cache. */
  maxBytes: number
}

/**
 * Creates the reader of the program as files. They are cached until the program changes, but for lists of events: these are
 * as many as attendees. Concurrent requests for the same file share it while it is written.
 */
export function createProgramExport({ freshness, readCurrent, maxBytes }: ExportOptions) {
  const cache = new LRUCache<string, CachedFile>({
    // 0 would mean unlimited.
    maxSize: Math.max(1, Math.min(maxCacheBytes, maxBytes)),
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
  })
  const pending = new Map<string, Versioned & { file: Promise<CachedFile> }>()

  const writeFile = async (scope: Scope, position: Position, file: ProgramFileName, filter: Filter) => {
    const { value: program, ...version } = await readCurrent(scope, position, scope.links.base)
    const { mediaType, write } = formats[file]
    const bytes = Buffer.from(await write(program, filter))
    return { ...version, bytes, response: toResponse(file, mediaType, cacheControl, bytes) }
  }

  /** @throws Failure FILE_NOT_FOUND, VALIDATION_FAILED, or that the room, track or speaker of a filter is not found */
  return async (scope: Scope, { file, ...filters }: Input): Promise<ByteResponse> => {
    if (!isProgramFile(file)) throw new Failure('FILE_NOT_FOUND')
    const filter = readFilter(file, filters)
    const key = JSON.stringify([scope.links.base, file, filters.room, filters.track, filters.speaker, filter.events])
    const position = await freshness.refresh()
    const known = cache.get(key)
    if (known && freshness.isFresh(known)) return known.response
    const running = pending.get(key)
    if (running && freshness.isFresh(running)) return (await running.file).response
    const started = { dependencies: ['program' as const], position, file: writeFile(scope, position, file, filter) }
    pending.set(key, started)
    try {
      const written = await started.file
      if (!filter.events && maxBytes > 0) cache.set(key, written)
      return written.response
    } finally {
      if (pending.get(key) === started) pending.delete(key)
    }
  }
}

const isProgramFile = (file: string): file is ProgramFileName => (programFiles as readonly string[]).includes(file)

export const toResponse = (file: string, fileType: string, cacheControl: string, bytes: Buffer): ByteResponse => ({
  fileType,
  size: async () => bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  cacheControl,
  attachment: file,
  open: async (range) => (range ? bytes.subarray(range.start, range.end + 1) : bytes),
})
