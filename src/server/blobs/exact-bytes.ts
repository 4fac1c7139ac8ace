import { pipeline, type Readable, Transform } from 'node:stream'

/**
 * Passes on exactly `length` bytes, whatever becomes of the source meanwhile: a response that ends early or runs on is
 * taken for a part of the next one on its connection. A surplus is dropped.
 * @param tooShort makes the error with which the stream ends where the source ends early
 */
export function exactBytes(source: Readable, length: number, tooShort: (found: number) => Error): Readable {
  let left = length
  const exact = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = chunk.subarray(0, left)
      left -= bytes.length
      done(null, bytes)
    },
    flush(done) {
      done(left > 0 ? tooShort(length - left) : null)
    },
  })
  // Errors reach the reader through `exact`, and destroying that closes the source.
  return pipeline(source, exact, () => {})
}
