import { parseOwnObject, type JsonObject } from '../../../platform/json/json-value.ts';
import type { ResponsesRequest } from '../from-client/parse-request.ts';
import { ToolNames } from './tool-names.ts';

/** The parts of a request that its reply repeats if the upstream speaks another protocol. */
export interface ClientContext {
  readonly names: ToolNames;
  /** The client wants encrypted reasoning, and sends it back. */
  readonly wantsProof: boolean;
  /** Fields that a response repeats. */
  readonly echo: JsonObject;
}

const ECHOED_FIELDS = [
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'parallel_tool_calls',
  'prompt_cache_key',
  'reasoning',
  'safety_identifier',
  'store',
  'temperature',
  'text',
  'tool_choice',
  'top_p',
  'truncation',
  'user',
] as const;

/** Values of a response's members that the request does not set. */
const ECHO_DEFAULTS: JsonObject = {
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  reasoning: { effort: null, summary: null },
  store: false,
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  top_p: null,
  truncation: 'disabled',
};

/** As long as the request, which is parsed once for all that is written of it. */
const contexts = new WeakMap<ResponsesRequest, ClientContext>();

export function clientContext(request: ResponsesRequest, body?: JsonObject): ClientContext {
  let context = contexts.get(request);
  if (context === undefined) {
    context = makeContext(body ?? parseOwnObject(request.bytes) ?? {});
    contexts.set(request, context);
  }
  return context;
}

function makeContext(body: JsonObject): ClientContext {
  const { include } = body;
  const echo: Record<string, unknown> = { ...ECHO_DEFAULTS };
  for (const name of ECHOED_FIELDS) {
    if (body[name] !== undefined && body[name] !== null) echo[name] = body[name];
  }
  // Nothing is stored here, whatever was asked for.
  echo['store'] = false;
  const wantsProof = Array.isArray(include) && include.includes('reasoning.encrypted_content');
  return { names: new ToolNames(body), wantsProof, echo };
}
