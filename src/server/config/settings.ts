import Type, { type Static } from 'typebox'
import { accessModes, feedbackReaders } from '../../contract/access.ts'
import { defaultLimits, type Limits } from '../../contract/limits.ts'
import { postPolicies } from '../../contract/me.ts'
import { lazyValidator } from '../core/compile-schema.ts'
import { databaseUrl } from '../storage/db/target.ts'
import { formats } from './formats.ts'

const oneOf = <const V extends string>(values: V[], options: { default: NoInfer<V>; description: string }) =>
  Type.Unsafe<V>(Type.Enum(values, options))

const limitSetting = (limit: keyof Limits, description: string) =>
  Type.Integer({ minimum: 1, maximum: 2 ** 40, default: defaultLimits[limit], description })

/** Every setting, by the name of its environment variable. `docs/config.md` is generated from this. */
export const Settings = Type.Object({
  HOST: Type.String({
    default: '127.0.0.1',
    format: 'host',
    description: 'Address to listen on. Anything but loopback also requires ACCESS.',
  }),
  PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65535,
    description: 'Port to listen on; 0 picks a free one.',
  }),
  WORKERS: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 128,
    description: 'Number of processes that serve requests. More than the number of cores does not help.',
  }),
  DATA_DIR: Type.String({
    default: './data',
    description: 'Folder for the database, the files, and the keys of the server.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({ format: 'database-url', 'x-secret': true, description: databaseUrl.description }),
  ),
  BLOBS_URL: Type.Optional(
    Type.String({
      format: 'blobs-url',
      'x-secret': true,
      description:
        'S3 location for files: s3://bucket/prefix?region=…&endpoint=…&path-style=true. Credentials come from the usual ' +
        'AWS sources, or precede the bucket: key-id:secret@. If not set, files are stored in DATA_DIR.',
    }),
  ),
  BACKUP_TO: Type.Optional(
    Type.String({
      format: 'backup-target',
      description:
        'Location for backups: a folder, best on another disk, or s3://bucket/prefix?… as in BLOBS_URL, with its own ' +
        'credentials. If set, the server makes a backup every BACKUP_EVERY.',
    }),
  ),
  BACKUP_EVERY: Type.String({
    default: '24h',
    pattern: '^([1-9][0-9]{0,3}[mhd]|never)$',
    description: 'Interval between backups of the server, in minutes, hours or days: 30m, 6h, 1d; or never.',
  }),
  BACKUP_KEY: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      'x-secret': true,
      description:
        'Key that encrypts backups, 64 hex digits. If not set, backups are not encrypted, and contain neither the ' +
        'signing key nor the key of the change log. Store a copy of it apart from the backups: encrypted backups cannot ' +
        'be restored without it. To set or change it, choose a new location in BACKUP_TO.',
    }),
  ),
  BEGIN_WITH: oneOf(['sample', 'empty'], {
    default: 'sample',
    description: 'Initial content of a new summit: sample loads a sample summit; empty loads nothing, like --empty.',
  }),
  PUBLIC_URL: Type.Optional(
    Type.String({
      format: 'http-url',
      description:
        'Base URL that clients use. Absolute URLs in responses start with it; if not set, with the Host of the ' +
        'request, and responses are cached for eight hosts at a time, whose places one client can take with made-up ones. ' +
        'Cookies, passkeys and the links of invitations belong to it. Required with ACCESS=public or members; with open, ' +
        'organizers otherwise sign in at http://localhost:PORT.',
    }),
  ),
  CORS_ORIGINS: Type.Optional(
    Type.String({
      format: 'origins',
      description:
        'Origins of web apps that may use the API in a browser, separated by commas, such as ' +
        'https://localhost,http://localhost:5173. If not set, only pages of the origin of the service may.',
    }),
  ),
  TRUSTED_PROXIES: Type.Optional(
    Type.String({
      format: 'proxies',
      description:
        'Addresses or networks of reverse proxies, as this server sees them, separated by commas, such as ' +
        '127.0.0.1,10.0.0.0/8. Summit trusts only these: the client is the last address in X-Forwarded-For that is not ' +
        'one of them, with or without a port. If not set, all clients of a proxy count as one: codes by e-mail are not ' +
        'limited by network, and one client that does not read its responses can use up the memory for the responses of ' +
        'all.',
    }),
  ),
  TIMEZONE: Type.String({
    default: 'UTC',
    format: 'time-zone',
    description:
      'IANA time zone of the timestamps that the server generates and, if the conference has none, of a calendar to import ' +
      'that names none, and of changes of the clock in other imported programs that name none. Times of these are never ' +
      'converted.',
  }),
  DAY_OF_WEEK: oneOf(['iso', 'mysql', 'js'], {
    default: 'iso',
    description:
      'Numbering of dayOfWeek: iso 1 Monday … 7 Sunday, mysql 1 Sunday … 7 Saturday, js 0 Sunday … 6 Saturday.',
  }),
  ACCESS: oneOf([...accessModes], {
    default: 'open',
    description:
      'Who may read and write. open: anyone who can reach the port, as any participant; only organizers sign in. public: ' +
      'anyone may read the program, the feed, images and files; everything else requires people to sign in, and apps to ' +
      'send a key. members: all reading and writing requires that. Both require an https PUBLIC_URL; http only for localhost.',
  }),
  FEEDBACK_READERS: oneOf([...feedbackReaders], {
    default: 'organizers',
    description:
      'Who reads all feedback where ACCESS is public or members. organizers: participants get only their own. ' +
      'participants: everyone who signs in, and apps with a key.',
  }),
  WRITES_PER_MINUTE: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 60,
    description:
      'Writes of a participant that are accepted at once, and per minute from then on, with ACCESS=public or members; ' +
      'faster ones get 4290. The users of one app have 50 times as much together. Keys and sessions with roles are not ' +
      'limited. Each process counts for itself. 0 for no limit.',
  }),
  ERASE_POSTS: oneOf([...postPolicies], {
    default: 'delete',
    description:
      'What becomes of the topics and comments of participants who are erased. delete: removed, topics with everything ' +
      'below them. keep: they stay without a name and without uploaded files.',
  }),
  ERASE_PERSONAL_DATA_AFTER: Type.Optional(
    Type.String({
      format: 'day',
      description:
        'Day after whose end the server erases all participants, such as 2027-03-31, in TIMEZONE. If not set, it never ' +
        'does. It warns in the log on at least 14 days before, also if the day has passed when it is first set.',
    }),
  ),
  SMTP_URL: Type.Optional(
    Type.String({
      format: 'smtp-url',
      'x-secret': true,
      description:
        'Mail server, as smtp://user:password@host:587, or smtps:// for TLS from the first byte. With smtp:// TLS is ' +
        'required as well (STARTTLS), unless the host is this machine or ?tls=none follows. log instead of a URL prints ' +
        'mail to the log, to try it out; HOST must then be loopback. If not set, nothing is sent by e-mail.',
    }),
  ),
  MAIL_FROM: Type.Optional(
    Type.String({
      format: 'mailbox',
      description:
        'Sender of e-mail: an address, or Summit <summit@example.org>. Required with a mail server in SMTP_URL.',
    }),
  ),
  OIDC_ISSUER: Type.Optional(
    Type.String({
      format: 'issuer',
      description:
        'Identity provider with whose accounts organizers sign in (OpenID Connect): its issuer URL, which has a document at ' +
        '/.well-known/openid-configuration. Register PUBLIC_URL/sign-in/oidc/callback there as the redirect URI.',
    }),
  ),
  OIDC_CLIENT_ID: Type.Optional(
    Type.String({ maxLength: 1000, description: 'Id of this summit as a client of the identity provider.' }),
  ),
  OIDC_CLIENT_SECRET: Type.Optional(
    Type.String({
      maxLength: 1000,
      'x-secret': true,
      description: 'Secret of this summit as a client of the identity provider.',
    }),
  ),
  SUMMIT_ENDS: Type.Optional(
    Type.String({
      format: 'day',
      description:
        'Last day of the summit, YYYY-MM-DD in TIMEZONE. Participants sign in with their invitations until its end, and stay ' +
        'signed in for two weeks more. If not set, the last day of the program; for a program in the past, or none, 90 days. ' +
        'However late the summit ends, none of these lasts longer than 180 days.',
    }),
  ),
  LOG_LEVEL: oneOf(['silent', 'error', 'warn', 'info', 'debug'], {
    default: 'info',
    description: 'Log level: silent, error, warn, info or debug. The log goes to standard output as JSON lines.',
  }),
  PAGE_CACHE_BYTES: Type.Integer({
    minimum: 0,
    maximum: 2 ** 40,
    default: 192 * 1024 * 1024,
    description:
      'Memory for cached responses of the API; pages get a quarter of it besides, and images the same amount again, up to 32 MiB. 0 disables these caches, so that every read queries the database.',
  }),
  SIGNATURE_KEY: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      'x-secret': true,
      description:
        'Key for system.signature, 64 hex digits. If not set, one is generated at first start and stored in DATA_DIR, ' +
        'or in the database of DATABASE_URL.',
    }),
  ),
  AUDIT_KEY: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      'x-secret': true,
      description:
        'Key that seals the change log, 64 hex digits, the same on every server. If not set, it is the file audit.key in ' +
        'DATA_DIR, which is generated unless DATABASE_URL is set: then the log is not sealed without a key.',
    }),
  ),
  MAX_NAME: limitSetting('name', "Maximum characters in a topic's name."),
  MAX_BODY: limitSetting('body', "Maximum characters in a topic's body."),
  MAX_COMMENT: limitSetting('comment', 'Maximum characters in a comment.'),
  MAX_FEEDBACK: limitSetting('feedback', 'Maximum characters in the comments of a feedback entry.'),
  MAX_TEXT: limitSetting('text', 'Maximum characters in any other string, except texts of imported sessions.'),
  MAX_LINK: limitSetting('link', 'Maximum characters in a link in uploaded_files.'),
  MAX_JSON_BYTES: limitSetting('jsonBytes', 'Maximum bytes of a JSON or urlencoded body.'),
  MAX_FILE_BYTES: limitSetting('fileBytes', 'Maximum bytes of an uploaded file.'),
  MAX_FILES: limitSetting('files', 'Maximum number of uploaded files in a request.'),
})
export type Settings = Static<typeof Settings>
export type SettingName = keyof Settings

/** Compiled at first use, and once: a command evaluates the settings several times. */
export const settingsValidator = lazyValidator(Settings, formats)
