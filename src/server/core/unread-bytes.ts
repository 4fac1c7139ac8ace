/** The memory of responses that are being sent. Bytes that several of them share count once. */
export class UnreadBytes {
  readonly #users = new Map<object, number>()
  size = 0

  has(bytes: object): boolean {
    return this.#users.has(bytes)
  }

  add(bytes: object, size: number): void {
    const users = this.#users.get(bytes) ?? 0
    this.#users.set(bytes, users + 1)
    if (users === 0) this.size += size
  }

  remove(bytes: object, size: number): void {
    const users = (this.#users.get(bytes) ?? 0) - 1
    if (users > 0) {
      this.#users.set(bytes, users)
      return
    }
    this.#users.delete(bytes)
    this.size -= size
  }
}
