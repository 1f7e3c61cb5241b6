import { says } from '../checks.ts';
import {
  isObject,
  items,
  rule,
  text,
  valueAt,
  type Json,
  type Rule,
  type Vendor,
} from '../rule.ts';
import { viewOf, type View } from '../view.ts';
import { UNPROVEN, refusing } from '../words.ts';
import { ANTHROPIC } from './anthropic.ts';
import { asMessages } from './bedrock-messages.ts';
import { shapeFault } from './bedrock-shape.ts';

const TYPES = '@aws-sdk/client-bedrock-runtime 3.1163.0 models_0.d.ts';

type Place = readonly [path: string, block: Json];

/** The blocks of all messages with their places. */
function blocksOf(body: Json): Place[] {
  return items(body['messages']).flatMap(([at, { content }]) =>
    items(content).map(([index, block]): Place => [`messages.${at}.content.${index}`, block]),
  );
}

function unsupported(field: string): string {
  return `This model doesn't support the ${field} field. Remove ${field} and try again.`;
}

const order = says('messages', 'NousResearch/hermes-agent#63983; AWS, ContentBlock', (body) => {
  let last = '';
  for (const [at, { role, content }] of items(body['messages'])) {
    if (items(content).length === 0) {
      return `The content field in the Message object at messages.${at} is empty. Add a ContentBlock object to the content field and try again.`;
    }
    if (at === 0 && role !== 'user') {
      return 'A conversation must start with a user message. Try again with a conversation that starts with a user message.';
    }
    if (role === last) {
      return 'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.';
    }
    last = text(role);
  }
  return items(body['messages']).length === 0 ? 'The messages field is empty.' : undefined;
});

const blanks = says('text', 'continuedev/continue#9767; earendil-works/pi#3443', (body) => {
  const blank = (place: string): string =>
    `The text field in the ContentBlock object at ${place} is blank. Add text to the text field, and try again.`;
  for (const [place, block] of blocksOf(body)) {
    if (block['text'] !== undefined && text(block['text']).trim() === '') return blank(place);
    const { toolResult } = block;
    if (!isObject(toolResult)) continue;
    const content = items(toolResult['content']);
    if (content.length === 0) return `The content field of the toolResult at ${place} is empty.`;
    if (content.some(([, one]) => one['text'] !== undefined && text(one['text']).trim() === '')) {
      return blank(`${place}.toolResult`);
    }
  }
  return items(body['system']).some(([, one]) => one['text'] === '') ? blank('system') : undefined;
});

const pairs = says('toolResult', 'langgenius/dify#17545; NousResearch/hermes-agent', (body) => {
  let open: string[] = [];
  for (const [at, { content }] of items(body['messages'])) {
    const found = items(content).flatMap(([, { toolResult }]) =>
      isObject(toolResult) ? [text(toolResult['toolUseId'])] : [],
    );
    if (found.toSorted().join() !== open.toSorted().join()) {
      return `Expected toolResult blocks at messages.${at}.content for the following Ids: ${open.join()}, but found: ${found.join()}`;
    }
    open = items(content).flatMap(([, { toolUse }]) =>
      isObject(toolUse) ? [text(toolUse['toolUseId'])] : [],
    );
  }
  return open.length === 0 ? undefined : 'Expected toolResult blocks at the end.';
});

const toolConfig = says('toolConfig', 'vxcontrol/pentagi#196', (body) => {
  const uses = blocksOf(body).some(([, one]) => 'toolUse' in one || 'toolResult' in one);
  return uses && body['toolConfig'] === undefined
    ? 'The toolConfig field must be defined when using toolUse and toolResult content blocks.'
    : undefined;
});

function documentsIn(body: Json): Json[] {
  return blocksOf(body).flatMap(([, { document, toolResult }]) => {
    const inner = isObject(toolResult) ? items(toolResult['content']) : [];
    return [document, ...inner.map(([, one]) => one['document'])].filter(isObject);
  });
}

const documents = says(
  'document',
  'vercel/ai#20365; maximhq/bifrost#7003; AWS, Message',
  (body) => {
    const names = documentsIn(body).map(({ name }) => text(name));
    const isLegal = (name: string): boolean =>
      /^[A-Za-z0-9 ()[\]-]{1,200}$/.test(name) && !/ {2}/.test(name);
    if (!names.every(isLegal)) {
      return "The document file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets. The name can't contain more than one consecutive whitespace character. Check that the file name conforms to these restrictions and retry your request.";
    }
    if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
      return "Messages can't contain duplicate document names. Rename the document and retry your request.";
    }
    const alone = items(body['messages']).some(([, { content }]) => {
      const blocks = items(content).map(([, block]) => block);
      return (
        blocks.some((block) => 'document' in block) && !blocks.some((block) => 'text' in block)
      );
    });
    return alone ? 'A message with a document must have a text, too.' : undefined;
  },
);

const names = says('name', `${TYPES}: ToolSpecification, ToolUseBlock`, (_body, view) => {
  const { tools, calls, results } = view;
  const checked = [
    ...tools.map(({ name }) => ['toolSpec.name', name, /^[a-zA-Z0-9_-]{1,64}$/] as const),
    ...calls.map(({ name }) => ['toolUse.name', name, /^[a-zA-Z0-9_-]{1,64}$/] as const),
    ...[...calls, ...results].map(({ id }) => ['toolUseId', id, /^[a-zA-Z0-9_-]{1,64}$/] as const),
  ];
  const found = checked.find(([, value, pattern]) => !pattern.test(value));
  if (found !== undefined) {
    return `1 validation error detected: Value '${found[1]}' at '${found[0]}' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`;
  }
  if (new Set(tools.map(({ name }) => name)).size < tools.length) {
    return 'The tool names in toolConfig must be unique.';
  }
  return new Set(calls.map(({ id }) => id)).size < calls.length
    ? 'The toolUseId of each toolUse must be unique.'
    : undefined;
});

const limits = says('limits', `${TYPES}: InferenceConfiguration; ${UNPROVEN}`, (body) => {
  const {
    maxTokens = 1,
    temperature = 0,
    topP = 0,
  } = (body['inferenceConfig'] ?? {}) as Readonly<Record<string, number>>;
  if (maxTokens < 1 || temperature > 1 || topP > 1) return 'inferenceConfig is out of range.';
  const points = JSON.stringify(body).split('"cachePoint":').length - 1;
  return points > 4
    ? `A maximum of 4 cachePoint blocks may be provided. Found ${points}.`
    : undefined;
});

const RULES: readonly Rule[] = [
  rule('shape', TYPES, shapeFault),
  order,
  blanks,
  pairs,
  toolConfig,
  documents,
  names,
  limits,
];

/** Requests as a Claude gets them: each is read by many rules. */
const handedOn = new WeakMap<Json, { readonly messages: Json; readonly view: View }>();

function handOn(body: Json, model: string) {
  const known = handedOn.get(body);
  if (known !== undefined) return known;
  const messages = asMessages(body, model);
  const made = { messages, view: viewOf('anthropic-messages', messages) };
  handedOn.set(body, made);
  return made;
}

/** Rules of a Claude: those that Anthropic has for it, of what Bedrock hands on. */
function claude(model: string): Rule[] {
  const own = [...ANTHROPIC.rules, ...(ANTHROPIC.families[model] ?? [])];
  const translated = own.map(({ name, source, check }) =>
    rule(name, source, (body) => {
      const { messages, view } = handOn(body, model);
      return check(messages, view);
    }),
  );
  return [
    ...translated,
    says('cachePoint', 'pizza-bot-app/pizza-bot#6', (body) => {
      const contents = items(body['messages']).map(([, { content }]) => items(content));
      const isBehind = contents.some((content) =>
        content.some(([at, { cachePoint }]) => {
          const before = content[at - 1]?.[1]['document'];
          return cachePoint !== undefined && isObject(before) && before['format'] !== 'pdf';
        }),
      );
      return isBehind ? 'messages.0.content.1.type: Field required' : undefined;
    }),
    says('document', 'pydantic/pydantic-ai#6081', (body) =>
      items(body['messages']).some(([, { content }]) => {
        const blocks = items(content).map(([, block]) => block);
        return (
          blocks.some((block) => 'document' in block) &&
          blocks.some((block) => 'toolResult' in block)
        );
      })
        ? 'A toolResult cannot be in the message of a document.'
        : undefined,
    ),
    says('toolChoice', 'pydantic-ai-slim 2.68.0 models/bedrock.py', (body) =>
      valueAt(body, 'toolConfig.toolChoice') !== undefined &&
      valueAt(body, 'additionalModelRequestFields.tool_choice') !== undefined
        ? 'toolChoice and tool_choice cannot both be set.'
        : undefined,
    ),
  ];
}

interface Columns {
  /** Names of the model's own fields. */
  readonly fields?: readonly string[];
  readonly forced?: boolean;
  readonly stops?: number;
  /** Places of cache points. */
  readonly cache?: 'prompt';
  readonly alone?: boolean;
  readonly images?: boolean;
  readonly ids?: RegExp;
}

/** Rules of the other makers' models. */
function others({ fields = [], forced, stops = 0, cache, alone, images, ids }: Columns): Rule[] {
  return [
    says('toolChoice', 'strands-agents/harness-sdk#1241; run-llama/llama_index#19886', (body) => {
      const choice = valueAt(body, 'toolConfig.toolChoice');
      const [kind = ''] = isObject(choice) ? Object.keys(choice) : [];
      return kind === '' || forced === true
        ? undefined
        : unsupported(`toolConfig.toolChoice.${kind}`);
    }),
    says(
      'stopSequences',
      'langgenius/dify-official-plugins#1767; crewAIInc/crewAI#3317',
      (body) => {
        const given = valueAt(body, 'inferenceConfig.stopSequences');
        if (!Array.isArray(given) || given.length <= stops) return undefined;
        return stops === 0
          ? unsupported('stopSequences')
          : `Malformed input request: #/inferenceConfig/stopSequences: expected maximum item count: ${stops}, found: ${given.length}`;
      },
    ),
    says('additionalModelRequestFields', 'pydantic-ai-slim 2.68.0 providers/bedrock.py', (body) => {
      const given = Object.keys(body['additionalModelRequestFields'] ?? {});
      const key = given.find((name) => !fields.includes(name));
      return key === undefined
        ? undefined
        : `Malformed input request: extraneous key [${key}] is not permitted`;
    }),
    says('cachePoint', 'LibreChat-AI/agents#253; NousResearch/hermes-agent#97281', (body) => {
      const places = [
        ...(cache === 'prompt'
          ? []
          : [body['system'], ...items(body['messages']).map(([, one]) => one['content'])]),
        valueAt(body, 'toolConfig.tools'),
      ];
      return places.some((list) => items(list).some(([, one]) => 'cachePoint' in one))
        ? 'Malformed input request: extraneous key [cachePoint] is not permitted, please reformat your input and try again.'
        : undefined;
    }),
    says('outputConfig', 'pydantic-ai-slim 2.68.0 providers/bedrock.py', ({ outputConfig }) =>
      outputConfig === undefined ? undefined : unsupported('outputConfig'),
    ),
    says('reasoningContent', 'pydantic-ai-slim 2.68.0 providers/bedrock.py', (body) =>
      blocksOf(body).some(([, one]) => 'reasoningContent' in one)
        ? unsupported('reasoningContent')
        : undefined,
    ),
    says('toolResult', 'pydantic/pydantic-ai#6081', (body) =>
      alone === true &&
      items(body['messages']).some(([, { content }]) => {
        const results = items(content).filter(([, one]) => 'toolResult' in one).length;
        return results > 0 && results < items(content).length;
      })
        ? 'A toolResult must be alone in its message.'
        : undefined,
    ),
    says('toolResult media', 'pydantic-ai-slim 2.68.0 providers/bedrock.py', (body) =>
      images === false &&
      blocksOf(body).some(
        ([, { toolResult }]) =>
          isObject(toolResult) && items(toolResult['content']).some(([, one]) => 'image' in one),
      )
        ? unsupported('toolResult.content.image')
        : undefined,
    ),
    says('toolUseId', 'anomalyco/opencode#48843', (_body, { calls }) => {
      const wrong = calls.find(({ id }) => ids !== undefined && !ids.test(id));
      return wrong && `Tool call id was ${wrong.id} but must be a-z, A-Z, 0-9, with a length of 9.`;
    }),
  ];
}

export const BEDROCK: Vendor = {
  id: 'bedrock',
  protocol: 'bedrock-converse',
  refuse: refusing({}, (message) => ({ status: 400, body: { message } })),
  rules: RULES,
  families: {
    'us.anthropic.claude-3-7-sonnet-20250219-v1:0': claude('claude-3-7-sonnet-20250219'),
    'us.anthropic.claude-sonnet-4-20250514-v1:0': claude('claude-sonnet-4-20250514'),
    'global.anthropic.claude-haiku-4-5-20251001-v1:0': claude('claude-haiku-4-5-20251001'),
    'global.anthropic.claude-opus-4-6-v1': claude('claude-opus-4-6'),
    'global.anthropic.claude-opus-5': claude('claude-opus-5'),
    'global.anthropic.claude-opus-5-5': claude('claude-opus-5-5'),
    'us.amazon.nova-pro-v1:0': others({ forced: true, stops: 4, cache: 'prompt' }),
    'global.amazon.nova-2-lite-v1:0': others({
      ...{ fields: ['reasoningConfig'], forced: true, stops: 4, cache: 'prompt' },
    }),
    'us.meta.llama4-maverick-17b-instruct-v1:0': others({ alone: true }),
    'us.mistral.pixtral-large-2502-v1:0': others({
      ...{ alone: true, images: false, ids: /^[A-Za-z0-9]{9}$/ },
    }),
    'qwen.qwen3-32b-v1:0': others({ fields: ['reasoning_config'], images: false }),
    'openai.gpt-oss-120b-1:0': others({ fields: ['reasoning_effort'] }),
    'us.deepseek.r1-v1:0': others({}),
    'cohere.command-r-plus-v1:0': others({}),
    'us.writer.palmyra-x5-v1:0': others({}),
  },
};
