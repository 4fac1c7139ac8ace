import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder, removed when the test ends (`await using`). */
export const createTemporaryFolder = () => mkdtempDisposable(join(tmpdir(), 'summit-test-'))
