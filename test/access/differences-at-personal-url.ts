// The differences that clients of the interface specification meet where `ACCESS` is `members`. A client of one
// participant, at a personal URL, runs the tests that `vitest.config.ts` lists as `atPersonalUrl`, and sends
// every write in the name of that participant. The tests listed here have another outcome than with `open`, for the
// reason given; all others have the same outcome. `expect-differences.ts` checks both.
//
// The list omits tests that write requests on a socket of their own, those of metrics and damaged files, those that
// choose `ACCESS`, the host or the origin themselves, and the exhaustive variants in `*.long.test.ts`.

/** The reasons, each with a pattern that the failure of such a test matches: `-` is expected, `+` received. */
export const failureOf = {
  /** A write names another participant or changes their record, or a participant's own e-mail address. */
  forbidden:
    /^You are not allowed to do this\.$|expected (?:\[ )?4030\b|response_code"?: ?4030\b|^\+ +(?:"reason": )?"FORBIDDEN",$/m,
  /** The directory has no contacts, and an empty one that is sent back clears nothing. */
  emptied: /^[-+] +"mobile_no": "",$/m,
  /** An author who is left out is filled in, so that none is missing. */
  filledIn:
    /response_code: 1000,.* response_code: 4220,|^- +"field": "(?:created_by|participant_id)",$|"\/0\/data\/feedbacks"/m,
  /** The test needs several participants, or an unknown one, and the one at the URL is the author. */
  inOneName:
    /^\+ +"(?:modified_by|actor_id)": 1,$|^\+ +"id": "1",\n\+ +"name": "",$|^There is no such like\.$|^- +"reason": "PARTICIPANT_NOT_FOUND",$/m,
  /** The test needs what several participants did, and all of it was done in the name of one. */
  ofOthers: /^- +"(?:(?:Ana|Ben|Cleo) Cruz(?: 1)?|of 1, sent by 2)",$/m,
  /** The test needs a second author, and the write is one that was done before. */
  repeated: /^- +"reason": "IDEMPOTENCY_KEY_REUSED",$|^the records after the write: /m,
  /** Responses are for one audience, so that no shared cache may store them. */
  privateCaching: /^(?:\+ +"cache-control": |Received: )"private, max-age=300",?$/m,
  /** Links to files have a media key, and no link has the secret of the URL. */
  links: /\?key=smm_[\w-]{32}",?$|^- .*\/k\/smt_[\w-]{43}\/photos\/ana\.jpg",$/m,
  /** The participant and the URL were created before, which is in the change log. */
  loggedBefore: /^\+ +"kind": "credential\.created",$|length of 2 but got 4$/m,
  /** There is a PUBLIC_URL, on which links are based, and without which HTTP/1.0 needs a Host. */
  host: /^Received: "http:\/\/127\.0\.0\.1:\d+\/api\/program\/banner\/|^expected 1000 to be 4000 /m,
  /** Below a personal URL, the path of the API is spelt in one way only. */
  spelling: /^HTTP\/1\.1 404 /,
  /** The participant at the URL is deleted, which ends the URL. */
  ended: /^\+ +"response_code": 4010,$/m,
} satisfies Record<string, RegExp>

type Difference = keyof typeof failureOf

/** By file and full name of the test. */
export const differences: Readonly<Record<string, Readonly<Record<string, Difference>>>> = {
  'src/server/domains/feedback/feedback.test.ts': {
    'the author of feedback > is given by participant_id before created_by': 'forbidden',
    'the author of feedback > is given by created_by alone': 'forbidden',
    'the author of feedback > is given by created_by where participant_id is null': 'forbidden',
    'the author of feedback > may be an unknown participant': 'forbidden',
    'the author of feedback > is required: {}': 'filledIn',
    'the author of feedback > is required: {"comments":"x"}': 'filledIn',
    'the author of feedback > is required: {"participant_id":null,"created_by":null}': 'filledIn',
    'ratings > that are invalid are reported together with all other invalid fields': 'forbidden',
    'the list > of one participant has the feedback by that author, not the feedback that the participant sent for others':
      'ofOthers',
    'feedback adds a row to the change log, with its sender as the actor': 'loggedBefore',
    'a missing author is reported together with all other invalid fields': 'filledIn',
  },
  'src/server/domains/files/conditional-requests.test.ts': {
    'a client that already has the file > sends If-None-Match with the same tag and receives 304': 'privateCaching',
    'a client that already has the file > sends If-None-Match with the same tag as a weak one and receives 304':
      'privateCaching',
    'a client that already has the file > sends If-None-Match with the same tag among others and receives 304':
      'privateCaching',
    'a client that already has the file > sends If-None-Match with any tag and receives 304': 'privateCaching',
    'a client that already has the file > sends If-None-Match with another tag and receives 200': 'privateCaching',
    'a client that already has the file > sends If-None-Match with a tag without quotes and receives 200':
      'privateCaching',
  },
  'src/server/domains/files/serving.test.ts': {
    'a stored file > is served byte for byte, cacheable forever, and sandboxed': 'privateCaching',
  },
  'src/server/http/idempotency-keys.test.ts': {
    'a key that was used before > is rejected with another author, and the first write stays': 'repeated',
  },
  'src/server/http/idempotency.test.ts': {
    'a write that is retried with its key > gets its first response, and is executed once': 'loggedBefore',
  },
  'src/server/domains/newsfeed/big-world.test.ts': {
    'a topic shows the latest 5,000 of its 33,000 likes, and the latest 1,000 of its comments': 'ofOthers',
  },
  'src/server/domains/newsfeed/comments.test.ts': {
    'a comment by an unknown participant has no author, but its created_by': 'inOneName',
    'an update by another participant changes the text, but not the author, date and position': 'inOneName',
    'a comment that is > absent is rejected and not stored': 'filledIn',
    'every write adds a row to the change log, under the topic': 'inOneName',
  },
  'src/server/domains/newsfeed/likes.test.ts': {
    'a participant likes a topic and is shown on it like an author': 'links',
    'likes are shown on their own topic, oldest first, regardless of the ids of the participants': 'ofOthers',
    'a like that is withdrawn is removed, and a new one comes last': 'ofOthers',
    'the like of a participant who was deleted has a single space as its name, and can be removed': 'inOneName',
    'a like by an unknown participant is refused, and stores nothing': 'inOneName',
    'a like without a valid participant is rejected: {}': 'filledIn',
    'a like without a valid participant is rejected: {"created_by":0}': 'forbidden',
  },
  'src/server/domains/newsfeed/topics.test.ts': {
    'a participant posts a topic, and it is in the list and in its details with its author': 'links',
    'the author of a topic by an unknown participant has a single space as its name': 'inOneName',
    'each of 2 topics in a list shows what it shows alone and in its details': 'ofOthers',
    'each of 51 topics in a list shows what it shows alone and in its details': 'ofOthers',
    'all invalid fields of a topic are reported together, and nothing is stored': 'filledIn',
    'every write adds a row to the change log, and a failed one adds none': 'loggedBefore',
  },
  'src/server/domains/participants/authors.test.ts': {
    'every record by a participant > shows an unknown author if there is no such participant': 'inOneName',
  },
  'src/server/domains/participants/participants.test.ts': {
    'the list > shows the participants': 'emptied',
    'an update > returns the whole participant, and the list shows the change': 'forbidden',
    'an update > of employee_no alone changes nothing else': 'forbidden',
    'an update > of designation alone changes nothing else': 'forbidden',
    'an update > of email alone changes nothing else': 'forbidden',
    'an update > of first_name alone changes nothing else': 'forbidden',
    'an update > of last_name alone changes nothing else': 'forbidden',
    'an update > of photo alone changes nothing else': 'forbidden',
    'an update > of mobile_no alone changes nothing else': 'forbidden',
    'an update > of gender alone changes nothing else': 'forbidden',
    'an update > clears empty members, and does not change those that are absent or null': 'emptied',
    'an update > of a deleted or unknown participant fails': 'ended',
    'a photo > given as "https://cdn.summit.example/ana.jpg" is stored unchanged, and an author has it as "https://cdn.summit.example/ana.jpg"':
      'forbidden',
    'a photo > given as "HTTP://cdn.summit.example/ana.jpg" is stored unchanged, and an author has it as "HTTP://cdn.summit.example/ana.jpg"':
      'forbidden',
    'a photo > given as "photos/ana.jpg" is stored unchanged, and an author has it as "{base}/photos/ana.jpg"':
      'forbidden',
    'a photo > given as "/photos/ana cruz.jpg" is stored unchanged, and an author has it as "{base}/photos/ana%20cruz.jpg"':
      'forbidden',
    'a photo > given as "//evil.example/ana.jpg" is stored unchanged, and an author has it as "{base}/evil.example/ana.jpg"':
      'forbidden',
    'a photo > given as "" is stored unchanged, and an author has it as null': 'forbidden',
  },
  'src/server/domains/program/pictures.test.ts': {
    'the placeholder of an event without a picture > for a banner is a PNG of 1200 by 628': 'privateCaching',
    'the placeholder of an event without a picture > for a photo is a PNG of 400 by 400': 'privateCaching',
    'the URL of the banner > is based on the Host header': 'host',
    'the URL of the banner > is based on PUBLIC_URL if set, regardless of the Host header': 'links',
  },
  'src/server/domains/program/program.test.ts': {
    'an event is listed with its schedule': 'links',
  },
  'test/contract/encodings.test.ts': {
    'updateParticipant does the same as urlencoded as in JSON, and ignores members that are not its own': 'forbidden',
  },
  'test/contract/failures.test.ts': {
    'likeTopic returns each failure that it declares in an envelope, and as a problem, and changes nothing':
      'forbidden',
    'unlikeTopic returns each failure that it declares in an envelope, and as a problem, and changes nothing':
      'forbidden',
    'addFeedback returns each failure that it declares in an envelope, and as a problem, and changes nothing':
      'filledIn',
  },
  'test/contract/openapi.test.ts': {
    'every operation of the interface specification accepts the examples of the document, in each media type':
      'forbidden',
  },
  'test/contract/routing.test.ts': {
    'a trailing slash makes no difference': 'forbidden',
  },
  'test/contract/success.test.ts': {
    'likeTopic returns what it declares, signed, changes a record and logs the change': 'repeated',
    'updateParticipant returns what it declares, signed, changes a record and logs the change': 'forbidden',
  },
  'test/contract/validation.test.ts': {
    'unlikeTopic accepts a participant_id within its range, including both ends, and no other': 'forbidden',
    'createTopic refuses an invalid created_by and names it': 'forbidden',
    'updateTopic refuses an invalid updated_by and names it': 'forbidden',
    'likeTopic refuses an invalid created_by and names it': 'forbidden',
    'createComment refuses an invalid created_by and names it': 'forbidden',
    'updateComment refuses an invalid updated_by and names it': 'forbidden',
    'addFeedback refuses an invalid created_by and names it': 'forbidden',
    'addFeedback refuses an invalid participant_id and names it': 'forbidden',
  },
  'test/fuzz/text.test.ts': {
    'unusual text in participants comes back unchanged, or is refused': 'forbidden',
  },
  'test/http/headers.test.ts': {
    'HTTP/1.0 needs a Host as well': 'host',
  },
  'test/http/methods.test.ts': {
    'PATCH /%61pi/newsfeeds/topics/%63reate: 4050': 'spelling',
  },
  'test/http/multipart-uploads.test.ts': {
    'uploads that are aborted in a file leave no file and no row': 'loggedBefore',
    'uploads that are aborted in a text leave no file and no row': 'loggedBefore',
    'uploads that are aborted in a header leave no file and no row': 'loggedBefore',
    'uploads that are aborted before the last line leave no file and no row': 'loggedBefore',
  },
  'test/http/paths.test.ts': {
    'a path > with escaped letters': 'spelling',
    'a path > with escaped letters, and unknown': 'spelling',
  },
}
