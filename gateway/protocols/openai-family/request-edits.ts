import type { MemberEdit } from '../../platform/json/rewrite-members.ts';
import { findMember, type MemberSpans } from '../../platform/json/scan-members.ts';
import type { AskedTier, Target } from '../protocol.ts';
import { editStreamOptions, type StreamOptions } from './stream-options.ts';

/** The data needed to change fields in a request's bytes. */
export interface EditableRequest extends StreamOptions {
  readonly model: string;
  readonly bytes: Buffer;
  /** The places of the members in the bytes. */
  readonly members: MemberSpans;
  /** Those sent that must not reach an upstream. */
  readonly withheldFields: readonly string[];
  readonly tier?: AskedTier | undefined;
}

/**
 * The edits that every request of the family needs: the upstream's name of the model, usage on
 * streams, and fields that are not sent.
 */
export function requestEdits(request: EditableRequest, target: Target): MemberEdit[] {
  const { bytes, members } = request;
  const { upstreamModel, omittedFields } = target;
  const edits: MemberEdit[] = [];
  if (upstreamModel !== request.model) {
    edits.push({ name: 'model', value: JSON.stringify(upstreamModel) });
  }
  if (!omittedFields.includes('stream_options')) editStreamOptions(request, edits);
  for (const name of request.withheldFields) {
    const isPriced = target.tier !== undefined && name === request.tier?.field;
    if (!isPriced) edits.push({ name, value: undefined });
  }
  for (const name of omittedFields) {
    if (findMember(bytes, members, name) !== -1) edits.push({ name, value: undefined });
  }
  return edits;
}

/** The names among edits that a target is not sent, for the client's reply header. */
export function omittedBy(edits: readonly MemberEdit[], { omittedFields }: Target): string[] {
  if (omittedFields.length === 0) return [];
  const removed = edits.filter(({ value }) => value === undefined).map(({ name }) => name);
  return removed.filter((name) => omittedFields.includes(name));
}
