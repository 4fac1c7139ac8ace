/** The first of a list that occurs decides: browsers also name those that they resemble. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera|OPT)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const

const systems = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const

/** A browser in words, by which its user recognizes it: `Firefox on Android`. Nothing else of it is stored. */
export function describeBrowser(userAgent: string): string {
  const browser = nameIn(userAgent, browsers)
  const system = nameIn(userAgent, systems)
  return browser !== undefined && system !== undefined ? `${browser} on ${system}` : (browser ?? system ?? '')
}

const nameIn = (text: string, names: readonly (readonly [name: string, pattern: RegExp])[]): string | undefined =>
  names.find(([, pattern]) => pattern.test(text))?.[0]
