import type { ChannelEntry } from '../../catalog/snapshot.ts';
import { COST_FIELD } from '../../protocols/fields/asks-for-cost.ts';
import {
  withoutUnknownFields,
  type SpannedRequest,
} from '../../protocols/fields/unknown-fields.ts';
import type { ParsedRequest } from '../../protocols/protocol.ts';

/** The fields of a request that go to a channel. */
export interface SentFields {
  readonly sent: ParsedRequest;
  /** Paths of fields that are not sent on; the reply lists them. */
  readonly dropped: readonly string[];
}

const NOTHING: readonly never[] = [];

/** Returns a request as a channel's policy lets it through: known fields, or all of them. */
export function fieldsFor(
  { fieldPolicy }: Pick<ChannelEntry, 'fieldPolicy'>,
  request: ParsedRequest,
): SentFields {
  const { unknownFields = null, withheldFields = NOTHING } = request;
  const withheld =
    withheldFields.length === 0 ? NOTHING : withheldFields.filter((name) => name !== COST_FIELD);
  if (unknownFields === null || fieldPolicy === 'all' || !isSpanned(request)) {
    return { sent: request, dropped: withheld };
  }
  const known = withoutUnknownFields(request, unknownFields);
  return { sent: known.request, dropped: [...withheld, ...known.dropped] };
}

function isSpanned(request: ParsedRequest): request is SpannedRequest {
  return 'members' in request;
}
