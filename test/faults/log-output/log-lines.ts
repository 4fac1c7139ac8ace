interface LogLine {
  msg: string
  path?: string
  dropped?: number
}

/**
 * The log lines of an output that begins with the welcome text.
 * @throws SyntaxError for a truncated or mixed-up line
 */
export const parseLogLines = (text: string): LogLine[] =>
  text
    .split('\n')
    .filter((line) => !/^(Summit is running at| {2}\w|$)/.test(line))
    .map((line) => JSON.parse(line))

/** The counts of all lines that report dropped lines. */
export const droppedCounts = (lines: LogLine[]): number[] => lines.flatMap((line) => line.dropped ?? [])
