/** Whether this is `npm run test:long`, which has the time for every case; else the telling ones have to do. */
export const isLong = process.env.TEST_LONG === '1'
