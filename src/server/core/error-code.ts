/** Whether an error carries this code, as those of Node's own modules do. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
