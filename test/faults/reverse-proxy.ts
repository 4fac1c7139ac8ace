/** A proxy with the published configuration, in front of one or more servers. */
export interface ReverseProxy extends AsyncDisposable {
  url: string
  /** Ends it. @returns its access and error log */
  stop(): Promise<{ access: string; errors: string }>
}
