import { pipeline, type Readable, Transform } from 'node:stream'

/**
 * Passes on exactly `length` bytes, even if the source changes meanwhile: with more or fewer bytes than announced, the
 * client would misread the next response on the connection. A surplus is dropped.
 * @param tooShort creates the error with which the stream fails if the source ends early
 */
export function exactBytes(source: Readable, length: number, tooShort: (found: number) => Error): Readable {
  let remaining = length
  const exact = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = chunk.subarray(0, remaining)
      remaining -= bytes.length
      done(null, bytes)
    },
    flush(done) {
      done(remaining > 0 ? tooShort(length - remaining) : null)
    },
  })
  // `pipeline` passes errors to the reader of `exact`, and destroying that closes the source.
  return pipeline(source, exact, () => {})
}
