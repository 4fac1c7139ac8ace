import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/free-port.ts'
import { ownDatabase } from '../own-database.ts'
import { startServer } from '../server.ts'
import { definitions, mountPath } from './parse-server/classes.ts'
import { fill } from './parse-server/database.ts'
import { forParseServer } from './parse-server/requests.ts'
import type { Peer } from './peer.ts'

const appId = 'summit'

/**
 * Parse Server (https://parseplatform.org), a back end for apps with a REST interface, on the PostgreSQL on which
 * Summit is, in a database of its own: the data set in classes as a team would make them (`parse-server/classes.ts`),
 * which anybody may read and add to. One request gives what one page of ours holds, less the files of comments, of
 * which the data set has none, and what we compute. A comment is one request as well, and two commits: the comment,
 * then its topic, to which code of the server adds it (`parse-server/cloud.ts`). It has no cache of answers. Here it
 * logs no requests; all else is as it comes, with ten connections to PostgreSQL.
 * @param folder in which it is installed, with the router that it was released with: beside 2.3.0, which npm chooses,
 *   no code of the server can save anything
 * @param databaseUrl Summit's database, which is emptied
 */
export const parseServer = (folder: string, databaseUrl: string): Peer => ({
  name: 'Parse Server',
  engine: { DATABASE_URL: databaseUrl },
  keeping: {},
  requestFor: forParseServer,
  start: async (work) => {
    mkdirSync(work)
    const port = await freePort()
    await using whileStarting = new AsyncDisposableStack()
    const database = whileStarting.use(await ownDatabase(databaseUrl, 'parse_server'))
    const file = join(work, 'config.json')
    const settings = {
      ...{ appId, masterKey: 'of this measurement only', databaseURI: database.url },
      ...{ host: '127.0.0.1', port, mountPath, serverURL: `http://127.0.0.1:${port}${mountPath}` },
      ...{ cloud: join(import.meta.dirname, 'parse-server/cloud.ts'), schema: { definitions, lockSchemas: true } },
      // By itself it logs two lines for each comment, and nothing of other requests.
      logLevels: { triggerAfter: 'silent' },
    }
    writeFileSync(file, JSON.stringify(settings))
    const program = join(folder, 'node_modules/parse-server/bin/parse-server')
    const environment = { NODE_ENV: 'production', PARSE_SERVER_LOGS_FOLDER: join(work, 'logs') }
    const server = whileStarting.use(await startServer(program, [file], environment, join(work, 'log')))
    await fill(database.url)
    const all = whileStarting.move()
    return {
      ...server,
      headers: { 'X-Parse-Application-Id': appId },
      [Symbol.asyncDispose]: () => all.disposeAsync(),
    }
  },
})
