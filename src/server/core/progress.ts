/** Shows how far some work is: `run` gets what to call after each bit of it. */
export type Progress = <T>(
  what: string,
  all: number,
  run: (onProgress: (done?: number) => void) => Promise<T>,
) => Promise<T>
