import { createHash } from 'node:crypto'
import packageJson from '../../../package.json' with { type: 'json' }

/** What a placeholder stands for: an event's id and title, and which of its pictures is missing. */
export interface PlaceholderSubject {
  readonly id: number
  readonly title: string
  readonly kind: 'banner' | 'photo'
}

/** To be raised with every change of what is drawn; a test sees to it. */
export const drawingVersion = 1

/**
 * Identifies the picture of a subject without drawing it: while this is the same, so are the bytes.
 * @returns lower-case hex SHA-256
 */
export const placeholderVersion = ({ id, title, kind }: PlaceholderSubject): string =>
  createHash('sha256')
    .update(JSON.stringify([drawingVersion, packageJson.dependencies.sharp, kind, id, title]))
    .digest('hex')
