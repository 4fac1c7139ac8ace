import type { LoadedConfig } from '../../server/config/config.ts'
import type { Inspection } from '../../server/storage/db/inspection.ts'

/** The result of a check: one line, which for anything but `ok` says what is wrong and what to do. */
export interface Diagnosis {
  level: 'ok' | 'warning' | 'problem'
  text: string
}

export const ok = (text: string): Diagnosis => ({ level: 'ok', text })
/** Something that may be intended, or may become a problem. */
export const warning = (text: string): Diagnosis => ({ level: 'warning', text })
/** Something with which Summit does not work, or may lose data. */
export const problem = (text: string): Diagnosis => ({ level: 'problem', text })

/** The response to a read of the API at `PUBLIC_URL`, as a client gets it. */
export interface PublicResponse {
  status: number
  /** The target of a redirect. */
  location: string | undefined
  text: string
  /** By how much the clock of the server is ahead of ours, in milliseconds, at most 500 too much or too little. */
  clockOffsetMs: number | undefined
}

/** The subject of the checks. */
export interface Patient {
  loaded: LoadedConfig
  /** Undefined if there is no summit that this version can read; the check of the database says why. */
  database: Inspection | undefined
  /** The response of `PUBLIC_URL`, requested once; undefined if that is not set. */
  publicResponse: Promise<PublicResponse> | undefined
}

/**
 * Looks at one part of the installation, and leaves it as it was. No result means that it cannot be told. An error counts
 * as a problem.
 */
export type Check = (patient: Patient) => Promise<Diagnosis[]>

/** The problems that were found, or else the sentence for none. */
export const orOk = (found: Diagnosis[], text: string): Diagnosis[] => (found.length > 0 ? found : [ok(text)])
