import { buildWeb } from '../../scripts/build-web.ts'

/** Builds the scripts and styles of the pages before the tests, as `npm start` does. */
export const setup = buildWeb
