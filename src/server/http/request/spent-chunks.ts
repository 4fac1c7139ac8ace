/** Smaller chunks are not worth freeing. */
const minBytes = 16_384

/**
 * Passes on the chunks of a stream to a consumer that is done with each chunk when it requests the next, and frees the
 * chunk's memory then. Left to V8, which scans all objects for every 64 MB of such memory, photos stall the event loop
 * (decision 28).
 */
export async function* freeSpentChunks(
  stream: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of stream) {
    yield chunk
    free(chunk)
  }
}

/** Skips a chunk that is part of a larger buffer: the rest may be in use. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < minBytes) return
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
