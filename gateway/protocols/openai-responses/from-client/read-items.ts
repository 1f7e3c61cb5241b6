import { redactSecrets } from '@weir/shared/redact-secrets';
import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { objectsOf } from '../../../tokens/prompt-counter.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import { placedProof } from '../../neutral-form/proofs/proof-place.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';
import type {
  AssistantPart,
  NeutralMessage,
  ToolCallPart,
  ToolResultPart,
} from '../../neutral-form/request.ts';
import { builtInInput, builtInOf, builtInOutput } from '../wire/built-in-tools.ts';
import { readMadeImage } from '../wire/images.ts';
import { readOutput, readParts, textsOf } from './read-parts.ts';
import { clientToolOf, type ToolNames } from '../wire/tool-names.ts';

/** The result of a call that was interrupted: every protocol wants one for each. */
const INTERRUPTED = 'The call was interrupted and has no result.';

/**
 * Items of what the upstream did by itself. Other upstreams know nothing of it, and the text says
 * it.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'mcp_list_tools',
  'mcp_call',
  'mcp_approval_request',
  'mcp_approval_response',
  'additional_tools',
]);

/** Reads the items of a conversation into its messages, results right behind their calls. */
export function readItems(input: unknown, names: ToolNames): readonly NeutralMessage[] | Refusal {
  if (typeof input === 'string') {
    return [{ role: 'user', parts: [{ type: 'text', text: input }] }];
  }
  const items = withCallIds(objectsOf(input));
  const reader = new ItemReader(names, resultsOf(items, names));
  for (const [index, item] of items.entries()) {
    const fault = reader.read(item, `input[${index}]`);
    if (fault !== undefined) return fault;
  }
  return reader.finish();
}

/** Outputs of a local shell name their call by `id`: clients send either of the call's two ids. */
function withCallIds(items: readonly JsonObject[]): readonly JsonObject[] {
  const callIds = new Map(items.filter(isCall).map(({ id, call_id }) => [id, call_id]));
  return items.map((item) => {
    const { type, id, call_id: callId } = item;
    if (type !== 'local_shell_call_output' || typeof callId === 'string') return item;
    return { ...item, call_id: callIds.get(id) ?? id };
  });
}

type Result = ToolResultPart | Refusal;

/** The first result of each call, by its id. */
function resultsOf(items: readonly JsonObject[], names: ToolNames): Map<string, Result> {
  const called = new Set(items.filter(isCall).map((item) => stringOf(item['call_id'])));
  const results = new Map<string, Result>();
  for (const [index, item] of items.entries()) {
    const callId = stringOf(item['call_id']);
    if (!isOutput(item) || !called.has(callId) || results.has(callId)) continue;
    results.set(callId, readResult(item, `input[${index}]`, names));
  }
  return results;
}

function isCall({ type, call_id: id }: JsonObject): boolean {
  return typeof type === 'string' && type.endsWith('_call') && typeof id === 'string';
}

function isOutput({ type }: JsonObject): boolean {
  return typeof type === 'string' && type.endsWith('_output');
}

function readResult(item: JsonObject, param: string, names: ToolNames): Result {
  const callId = stringOf(item['call_id']);
  const base = { type: 'tool_result', callId, isError: false } as const;
  if (item['type'] === 'tool_search_output') {
    return { ...base, content: [{ type: 'text', text: foundTools(item, names) }] };
  }
  const text = builtInOutput(item);
  if (text !== undefined) {
    return { ...base, content: [{ type: 'text', text }], isError: item['status'] === 'failed' };
  }
  const content = readOutput(item['output'], `${param}.output`);
  return isRefusal(content) ? content : { ...base, content };
}

/**
 * Returns the tools that a search has found, by the names under which they are offered from here
 * on.
 */
function foundTools({ tools }: JsonObject, names: ToolNames): string {
  const found = objectsOf(tools).flatMap((tool) => {
    const inner = tool['type'] === 'namespace' ? objectsOf(tool['tools']) : [tool];
    const namespace = tool['type'] === 'namespace' ? stringOf(tool['name']) : '';
    return inner.map((one) => names.flatName({ ...clientToolOf(one), namespace }));
  });
  return found.length === 0 ? 'No tools found.' : `Tools loaded: ${found.join(', ')}`;
}

class ItemReader {
  readonly #names: ToolNames;
  readonly #results: Map<string, Result>;
  readonly #messages: NeutralMessage[] = [];
  /** The assistant's message that is being put together. */
  #assistant: AssistantPart[] = [];
  /** Results that have their place behind their calls. */
  readonly #placed = new Set<string>();
  /** The proof of the next text or call. */
  #proof: Proof | undefined;

  constructor(names: ToolNames, results: Map<string, Result>) {
    this.#names = names;
    this.#results = results;
  }

  read(item: JsonObject, param: string): Refusal | undefined {
    const type = stringOf(item['type']) || 'message';
    if (type === 'message') return this.#message(item, param);
    if (type === 'reasoning') {
      this.#reasoning(item);
      return undefined;
    }
    if (LEFT_OUT.has(type)) return undefined;
    if (type === 'image_generation_call') {
      for (const image of readMadeImage(item)) this.#add(image);
      return undefined;
    }
    if (isCall(item)) {
      this.#add(this.#call(item, type));
      return undefined;
    }
    if (isOutput(item)) return this.#output(item, param);
    return invalidValue(
      `${param}.type`,
      `The upstreams of this model take no items of the type "${redactSecrets(type).slice(0, 64)}". Send the conversation as messages, calls and their outputs.`,
    );
  }

  finish(): readonly NeutralMessage[] | Refusal {
    const fault = this.#closeAssistant();
    return fault ?? this.#messages;
  }

  #message(item: JsonObject, param: string): Refusal | undefined {
    const { role, content } = item;
    if (role === 'assistant') {
      for (const text of textsOf(content)) this.#add({ type: 'text', text });
      return undefined;
    }
    const fault = this.#closeAssistant();
    if (fault !== undefined) return fault;
    if (role === 'system' || role === 'developer') {
      const parts = textsOf(content).map((text) => ({ type: 'text', text }) as const);
      if (parts.length > 0) this.#messages.push({ role: 'system', parts });
      return undefined;
    }
    const parts = readParts(content, `${param}.content`);
    if (isRefusal(parts)) return parts;
    if (parts.length > 0) this.#messages.push({ role: 'user', parts });
    return undefined;
  }

  #reasoning(item: JsonObject): void {
    const text = [...textsOf(item['summary']), ...textsOf(item['content'])].join('\n\n');
    const placed = placedProof(stringOf(item['encrypted_content']));
    if (placed?.of === 'next') {
      this.#proof = placed.proof;
      return;
    }
    if (text === '' && placed === null) return;
    const part = { type: 'reasoning', text } as const;
    this.#assistant.push(placed === null ? part : { ...part, proof: placed.proof });
  }

  #call(item: JsonObject, type: string): ToolCallPart {
    const id = stringOf(item['call_id']);
    // `custom_tool_call` is the call of a `custom` tool.
    const called = clientToolOf({ ...item, type: type.replace(/(?:_tool)?_call$/, '') });
    const name = this.#names.flatName(called);
    const part = { type: 'tool_call', id, name, freeForm: false } as const;
    switch (type) {
      case 'function_call':
        return { ...part, input: stringOf(item['arguments']) || '{}' };
      case 'custom_tool_call':
        return { ...part, input: stringOf(item['input']), freeForm: true };
      case 'tool_search_call':
        return { ...part, input: JSON.stringify(item['arguments'] ?? {}) };
      default: {
        const kind = builtInOf(type);
        if (kind !== undefined) {
          return { ...part, input: JSON.stringify(builtInInput(kind, item)) };
        }
        const input = item['action'] ?? item['operation'] ?? {};
        return { ...part, name: type.slice(0, -'_call'.length), input: JSON.stringify(input) };
      }
    }
  }

  #add(part: AssistantPart): void {
    const proof = this.#proof;
    this.#proof = undefined;
    this.#assistant.push(proof === undefined ? part : { ...part, proof });
  }

  /** A result that has no call is sent as the user's text: no protocol takes it alone. */
  #output(item: JsonObject, param: string): Refusal | undefined {
    const fault = this.#closeAssistant();
    if (fault !== undefined) return fault;
    const callId = stringOf(item['call_id']);
    if (this.#results.has(callId)) return undefined;
    const result = readResult(item, param, this.#names);
    if (isRefusal(result)) return result;
    const said = { type: 'text', text: 'The result of a call that is no longer here:' } as const;
    this.#messages.push({ role: 'user', parts: [said, ...result.content] });
    return undefined;
  }

  #closeAssistant(): Refusal | undefined {
    const parts = this.#assistant;
    if (parts.length === 0) return undefined;
    this.#assistant = [];
    this.#messages.push({ role: 'assistant', parts });
    const calls = parts.filter((part) => part.type === 'tool_call');
    if (calls.length === 0) return undefined;
    const results: ToolResultPart[] = [];
    for (const { id, name } of calls) {
      const found = this.#placed.has(id) ? undefined : this.#results.get(id);
      if (found !== undefined && isRefusal(found)) return found;
      this.#placed.add(id);
      results.push({ ...(found ?? interrupted(id)), name });
    }
    this.#messages.push({ role: 'tool', parts: results });
    return undefined;
  }
}

function interrupted(callId: string): ToolResultPart {
  const content = [{ type: 'text', text: INTERRUPTED } as const];
  return { type: 'tool_result', callId, content, isError: true };
}
