/** The refusals of InvokeModel for a Messages body, in its own words. */
import type { AwsError } from './aws-error.ts';

type Body = Readonly<Record<string, unknown>>;

const FIELDS = new Set([
  'anthropic_version',
  'anthropic_beta',
  'max_tokens',
  'messages',
  'metadata',
  'output_config',
  'stop_sequences',
  'system',
  'temperature',
  'thinking',
  'tool_choice',
  'tools',
  'top_k',
  'top_p',
]);

/** Each opens a field; the others are taken and change nothing here. */
const BETAS = new Map<string, string | null>([
  ['context-management-2025-06-27', 'context_management'],
  ['compact-2026-01-12', 'context_management'],
  ['interleaved-thinking-2025-05-14', null],
  ['tool-search-tool-2025-10-19', null],
  ['thinking-token-count-2026-05-13', null],
  ['context-1m-2025-08-07', null],
  ['effort-2025-11-24', null],
  ['fine-grained-tool-streaming-2025-05-14', null],
]);

/** The second form is what Anthropic's own SDK for Bedrock puts there. */
const VERSION = /^(?:bedrock-2023-05-31|20\d\d-\d\d-\d\d)$/;
const CALL_ID = /^[a-zA-Z0-9_-]+$/;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const invalid = (message: string): AwsError => ({
  status: 400,
  type: 'ValidationException',
  message,
});

/** Returns AWS' refusal of a body; undefined when the model takes it. */
export function refuseBody(body: Body): AwsError | undefined {
  if (body['anthropic_version'] === undefined) {
    return invalid('anthropic_version: Field required');
  }
  if (!VERSION.test(textOf(body['anthropic_version']))) {
    return invalid('The provided anthropic_version is not supported.');
  }
  const betas: readonly unknown[] = Array.isArray(body['anthropic_beta'])
    ? body['anthropic_beta']
    : [];
  if (!betas.every((name) => BETAS.has(String(name)))) return invalid('invalid beta flag');
  const opened = new Set(betas.map((name) => BETAS.get(String(name))));
  const extra = Object.keys(body).find((name) => !FIELDS.has(name) && !opened.has(name));
  if (extra !== undefined) return invalid(`${extra}: Extra inputs are not permitted`);
  if (typeof body['max_tokens'] !== 'number') return invalid('max_tokens: Field required');
  return refuseTools(body['tools']) ?? refuseMessages(body['messages']);
}

/** Refuses tools as Claude 4.5 does. */
function refuseTools(tools: unknown): AwsError | undefined {
  const at = Array.isArray(tools)
    ? (tools as Body[]).findIndex((tool) => 'eager_input_streaming' in tool)
    : -1;
  if (at === -1) return undefined;
  return invalid(`tools.${at}.custom.eager_input_streaming: Extra inputs are not permitted`);
}

function refuseMessages(messages: unknown): AwsError | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return invalid('messages: Field required');
  for (const [at, message] of (messages as Body[]).entries()) {
    const { content } = message;
    for (const [index, block] of (Array.isArray(content) ? (content as Body[]) : []).entries()) {
      const place = `messages.${at}.content.${index}`;
      if (block['type'] === 'tool_use' && !CALL_ID.test(textOf(block['id']))) {
        return invalid(`${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
      }
      const { type } = (block['source'] ?? {}) as Body;
      if (block['type'] === 'image' && type !== 'base64') {
        return invalid(`${place}.image.source.base64: Field required`);
      }
    }
  }
  return undefined;
}
