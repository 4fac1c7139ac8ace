/** Smaller ones are not worth it. */
const leastBytes = 16_384

/**
 * What a stream brings, for who is done with each chunk when asking for the next: its memory is freed then. Left to V8,
 * which looks at all objects to be rid of every 64 MB of such memory, photos had it stop the event loop (decision 13).
 */
export async function* freeSpentChunks(
  stream: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of stream) {
    yield chunk
    free(chunk)
  }
}

/** A chunk that is a part of something larger is left alone: others may be using the rest. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < leastBytes) return
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
