import { expect, test } from 'vitest'
import { mailTarget, parseMailbox, parseSmtpUrl } from './mail-target.ts'

test.each([
  ['smtp://mail.example', { host: 'mail.example', port: 587, encryption: 'starttls' }],
  ['smtp://mail.example:25/?tls=none', { host: 'mail.example', port: 25, encryption: 'none' }],
  ['smtps://mail.example', { host: 'mail.example', port: 465, encryption: 'tls' }],
  ['smtps://[2001:db8::1]:4650', { host: '2001:db8::1', port: 4650, encryption: 'tls' }],
  ['smtp://localhost:25', { host: 'localhost', port: 25, encryption: 'none' }],
  ['smtp://[::1]', { host: '::1', port: 587, encryption: 'none' }],
  ['smtp://127.0.0.1?tls=required', { host: '127.0.0.1', port: 587, encryption: 'starttls' }],
  [
    'smtp://ana%40x:p%3A%2Fs@mail.example',
    { host: 'mail.example', port: 587, encryption: 'starttls', credentials: { user: 'ana@x', pass: 'p:/s' } },
  ],
])('SMTP_URL=%s', (url, expected) => {
  expect(parseSmtpUrl(url)).toEqual({ kind: 'smtp', ...expected })
})

test.each([
  ...['mail.example', 'http://mail.example', 'smtp:mail.example', 'smtp://', 'smtp://:25', 'smtp://mail.example:99999'],
  ...['smtp://mail.example/path', 'smtp://mail.example#x', 'smtp://mail.example?tls=off', 'smtp://mail.example?tls='],
  ...['smtp://mail.example?secure=true', 'smtp://mail.example?tls=none&tls=required', 'smtps://mail.example?tls=none'],
  ...['smtp://ana@mail.example', 'smtp://:secret@mail.example', 'smtp://ana:%E0%A4%A@mail.example', 'LOG', ''],
])('SMTP_URL=%s is refused', (url) => {
  expect(() => parseSmtpUrl(url)).toThrow()
})

test('without SMTP_URL there is no mail, and printed mail needs no sender', () => {
  expect(mailTarget(undefined, 'a@x.example')).toBeUndefined()
  expect(mailTarget('log', undefined)).toEqual({ kind: 'log' })
})

test.each([
  ['summit@x.example', { name: '', address: 'summit@x.example' }],
  ['Summit <summit@x.example>', { name: 'Summit', address: 'summit@x.example' }],
  ['"Summit, Team Köln" <summit@x.example>', { name: 'Summit, Team Köln', address: 'summit@x.example' }],
  ['<summit@x.example>', { name: '', address: 'summit@x.example' }],
])('MAIL_FROM=%s', (text, expected) => {
  expect(parseMailbox(text)).toEqual(expected)
})

test.each(['Summit', 'a@x.example, b@x.example', 'A <a@x.example> B', 'A\nB <a@x.example>', '<a@x.example', ''])(
  'MAIL_FROM=%s is refused',
  (text) => {
    expect(() => parseMailbox(text)).toThrow()
  },
)
