import { geminiEvent, startFakeGemini, type GeminiCall } from '../../support/fake-gemini.ts';
import {
  TURN_USAGE,
  type ModelRequest,
  type ModelUpstream,
  type ToolOutput,
  type Turn,
} from './model-upstream.ts';

/** Gemini's caches are no part of a turn. */
const GEMINI_USAGE = { ...TURN_USAGE, written: 0 };

const PROMPT_TOKENS = GEMINI_USAGE.plain + GEMINI_USAGE.cached;

const USAGE = {
  promptTokenCount: PROMPT_TOKENS,
  cachedContentTokenCount: GEMINI_USAGE.cached,
  candidatesTokenCount: GEMINI_USAGE.output,
  totalTokenCount: PROMPT_TOKENS + GEMINI_USAGE.output,
};

interface Part {
  readonly functionResponse?: {
    readonly id?: string;
    readonly response?: { readonly output?: string };
    readonly parts?: readonly object[];
  };
}

/** A model behind Gemini's API. */
export async function startGeminiModel(): Promise<ModelUpstream> {
  const upstream = await startFakeGemini();
  const requests: ModelRequest[] = [];
  return {
    url: upstream.url,
    usage: GEMINI_USAGE,
    requests,
    play: (script) => {
      requests.length = 0;
      upstream.reply = (call) => {
        if (call.path.includes(':countTokens')) return { json: { totalTokens: PROMPT_TOKENS } };
        const request = readRequest(call);
        requests.push(request);
        const reply = replyOf(script(request));
        if (call.path.includes(':stream')) return { events: [geminiEvent(reply)] };
        return { json: reply };
      };
    },
    close: () => upstream.close(),
  };
}

function readRequest({ path, body }: GeminiCall): ModelRequest {
  const { tools = [], contents = [] } = body as {
    tools?: readonly { functionDeclarations?: readonly { name: string }[] }[];
    contents?: readonly { parts?: readonly Part[] }[];
  };
  return {
    model: /models\/([^:]+)/.exec(path)?.[1] ?? '',
    toolNames: tools.flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name }) => name),
    ),
    outputs: contents.flatMap(({ parts = [] }) => parts).flatMap(readOutput),
    body,
  };
}

function readOutput({ functionResponse }: Part): ToolOutput[] {
  if (functionResponse === undefined) return [];
  const { id = '', response, parts = [] } = functionResponse;
  return [{ callId: id, text: response?.output ?? '', pictures: parts.length }];
}

function replyOf({ text, calls = [] }: Turn): object {
  const parts = [
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
  ];
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: USAGE,
    modelVersion: 'gemini-upstream',
    responseId: 'r1',
  };
}
