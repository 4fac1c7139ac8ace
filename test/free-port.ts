import { freePort as findPort } from '../src/server/lifecycle/start/free-port.ts'

/** A port of 127.0.0.1 that is not in use at the moment. */
export const freePort = (): Promise<number> => findPort({ host: '127.0.0.1', port: 0 })
