import type { OperationName } from '../../../contract/index.ts'

/** Describes a finished response, for the log and the metrics. */
export interface ResponseRecord {
  requestId: string
  /** Undefined outside of the contract: docs, health, unknown paths. */
  operation: OperationName | undefined
  method: string
  /** The id of the credential that was sent; 0 or undefined for none. */
  credential?: number | undefined
  /** Redacted by `redactPath`; only for unknown paths. */
  path?: string | undefined
  /** 0 for files, images and HTML. */
  responseCode: number
  /** HTTP status. */
  status: number
  /** Time from the request to the end of its response. */
  ms: number
}
