/** The members of a request to Converse, from the types of @aws-sdk/client-bedrock-runtime. */
import { isObject, type Fault, type Json, type Path } from '../rule.ts';

/** A structure with its members, a union of exactly one, a list, a value of one of some, or any. */
type Shape =
  | { readonly members: Readonly<Record<string, Shape>>; readonly required?: readonly string[] }
  | { readonly union: Readonly<Record<string, Shape>> }
  | { readonly list: Shape }
  | { readonly oneOf: readonly string[] }
  | 'any'
  | 'text'
  | 'number';

const EMPTY: Shape = { members: {} };
const CACHE_POINT: Shape = {
  members: { type: { oneOf: ['default'] }, ttl: { oneOf: ['5m', '1h'] } },
  required: ['type'],
};
const IMAGE: Shape = {
  members: {
    format: { oneOf: ['png', 'jpeg', 'gif', 'webp'] },
    source: { union: { bytes: 'text' } },
  },
  required: ['format', 'source'],
};
const DOCUMENT: Shape = {
  members: {
    format: { oneOf: 'pdf csv doc docx xls xlsx html txt md'.split(' ') },
    name: 'text',
    source: { union: { bytes: 'text', text: 'text' } },
  },
  required: ['name', 'source'],
};
const RESULT: Shape = {
  members: {
    toolUseId: 'text',
    content: { list: { union: { text: 'text', json: 'any', image: IMAGE, document: DOCUMENT } } },
    status: { oneOf: ['success', 'error'] },
  },
  required: ['toolUseId', 'content'],
};
const REASONING: Shape = {
  union: {
    reasoningText: { members: { text: 'text', signature: 'text' }, required: ['text'] },
    redactedContent: 'text',
  },
};
const BLOCK: Shape = {
  union: {
    text: 'text',
    image: IMAGE,
    document: DOCUMENT,
    toolUse: {
      members: { toolUseId: 'text', name: 'text', input: 'any' },
      required: ['toolUseId', 'name', 'input'],
    },
    toolResult: RESULT,
    reasoningContent: REASONING,
    cachePoint: CACHE_POINT,
  },
};
const TOOL: Shape = {
  union: {
    toolSpec: {
      members: {
        name: 'text',
        description: 'text',
        inputSchema: { union: { json: 'any' } },
        strict: 'any',
      },
      required: ['name', 'inputSchema'],
    },
    cachePoint: CACHE_POINT,
  },
};
const JSON_SCHEMA: Shape = { members: { schema: 'text', name: 'text' }, required: ['schema'] };
const CHOICE: Shape = {
  union: { auto: EMPTY, any: EMPTY, tool: { members: { name: 'text' }, required: ['name'] } },
};

const REQUEST: Shape = {
  members: {
    system: { list: { union: { text: 'text', cachePoint: CACHE_POINT } } },
    messages: {
      list: {
        members: { role: { oneOf: ['user', 'assistant'] }, content: { list: BLOCK } },
        required: ['role', 'content'],
      },
    },
    inferenceConfig: {
      members: {
        maxTokens: 'number',
        temperature: 'number',
        topP: 'number',
        stopSequences: { list: 'text' },
      },
    },
    toolConfig: {
      members: { tools: { list: TOOL }, toolChoice: CHOICE },
      required: ['tools'],
    },
    outputConfig: {
      members: {
        effort: { oneOf: ['low', 'medium', 'high', 'xhigh', 'max'] },
        textFormat: {
          members: {
            type: { oneOf: ['json_schema'] },
            structure: { union: { jsonSchema: JSON_SCHEMA } },
          },
          required: ['type', 'structure'],
        },
      },
    },
    additionalModelRequestFields: 'any',
    additionalModelResponseFieldPaths: { list: 'text' },
    serviceTier: { members: { type: { oneOf: ['flex', 'priority', 'reserved'] } } },
  },
  required: ['messages'],
};

function wrong(path: Path, what: string): Fault {
  return {
    kind: 'sentence',
    path,
    message: `Malformed input request: #/${path.join('/')}: ${what}, please reformat your input and try again.`,
  };
}

function checkMembers(
  value: Json,
  members: Readonly<Record<string, Shape>>,
  path: Path,
): Fault | undefined {
  for (const [name, member] of Object.entries(value)) {
    const shape = members[name];
    if (shape === undefined) return wrong(path, `extraneous key [${name}] is not permitted`);
    const fault = checkValue(member, shape, [...path, name]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function checkValue(value: unknown, shape: Shape, path: Path): Fault | undefined {
  if (shape === 'any') return undefined;
  if (shape === 'text') {
    return typeof value === 'string' ? undefined : wrong(path, 'expected type: String');
  }
  if (shape === 'number') {
    return typeof value === 'number' ? undefined : wrong(path, 'expected type: Number');
  }
  if ('oneOf' in shape) {
    return shape.oneOf.includes(String(value))
      ? undefined
      : wrong(path, `${String(value)} is not a valid enum value`);
  }
  if ('list' in shape) {
    if (!Array.isArray(value)) return wrong(path, 'expected type: JSONArray');
    for (const [at, item] of (value as unknown[]).entries()) {
      const fault = checkValue(item, shape.list, [...path, at]);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  if (!isObject(value)) return wrong(path, 'expected type: JSONObject');
  if ('union' in shape && Object.keys(value).length !== 1) {
    return wrong(path, 'exactly one member must be set');
  }
  const missing = 'members' in shape ? shape.required?.find((name) => !(name in value)) : undefined;
  if (missing !== undefined) return wrong(path, `required key [${missing}] not found`);
  return checkMembers(value, 'union' in shape ? shape.union : shape.members, path);
}

/** Returns the fault in the form of a request; undefined when there is none. */
export function shapeFault(body: Json): Fault | undefined {
  return checkValue(body, REQUEST, []);
}
