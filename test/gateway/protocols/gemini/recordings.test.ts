import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { translate } from '../../../../gateway/protocols/neutral-form/translations/translate.ts';
import { neutralForm as chatNeutralForm } from '../../../../gateway/protocols/openai-chat/neutral-form.ts';
import { openaiChat } from '../../../../gateway/protocols/openai-chat/protocol.ts';
import { neutralForm } from '../../../../gateway/protocols/gemini/neutral-form.ts';
import type { GeminiRequest } from '../../../../gateway/protocols/gemini/from-client/parse-request.ts';
import { gemini } from '../../../../gateway/protocols/gemini/protocol.ts';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import { targetOf } from '../../../support/upstreams/target.ts';
import { parsed, TARGET } from './support/parsed.ts';

interface Recording {
  readonly request: {
    readonly path: string;
    readonly query: Readonly<Record<string, string>>;
    readonly body: object;
  };
  readonly response: { readonly sse?: readonly string[]; readonly body?: object };
}

const ROOT = new URL('../../../recordings/', import.meta.url);
const CLIENTS = [
  'gemini-cli',
  'gemini-cli-auto',
  'opencode-gemini',
  'pi-gemini',
  'qwen-code-gemini',
  'sdk-aisdk',
  'sdk-genai',
  'sdk-langchain',
];

function recordingsOf(client: string): [string, Recording][] {
  const folder = new URL(`${client}/`, ROOT);
  return readdirSync(folder)
    .filter((name) => /generateContent|streamGenerateContent/.test(name))
    .map((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8');
      return [`${client}/${name}`, JSON.parse(text) as Recording];
    });
}

function parse({ request }: Recording): GeminiRequest {
  const query = new URLSearchParams(request.query).toString();
  return parsed(request.body, { path: request.path, query });
}

const findFailure = (): undefined => undefined;

describe.each(CLIENTS.flatMap(recordingsOf))('%s', (_name, recording) => {
  it('is parsed and leaves byte for byte', () => {
    const request = parse(recording);
    expect(request.stream).toBe(recording.request.path.includes(':stream'));
    expect(request.serverSentEvents).toBe(request.stream);
    expect(gemini.passThrough.encode(request, TARGET)).toMatchObject({ body: request.bytes });
  });

  it('reaches a chat upstream with every text, tool, call and result', () => {
    const request = parse(recording);
    const encoded = translate(
      { ...gemini, neutralForm },
      { ...openaiChat, neutralForm: chatNeutralForm },
    ).encode(request, targetOf());
    if (isRefusal(encoded)) throw new Error(encoded.message);
    const chat = JSON.parse(encoded.body.toString()) as {
      messages: { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[];
      tools?: { function: { name: string } }[];
    };
    const sent = JSON.stringify(recording.request.body);
    const count = (pattern: RegExp): number => sent.match(pattern)?.length ?? 0;
    const calls = chat.messages.flatMap((message) => message.tool_calls ?? []);
    const results = chat.messages.filter(({ role }) => role === 'tool');
    expect(calls).toHaveLength(count(/"functionCall":/g));
    expect(results.map((result) => result.tool_call_id)).toEqual(calls.map(({ id }) => id));
    expect(chat.tools?.length ?? 0).toBe(count(/"parameters(?:JsonSchema)?":\{/g));
    expect(encoded.body.toString()).not.toContain('dGhvdWdodC1zaWduYXR1cmU');
    if (sent.includes('responseJsonSchema'))
      expect(encoded.body.toString()).toContain('json_schema');
    expect(encoded.body.toString()).not.toMatch(/"type":"(?:OBJECT|STRING|INTEGER)"/);
  });

  it('has a reply that passes byte for byte, and is billed by its usage', () => {
    const { response } = recording;
    const request = parse(recording);
    const usage = { input: 1270, cachedInput: 200, cacheWrite: 0, output: 50, reasoning: 20 };
    if (response.sse === undefined) {
      const bytes = Buffer.from(JSON.stringify(response.body));
      const reply = gemini.passThrough.decode(bytes, request, findFailure);
      expect(reply?.bytes).toBe(bytes);
      expect(reply?.usage).toEqual(usage);
      return;
    }
    const stream = gemini.passThrough.openStream(request, findFailure);
    const sent = response.sse.map((event) => Buffer.from(stream.push(Buffer.from(event))));
    sent.push(Buffer.from(stream.flush()));
    expect(stream).toMatchObject({ finished: true, whole: true, failure: null, usage });
    const whole = Buffer.concat(sent).toString() + stream.endMarker(null);
    expect(whole).toBe(response.sse.join(''));
  });
});
