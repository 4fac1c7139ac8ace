import { hasCode } from '../../core/errors.ts'
import { Failure } from '../../core/failure.ts'

/** Turns an error of the local disk into the failure of the contract; returns any other error as is. */
export function toStorageFailure(error: unknown): unknown {
  if (hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT')) return new Failure('STORAGE_FULL', { cause: error })
  if (['EROFS', 'EACCES', 'EPERM'].some((code) => hasCode(error, code)))
    return new Failure('STORAGE_READ_ONLY', { cause: error })
  return error
}

export function throwStorageFailure(error: unknown): never {
  throw toStorageFailure(error)
}
