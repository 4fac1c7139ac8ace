/** Whether an error has this `code`, as errors from Node's own modules do. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
