import { publicUrl } from './app-with-keys.ts'

/** The only one in `CORS_ORIGINS`. */
export const appOrigin = 'https://app.example'

/** The headers with which a browser states the origin of a request, except for a request from no page. */
export const origins: readonly { from: string; headers: Record<string, string>; isOurs: boolean }[] = [
  { from: 'a page of ours', headers: { 'sec-fetch-site': 'same-origin' }, isOurs: true },
  { from: 'a page of ours, in an older browser', headers: { origin: publicUrl }, isOurs: true },
  ...Object.entries({
    'the address bar': { 'sec-fetch-site': 'none' },
    'a page of another origin of the site': { 'sec-fetch-site': 'same-site' },
    'a page of another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    'a page of another site that claims ours': { 'sec-fetch-site': 'cross-site', origin: publicUrl },
    'a sandboxed page': { origin: 'null' },
    'a page that CORS_ORIGINS allows': { 'sec-fetch-site': 'cross-site', origin: appOrigin },
    'the same, in an older browser': { origin: appOrigin },
    'an app in a web view': { origin: 'capacitor://localhost' },
    'a page of the host at another port': { origin: `${publicUrl}:8443` },
    'a page of the host without TLS': { origin: publicUrl.replace('https', 'http') },
  }).map(([from, headers]) => ({ from, headers, isOurs: false })),
]
