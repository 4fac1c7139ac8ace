import type { OperationName } from '../../contract/index.ts'

/** What is known of an answer once it is sent, for the log and the metrics. */
export interface ResponseRecord {
  requestId: string
  /** Undefined for what the contract does not know: the docs, health, unknown paths. */
  operation: OperationName | undefined
  method: string
  /** Of an unknown address only, as `redactPath` has it. */
  path?: string | undefined
  /** 0 for bytes and pages. */
  responseCode: number
  /** Of HTTP. */
  status: number
  /** From the request to the end of its answer. */
  ms: number
}
