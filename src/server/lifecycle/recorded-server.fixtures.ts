import { type Client, createClient } from '../../client/client.ts'
import { readConfig } from '../config/config.ts'
import { LogSink } from '../platform/logging/log-sink.ts'
import { type RunningServer, type ServingOptions, serve } from './serve.ts'

/** Collects the log instead of writing it. */
export class RecordedLog extends LogSink {
  #text = ''

  constructor() {
    super(1)
  }

  override write(lines: string): void {
    this.#text += lines
  }

  /** The parsed lines, without those about listening. */
  lines(): Record<string, unknown>[] {
    const lines = this.#text.split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line)).filter(({ msg }) => !/^Server listening/.test(msg))
  }
}

/** A server in this process whose log is recorded. */
export interface RecordedServer extends AsyncDisposable {
  serving: RunningServer
  url: string
  client: Client
  /** The lines of its log so far. */
  lines(): Record<string, unknown>[]
  /** Closes the server. @returns the lines of its log */
  close(): Promise<Record<string, unknown>[]>
}

export async function startRecordedServer(
  settings: Record<string, string>,
  options: ServingOptions = {},
): Promise<RecordedServer> {
  const { config } = readConfig({ PORT: '0', ...settings })
  const log = new RecordedLog()
  const serving = await serve(config, { ...options, sink: log })
  let closed: Promise<void> | undefined
  const close = async () => {
    closed ??= serving.close()
    await closed
    return log.lines()
  }
  return {
    serving,
    url: serving.address,
    client: createClient(serving.address),
    lines: () => log.lines(),
    close,
    [Symbol.asyncDispose]: async () => void (await close()),
  }
}
