import { createHash } from 'node:crypto'
import packageJson from '../../../../package.json' with { type: 'json' }

/** The event or speaker that a placeholder is drawn for, and which of its pictures is missing. */
export interface PlaceholderSubject {
  readonly id: number
  readonly title: string
  readonly kind: 'banner' | 'photo'
}

/** To be incremented whenever the drawing changes; a test enforces this. */
export const drawingVersion = 2

/**
 * Identifies the picture of a subject without drawing it: equal versions mean equal bytes.
 * @returns lower-case hex SHA-256
 */
export const placeholderVersion = ({ id, title, kind }: PlaceholderSubject): string =>
  createHash('sha256')
    .update(JSON.stringify([drawingVersion, packageJson.dependencies.sharp, kind, id, title]))
    .digest('hex')
