import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/**
 * A certificate for localhost and `login.example`, which signs itself and is valid until 2120, and its key. Nothing but
 * tests trusts it.
 */
export const certificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBjzCCATSgAwIBAgIBATAKBggqhkjOPQQDAjAXMRUwEwYDVQQDDAxTdW1taXQg
dGVzdHMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBcxFTATBgNV
BAMMDFN1bW1pdCB0ZXN0czBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMNFEwTD
yFY336xozuHY+4zF5HvOL8XZyJQWzZgh13y7cvs1vlT5XlYSnmvBvPkbwItEcDYR
dp98hByOnYkvJj2jbzBtMDsGA1UdEQQ0MDKCCWxvY2FsaG9zdIINbG9naW4uZXhh
bXBsZYcEfwAAAYcQAAAAAAAAAAAAAAAAAAAAATAPBgNVHRMBAf8EBTADAQH/MB0G
A1UdDgQWBBTPcvrbTj0MQMwrjlJ66a9mysQuejAKBggqhkjOPQQDAgNJADBGAiEA
hi6eG67JwAZrhyM/qS5LJKmb2zhdbkBSqLrWh4J2rLMCIQDFs/jw2vSjDudgKCCq
ZRfMsTxbD6liyagMku/nmHmiMA==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTgec6vCKuh543UNa
W2Vkqi4s6GKDu9fn5kvs+f9td5OhRANCAATDRRMEw8hWN9+saM7h2PuMxeR7zi/F
2ciUFs2YIdd8u3L7Nb5U+V5WEp5rwbz5G8CLRHA2EXaffIQcjp2JLyY9
-----END PRIVATE KEY-----
`,
}

/** Lets TLS connections of this process trust the certificate of the tests, until it is disposed of. */
export function trustTestCertificate(): Disposable {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificate.cert])
  return { [Symbol.dispose]: () => setDefaultCACertificates(before) }
}
