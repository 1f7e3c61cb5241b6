import fc from 'fast-check';
import type {
  AssistantPart,
  NeutralMessage,
  NeutralRequest,
  ToolResultPart,
  UserPart,
} from '../../../../../../gateway/protocols/neutral-form/request.ts';

const NAMES = [
  'Bash',
  'a_b',
  'a.b',
  'a/b',
  '1mcp_search',
  'ns.tool',
  'read a file',
  '搜索',
  'x'.repeat(82),
  `${'x'.repeat(82)}y`,
];
const IDS = ['call_0', 'call_1', 'list_dir:0', 'y'.repeat(86), 'é', '', 'abc123XYZ', 'a b'];

const name = fc.constantFrom(...NAMES);
const id = fc.constantFrom(...IDS);
const said = fc.constantFrom('go', 'a\n', ' ', '', 'as json', 'Once ');
const textPart = said.map((text) => ({ type: 'text', text }) as const);

const bytes = fc.constantFrom('AAAA', '/9j/4AAQ', 'iVBORw0KGgoAAAA');
const mediaType = fc.constantFrom('image/jpg', 'IMAGE/PNG', 'image/webp', 'image/heic', 'text/csv');
const image = fc.oneof(
  { weight: 4, arbitrary: fc.record({ base64: bytes, mediaType }) },
  { weight: 1, arbitrary: fc.constant({ url: 'https://example.com/a.png' }) },
);
const imagePart = image.map((source) => ({ type: 'image', source }) as const);
const filePart = fc
  .oneof(
    image,
    fc.constant({ text: 'a,b' }),
    fc.constant({ base64: 'JVBERi0x', mediaType: 'application/pdf' }),
  )
  .map((source) => ({ type: 'file', source }) as const);
const audioPart = fc.constant({ type: 'audio', base64: 'AAAA', format: 'wav' } as const);

const userPart: fc.Arbitrary<UserPart> = fc.oneof(
  { weight: 20, arbitrary: textPart },
  { weight: 1, arbitrary: imagePart },
  { weight: 1, arbitrary: filePart },
  { weight: 1, arbitrary: audioPart },
);

const callPart = fc
  .record({ id, name, input: fc.constantFrom('{}', '{"a":1}', '') })
  .map((call) => ({ type: 'tool_call', freeForm: false, ...call }) as const);
const reasoningPart = fc
  .constantFrom('hm', '')
  .map((text) => ({ type: 'reasoning', text }) as const);

const assistantPart: fc.Arbitrary<AssistantPart> = fc.oneof(
  { weight: 3, arbitrary: textPart },
  { weight: 3, arbitrary: callPart },
  { weight: 1, arbitrary: reasoningPart },
);

const resultPart: fc.Arbitrary<ToolResultPart> = fc
  .record(
    {
      callId: id,
      name,
      content: fc.array(fc.oneof({ weight: 5, arbitrary: textPart }, imagePart, filePart), {
        maxLength: 2,
      }),
      isError: fc.boolean(),
    },
    { requiredKeys: ['callId', 'content', 'isError'] },
  )
  .map((result) => ({ type: 'tool_result', ...result }) as const);

const parts = { minLength: 0, maxLength: 3 };
const message: fc.Arbitrary<NeutralMessage> = fc.oneof(
  fc.array(textPart, parts).map((all) => ({ role: 'system', parts: all }) as const),
  fc.array(userPart, parts).map((all) => ({ role: 'user', parts: all }) as const),
  fc.array(assistantPart, parts).map((all) => ({ role: 'assistant', parts: all }) as const),
  fc
    .array(resultPart, { minLength: 1, maxLength: 3 })
    .map((all) => ({ role: 'tool', parts: all }) as const),
);

const schema = fc.constantFrom(
  { type: 'object', properties: { a: { type: 'string' } } },
  { type: 'array', items: { type: 'string' } },
);

/** Any conversation, in whatever order its messages are, with tools, a choice and a format. */
export const anyRequest: fc.Arbitrary<NeutralRequest> = fc
  .record({
    messages: fc.array(message, { maxLength: 8 }),
    names: fc.uniqueArray(name, { maxLength: 5 }),
    mode: fc.constantFrom(undefined, 'auto', 'none', 'required', 'tool', 'among'),
    format: fc.option(
      fc.oneof(
        fc.constant({ type: 'json' } as const),
        schema.map((one) => ({ type: 'json_schema', schema: one }) as const),
      ),
      { nil: undefined, freq: 2 },
    ),
    effort: fc.constantFrom(undefined, 'none', 'high'),
    temperature: fc.constantFrom(undefined, 0.5),
  })
  .map(({ names, mode, ...request }) => {
    const [first] = names;
    const choice =
      first === undefined || mode === undefined
        ? undefined
        : mode === 'tool'
          ? ({ mode, name: first } as const)
          : mode === 'among'
            ? ({ mode: 'auto', among: [first] } as const)
            : ({ mode } as const);
    const tools = names.map((one) => ({ name: one, schema: { type: 'object', properties: {} } }));
    return { ...request, stream: false, choices: 1, tools, toolChoice: choice };
  });
