import { publicUrl } from './app-with-keys.ts'

/** The only one in `CORS_ORIGINS`. */
export const appOrigin = 'https://app.example'

const otherScheme: Readonly<Record<string, string>> = { http: 'https', https: 'http' }

interface Origin {
  from: string
  headers: Record<string, string>
  isOurs: boolean
}

/** @param url of our pages */
export const originsOf = (url: string): readonly Origin[] => [
  { from: 'a page of ours', headers: { 'sec-fetch-site': 'same-origin' }, isOurs: true },
  { from: 'a page of ours, in an older browser', headers: { origin: url }, isOurs: true },
  ...Object.entries({
    'the address bar': { 'sec-fetch-site': 'none' },
    'a page of another origin of the site': { 'sec-fetch-site': 'same-site' },
    'a page of another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    'a page of another site that claims ours': { 'sec-fetch-site': 'cross-site', origin: url },
    'a sandboxed page': { origin: 'null' },
    'a page that CORS_ORIGINS allows': { 'sec-fetch-site': 'cross-site', origin: appOrigin },
    'the same, in an older browser': { origin: appOrigin },
    'an app in a web view': { origin: 'capacitor://localhost' },
    'a page of the host at another port': { origin: `${url.replace(/:\d+$/, '')}:8443` },
    'a page of the host with or without TLS': { origin: url.replace(/^https?/, (scheme) => otherScheme[scheme] ?? '') },
  }).map(([from, headers]) => ({ from, headers, isOurs: false })),
]

/** The headers with which a browser states the origin of a request, except for a request from no page. */
export const origins = originsOf(publicUrl)
