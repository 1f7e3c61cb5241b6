import * as Type from 'typebox';
import type { Static } from 'typebox';
import { CONTENT_OUTCOMES } from './content-outcomes.ts';
import { choice, closed, Count, Id, Instant, nullable, partial } from '../api/wire-values.ts';

/** The most that CONTENT_LOG_DAYS_MAX can be. */
export const CONTENT_DAYS_MAX = 365;

/** The longest time for which an account can let operators read its content. */
export const CONTENT_SUPPORT_DAYS_MAX = 30;

const Days = Type.Integer({ minimum: 1, maximum: CONTENT_DAYS_MAX });

/** Switches the content log of a key on or off. */
export const ContentLogUpdate = closed({
  enabled: Type.Boolean(),
  /** Content is deleted after so many days, at most `daysMax`. Needed to switch on. */
  days: Type.Optional(Days),
  /** Deletes what is kept so far. */
  erase: Type.Optional(Type.Boolean()),
});
export type ContentLogUpdate = Static<typeof ContentLogUpdate>;

/** The rules of an account for content logs. */
export const ContentPolicyView = closed({
  /** False: no key of the account has a content log. */
  allowed: Type.Boolean(),
  /** Operators may read content of the account until then; null: they may not. */
  supportUntil: nullable(Instant),
  /** Most days that content can be kept; 0: the operator has switched the feature off. */
  daysMax: Count,
  /** Bytes of a request that are kept, and of its reply. */
  bytesMax: Count,
});
export type ContentPolicyView = Static<typeof ContentPolicyView>;

export const ContentPolicyUpdate = partial(
  closed({
    /** False switches the log of every key off and deletes what is kept. */
    allowed: Type.Boolean(),
    /** At most 30 days from now. */
    supportUntil: nullable(Instant),
  }),
  { additionalProperties: false },
);
export type ContentPolicyUpdate = Static<typeof ContentPolicyUpdate>;

/** One direction. `base64` where the bytes are no text in UTF-8. */
const ContentBody = closed({
  encoding: choice(['utf8', 'base64']),
  text: Type.String(),
  /** The size as it passed; more than the text has where it was cut. */
  bytes: Count,
});

/** The request and the reply of one request, as they passed. */
export const ContentView = closed({
  requestId: Id,
  outcome: choice(CONTENT_OUTCOMES),
  request: nullable(ContentBody),
  reply: nullable(ContentBody),
  /** Longer bodies were cut after so many bytes; null where none was. */
  cutAtBytes: nullable(Count),
  /** It is deleted then. */
  keptUntil: Instant,
});
export type ContentView = Static<typeof ContentView>;
