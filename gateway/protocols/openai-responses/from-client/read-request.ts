import { redactSecrets } from '@weir/shared/redact-secrets';
import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { objectsOf } from '../../../tokens/prompt-counter.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import { shapes } from '../../fields/shape.ts';
import { uncarriedFields } from '../../fields/uncarried-fields.ts';
import { bodyOf } from '../../fields/parsed-body.ts';
import type {
  Effort,
  NeutralMessage,
  NeutralRequest,
  ReplyFormat,
  ToolChoice,
} from '../../neutral-form/request.ts';
import type { ResponsesRequest } from './parse-request.ts';
import { clientContext } from '../wire/client-context.ts';
import { readItems } from './read-items.ts';
import { clientToolOf, unreadTools, type ToolNames } from '../wire/tool-names.ts';

const EFFORTS: ReadonlySet<unknown> = new Set<Effort>([
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
]);

/** Reads a client's request into the neutral form. */
export function readRequest(request: ResponsesRequest): NeutralRequest | Refusal {
  const body = bodyOf(request) ?? {};
  const { names } = clientContext(request, body);
  const messages = readItems(body['input'], names);
  if (isRefusal(messages)) return messages;
  const toolChoice = readToolChoice(body['tool_choice'], names);
  if (toolChoice !== undefined && isRefusal(toolChoice)) return toolChoice;
  if (request.meters.length > 0) return refuseHosted(body['tool_choice']);
  const reasoning = isJsonObject(body['reasoning']) ? body['reasoning'] : {};
  const text = isJsonObject(body['text']) ? body['text'] : {};
  const summary = reasoning['summary'] ?? reasoning['generate_summary'];
  const effort = reasoning['effort'];
  return {
    stream: request.stream,
    leftOut: leftOutOf(body, request),
    messages: [...instructionsOf(body), ...messages],
    tools: names.tools,
    toolChoice: names.tools.length === 0 ? undefined : toolChoice,
    parallelToolCalls: booleanOf(body['parallel_tool_calls']),
    maxOutputTokens: request.maxOutputTokens ?? undefined,
    choices: 1,
    temperature: numberOf(body['temperature']),
    topP: numberOf(body['top_p']),
    logprobs: numberOf(body['top_logprobs']),
    effort: EFFORTS.has(effort) ? (effort as Effort) : undefined,
    reasoningText: typeof summary === 'string' ? true : undefined,
    format: readFormat(text['format']),
    verbosity: stringOf(text['verbosity']) || undefined,
    userId: stringOf(body['safety_identifier']) || stringOf(body['user']) || undefined,
    cacheKey: request.cacheKey || undefined,
  };
}

/**
 * The fields that `readRequest` reads or the reply repeats. All others are named as left out.
 */
const CARRIED_FIELDS = shapes(
  `model stream instructions input tools tool_choice parallel_tool_calls max_output_tokens
   temperature top_p top_logprobs safety_identifier user prompt_cache_key previous_response_id
   conversation background prompt include metadata`,
  [
    ['reasoning', shapes('effort summary generate_summary')],
    ['text', shapes('verbosity', [['format', shapes('type name schema strict')]])],
  ],
);

/** Nothing is stored here: only who wants it stored has to know. */
function leftOutOf(body: JsonObject, { withheldFields }: ResponsesRequest): readonly string[] {
  const done = body['store'] === true ? withheldFields : [...withheldFields, 'store'];
  return [...uncarriedFields(body, CARRIED_FIELDS, done), ...unreadTools(body)];
}

function instructionsOf({ instructions }: JsonObject): NeutralMessage[] {
  const text = stringOf(instructions);
  return text === '' ? [] : [{ role: 'system', parts: [{ type: 'text', text }] }];
}

function readToolChoice(choice: unknown, names: ToolNames): ToolChoice | Refusal | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { mode: choice };
  if (!isJsonObject(choice)) return undefined;
  switch (choice['type']) {
    case 'function':
    case 'custom':
    case 'tool_search':
    case 'local_shell':
    case 'shell':
    case 'apply_patch':
      return { mode: 'tool', name: flatNameIn(choice, names) };
    case 'allowed_tools': {
      const mode = choice['mode'] === 'required' ? 'required' : 'auto';
      const offered = new Set(names.tools.map(({ name }) => name));
      const among = objectsOf(choice['tools'])
        .map((tool) => flatNameIn(tool, names))
        .filter((name) => offered.has(name));
      return { mode, among };
    }
    default:
      return refuseHosted(choice);
  }
}

function flatNameIn(tool: JsonObject, names: ToolNames): string {
  return names.flatName(clientToolOf(tool));
}

function refuseHosted(choice: unknown): Refusal {
  const type = isJsonObject(choice) ? stringOf(choice['type']) : String(choice);
  return invalidValue(
    'tool_choice',
    `"tool_choice" asks for "${redactSecrets(type).slice(0, 64)}", which the upstreams of this model do not have. Leave it out, or use a tool of your own.`,
  );
}

function readFormat(format: unknown): ReplyFormat | undefined {
  if (!isJsonObject(format)) return undefined;
  const { type, schema, name, strict } = format;
  if (type === 'json_object') return { type: 'json' };
  if (type !== 'json_schema' || !isJsonObject(schema)) return undefined;
  return {
    type: 'json_schema',
    schema,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
