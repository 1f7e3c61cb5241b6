import * as Type from 'typebox';
import type { Static } from 'typebox';
import { closed, Count } from './wire-values.ts';

/** RFC 9457 problem details: the one shape of every failure of the admin API. */
export const Problem = closed(
  {
    /** A URI that names the kind of failure: `/api/problems/<code>`. */
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    /** The cause and its remedy, in words. */
    detail: Type.String(),
    /** A code of the error catalogue; match on it, never on the words. */
    code: Type.String(),
    /** The request id, also in the `x-request-id` header and in the logs. */
    requestId: Type.String(),
    /** The fields of the request that are at fault. */
    errors: Type.Optional(
      Type.Array(closed({ field: Type.String(), detail: Type.String() }), { maxItems: 50 }),
    ),
    /** The delay after which a retry can succeed. */
    retryAfterMs: Type.Optional(Count),
  },
  'RFC 9457 problem details.',
);
export type Problem = Static<typeof Problem>;
