import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** A command that a document shows, with the output that it shows below. */
export interface DocumentedStep {
  command: string
  output: string
}

/** The commands in the blocks of code of a text. */
export const documentedSteps = (text: string): DocumentedStep[] =>
  [...text.matchAll(/^```\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [, command = '', output = ''] = /^(.*?<<'END'\n.*?\nEND|[^\n]*)\n(.*)$/s.exec(step) ?? []
        return { command, output }
      }),
  )

/** Matches the output of a step, in which … stands for any text. */
export const outputPattern = (shown: string): RegExp =>
  new RegExp(
    `^${shown
      .trim()
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^]*?')}$`,
  )

/** Runs a command that calls curl. @returns its output */
export const runCurl = async (command: string, cwd?: string): Promise<string> =>
  (await promisify(execFile)('/bin/sh', ['-c', command.replace('curl', 'curl -s')], { cwd })).stdout.trim()
