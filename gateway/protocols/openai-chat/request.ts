import { isRefusal, type Refusal } from '../../errors/refusal.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { readObject, type ReadObject } from '../../json/read-object.ts';
import { rewriteMembers, type MemberEdit } from '../../json/rewrite-members.ts';
import { findMember, type MemberSpans } from '../../json/scan-members.ts';
import { promptTokensUpperBound } from '../../tokens/prompt-upper-bound.ts';
import { checkChat, type ChatFields } from '../../validation/check-chat.ts';
import { invalidValue } from '../../validation/field-faults.ts';
import type { RequestLimits } from '../../validation/request-limits.ts';

/** A chat-completions request that passed every check, still with the bytes it came in. */
export interface ChatRequest extends ChatFields {
  /** At least as many tokens as the prompt can have; clamp it to the model's context. */
  readonly promptTokensBound: number;
  readonly body: JsonObject;
  readonly bytes: Buffer;
  readonly members: MemberSpans;
}

/** Fields that are found in the bytes by their plain name, because Weir may replace them. */
const REPLACED_FIELDS = ['model', 'stream_options', 'max_tokens', 'max_completion_tokens'] as const;

/** The two names of the output limit; some upstreams know only the older, OpenAI's newer models refuse it. */
export type OutputLimitField = 'max_tokens' | 'max_completion_tokens';

export function parseChatRequest(body: Buffer, limits: RequestLimits): ChatRequest | Refusal {
  const read = readObject(body, limits.jsonDepthMax);
  if (isRefusal(read)) return read;
  const fields = checkChat(read.value, read.keys, limits);
  if (isRefusal(fields)) return fields;
  const { bytes, members } = read;
  const disguised = disguisedField(read);
  if (disguised !== undefined) return disguised;
  return {
    model: fields.model,
    stream: fields.stream,
    includeUsage: fields.includeUsage,
    maxOutputTokens: fields.maxOutputTokens,
    choices: fields.choices,
    hasTools: fields.hasTools,
    mediaParts: fields.mediaParts,
    promptTokensBound: promptTokensUpperBound({
      bodyBytes: bytes.length,
      hasTools: fields.hasTools,
      mediaParts: fields.mediaParts,
    }),
    body: read.value,
    bytes,
    members,
  };
}

/** A key such as "mod\u0065l" parses to a field that could then not be replaced in the bytes. */
function disguisedField({ bytes, members, value }: ReadObject): Refusal | undefined {
  for (const name of REPLACED_FIELDS) {
    if (value[name] !== undefined && findMember(bytes, members, name) === -1) {
      return invalidValue(name, `Write the field name "${name}" without escape sequences.`);
    }
  }
  return undefined;
}

export interface UpstreamBodyOptions {
  /** Ask for usage on a stream, whatever the client asked for. */
  readonly includeUsage: boolean;
  /** A limit that admission imposes; absent leaves the client's own. */
  readonly maxOutputTokens?: number;
  /** The name under which this upstream takes the limit; absent keeps the client's, or chooses by the model's name. */
  readonly outputLimitField?: OutputLimitField;
  /** Fields that must not reach this upstream, such as a vendor's own list of fallback models. */
  readonly withheldFields?: readonly string[];
}

/** The body for the upstream: the client's bytes but for what must differ. The same buffer when nothing does. */
export function buildUpstreamBody(
  request: ChatRequest,
  upstreamModel: string,
  options: UpstreamBodyOptions,
): Buffer {
  const edits: MemberEdit[] = [];
  if (upstreamModel !== request.model) {
    edits.push({ name: 'model', value: JSON.stringify(upstreamModel) });
  }
  editStreamOptions(request, options.includeUsage, edits);
  editOutputLimit(request, upstreamModel, options, edits);
  for (const name of options.withheldFields ?? []) {
    if (name !== 'model') edits.push({ name, value: undefined });
  }
  return edits.length === 0 ? request.bytes : rewriteMembers(request.bytes, request.members, edits);
}

function editStreamOptions(request: ChatRequest, includeUsage: boolean, edits: MemberEdit[]): void {
  const name = 'stream_options';
  const sent = request.body[name];
  if (!request.stream) {
    // OpenAI refuses the field when it does not stream; clients that always send it must not suffer.
    if (sent !== undefined) edits.push({ name, value: undefined });
  } else if (includeUsage && !request.includeUsage) {
    const value =
      typeof sent === 'object' && sent !== null
        ? JSON.stringify({ ...sent, include_usage: true })
        : '{"include_usage":true}';
    edits.push({ name, value });
  }
}

function editOutputLimit(
  request: ChatRequest,
  upstreamModel: string,
  options: UpstreamBodyOptions,
  edits: MemberEdit[],
): void {
  const { max_tokens: older, max_completion_tokens: newer } = request.body;
  const { maxOutputTokens, outputLimitField } = options;
  // Most requests name no limit and get none.
  if (older === undefined && newer === undefined && maxOutputTokens === undefined) return;
  const sentField = sentOutputLimitField(request.body);
  const field = outputLimitField ?? sentField ?? outputLimitFieldOf(upstreamModel);
  const renamed = sentField !== undefined && sentField !== field;
  // OpenAI refuses a request with both names, even when they agree.
  if (renamed || (older !== undefined && newer !== undefined)) {
    const other = field === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    edits.push({ name: other, value: undefined });
  }
  if (maxOutputTokens !== undefined) edits.push({ name: field, value: String(maxOutputTokens) });
  else if (renamed) edits.push({ name: field, value: String(request.maxOutputTokens) });
}

/** The name whose value counts: the newer one when both have one. */
function sentOutputLimitField(body: JsonObject): OutputLimitField | undefined {
  if (typeof body['max_completion_tokens'] === 'number') return 'max_completion_tokens';
  if (typeof body['max_tokens'] === 'number') return 'max_tokens';
  return undefined;
}

/**
 * OpenAI's reasoning models (o1 and later, gpt-5 and later) refuse `max_tokens`; most other servers
 * know nothing else.
 */
export function outputLimitFieldOf(upstreamModel: string): OutputLimitField {
  const name = upstreamModel.slice(upstreamModel.lastIndexOf('/') + 1);
  return /^(?:o\d|gpt-(?:[5-9]|\d\d)|codex)/.test(name) ? 'max_completion_tokens' : 'max_tokens';
}
