import { CHAT_HEAD } from '../../test/support/clients/chat-head.ts';
import { isRefusal } from '../../gateway/platform/errors/refusal.ts';
import { encodeRequest } from '../../gateway/protocols/openai-chat/to-upstream/encode-request.ts';
import { parseRequest } from '../../gateway/protocols/openai-chat/from-client/parse-request.ts';
import { REQUEST_LIMITS } from '../../gateway/protocols/protocol.ts';
import { PROTOCOL_DEFAULTS } from '../../gateway/providers/profiles/protocol-defaults.ts';
import { measure } from './measure.ts';

const CODE =
  'function pour(water) {\n  return "level: " + water;\n}\n// The weir is low in summer.\n';

const SMALL = {
  model: 'gpt-4o-mini',
  messages: [
    { role: 'system', content: 'You are a helpful assistant.' },
    { role: 'user', content: 'Write a haiku about rivers and weirs.' },
  ],
  stream: true,
  temperature: 0.7,
};

/** An agent's request: long turns of code, tools, about 200 kB. */
function agentBody(text: string): object {
  return {
    model: 'gpt-4o-mini',
    messages: Array.from({ length: 60 }, (_, turn) => ({
      role: turn % 2 === 0 ? 'user' : 'assistant',
      content: text.repeat(30),
    })),
    tools: Array.from({ length: 20 }, (_, tool) => ({
      type: 'function',
      function: {
        name: `tool_${tool}`,
        description: 'Reads a file and answers with its lines.',
        parameters: { type: 'object', properties: { path: { type: 'string' } } },
      },
    })),
    stream: true,
  };
}

function run(name: string, value: object, calls: number): void {
  const bytes = Buffer.from(JSON.stringify(value));
  const label = `${name} (${bytes.length} bytes)`;
  const parse = (): ReturnType<typeof parseRequest> =>
    parseRequest(bytes, CHAT_HEAD, REQUEST_LIMITS);
  measure(`JSON.parse alone, ${label}`, calls, () => JSON.parse(bytes.toString('utf8')));
  measure(`parse and validate, ${label}`, calls, parse);
  const request = parse();
  if (isRefusal(request)) throw new Error(request.message);
  measure(`build, renamed and asking for usage, ${label}`, calls, () =>
    encodeRequest(request, {
      profile: PROTOCOL_DEFAULTS['openai-chat'],
      upstreamModel: 'upstream-model',
      outputLimitField: null,
      omittedFields: [],
      outputTokensMax: 4_096,
      outputTokensCap: null,
      allocate: (bytes) => Buffer.allocUnsafe(bytes),
    }),
  );
  measure(`JSON.stringify alone, ${label}`, calls, () => Buffer.from(JSON.stringify(value)));
}

run('small', SMALL, 50_000);
run('agent, ASCII', agentBody(CODE), 200);
run('agent, not ASCII', agentBody(`${CODE}// Das Wehr führt Wasser.\n`), 200);
