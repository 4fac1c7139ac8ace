/** Reports the progress of a task; `run` gets a callback to call after each step. */
export type Progress = <T>(
  label: string,
  total: number,
  run: (onProgress: (done?: number) => void) => Promise<T>,
) => Promise<T>
