/** @param rank 0 to 100, where 100 is the maximum @returns a whole number, 0 of no values */
export const percentile = (values: number[], rank: number): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.ceil((values.length * rank) / 100) - 1] ?? 0)
