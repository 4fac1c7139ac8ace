/** The packages that the built program does not contain, so that npm installs them with it. */
export const installedSeparately = [
  // Native code, for each platform another.
  'sharp',
  // Its parts have to load in an order that a bundle does not keep.
  '@simplewebauthn/server',
  // Its licence (MPL-2.0) is not permissive.
  'ical.js',
] as const
