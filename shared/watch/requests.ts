import * as Type from 'typebox';
import type { Static } from 'typebox';
import { choice, closed, Count, Id, Instant, nullable, UsdAmount } from '../api/wire-values.ts';
import { PAGE_QUERY, pageOf } from '../api/pages.ts';
import { REQUEST_OUTCOMES, USAGE_STATUSES } from './usage-record.ts';

/** Days of the request log: bounds of the setting. */
export const REQUEST_LOG_DAYS_MAX = 365;

const Offset = nullable(Count);

/**
 * When the steps of a request began or ended, in milliseconds from its arrival. Null where it did
 * not get so far, and in entries of former versions.
 */
export const RequestPhases = closed({
  /** It has been read and its key is known: the prompt is counted and money is held. */
  holdFromMs: Offset,
  heldMs: Offset,
  /** The begin of the last attempt. */
  attemptFromMs: Offset,
  /** The reply is over except for its last byte, which waits for the settle. */
  settleFromMs: Offset,
});
export type RequestPhases = Static<typeof RequestPhases>;

/** One request as its sender may see it: what came, how it ended, and the refusal. */
export const RequestView = closed({
  requestId: Id,
  createdAt: Instant,
  keyId: nullable(Id),
  keyName: nullable(Type.String()),
  groupId: nullable(Id),
  groupName: nullable(Type.String()),
  model: nullable(Type.String()),
  protocol: nullable(Type.String()),
  status: choice(USAGE_STATUSES),
  /** The status that the client received; 0 if it left before. */
  httpStatus: Type.Integer(),
  /**
   * The reason for a failure: a code of the error catalogue, or the way in which the reply ended.
   * Null if the request was served.
   */
  code: nullable(Type.String()),
  /** The message of the refusal that the client received. */
  message: nullable(Type.String()),
  stream: Type.Boolean(),
  attempts: Count,
  durationMs: Count,
  firstByteMs: nullable(Count),
  phases: RequestPhases,
  inputTokens: nullable(Count),
  outputTokens: nullable(Count),
  costUsd: UsdAmount,
  /** More than one: requests of a flood that are summed up; times are means. */
  requests: Count,
});
export type RequestView = Static<typeof RequestView>;

/** An attempt that failed at an upstream. */
export const FailedAttemptView = closed({
  /** 1 is the first attempt of its request. */
  number: Count,
  channelId: Id,
  channelName: nullable(Type.String()),
  /** The operator's project and location at a cloud; null: none. */
  place: nullable(Type.String()),
  /** Null when no status came. */
  upstreamStatus: nullable(Type.Integer()),
  /** The failure if it was no status: connect_failed, first_byte_timeout and so on. */
  failure: nullable(Type.String()),
  /** The upstream's words, without secrets and prompts. */
  message: nullable(Type.String()),
  /** From the arrival of the request; null in entries of former versions. */
  startedMs: Offset,
  durationMs: Count,
});
export type FailedAttemptView = Static<typeof FailedAttemptView>;

/** For admins: also whose it is, where it was sent and what the upstreams said. */
export const RequestAdminView = closed({
  ...RequestView.properties,
  accountId: nullable(Id),
  accountName: nullable(Type.String()),
  /** The first letters of the key, also of one that does not exist. */
  keyPrefix: nullable(Type.String()),
  /** The channel of the last attempt. */
  channelId: nullable(Id),
  channelName: nullable(Type.String()),
  /** The operator's project and location at that channel's cloud; null: none. */
  place: nullable(Type.String()),
  failedAttempts: Type.Array(FailedAttemptView),
  /** The client's address; only for requests without a known key. */
  clientAddress: nullable(Type.String()),
});
export type RequestAdminView = Static<typeof RequestAdminView>;

/** Orders of lists of requests; `-` sorts descending. */
export const REQUEST_SORTS = [
  '-created',
  'created',
  '-duration',
  'duration',
  '-cost',
  'cost',
] as const;
export type RequestSort = (typeof REQUEST_SORTS)[number];

const REQUEST_FILTERS = {
  keyId: Type.Optional(Id),
  groupId: Type.Optional(Id),
  /** Public model ID, exact. */
  model: Type.Optional(Type.String({ maxLength: 128 })),
  code: Type.Optional(Type.String({ maxLength: 64, pattern: '^[a-z_0-9]+$' })),
  outcome: Type.Optional(choice(REQUEST_OUTCOMES)),
  /** Inclusive. */
  from: Type.Optional(Instant),
  /** Exclusive. */
  to: Type.Optional(Instant),
  /**
   * The newest first when absent. By time the list goes on with bills that are older than the
   * request log; by anything else it has the requests of the log.
   */
  sort: Type.Optional(choice(REQUEST_SORTS)),
};

export const RequestListQuery = closed({ ...PAGE_QUERY, ...REQUEST_FILTERS });
export type RequestListQuery = Static<typeof RequestListQuery>;
export const RequestAdminListQuery = closed({
  ...PAGE_QUERY,
  ...REQUEST_FILTERS,
  accountId: Type.Optional(Id),
  /** Requests that a channel served, and those with an attempt that failed there. */
  channelId: Type.Optional(Id),
});
export type RequestAdminListQuery = Static<typeof RequestAdminListQuery>;
export const RequestPage = pageOf(RequestView);
export type RequestPage = Static<typeof RequestPage>;
export const RequestAdminPage = pageOf(RequestAdminView);
export type RequestAdminPage = Static<typeof RequestAdminPage>;
