import {
  geminiEvent,
  startFakeGemini,
  type GeminiCall,
  type GeminiReply,
} from '../../support/upstreams/fake-gemini.ts';
import {
  CONTEXT_TOKENS_MAX,
  TOO_MANY_TOKENS,
  TURN_USAGE,
  type Failure,
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
  readonly thoughtSignature?: string;
  readonly functionResponse?: {
    readonly id?: string;
    readonly response?: { readonly output?: string; readonly error?: string };
  };
  readonly inlineData?: object;
}

/** A model behind Gemini's API. */
export async function startGeminiModel(): Promise<ModelUpstream> {
  const upstream = await startFakeGemini();
  const requests: ModelRequest[] = [];
  return {
    url: upstream.url,
    usage: GEMINI_USAGE,
    keepsProofs: true,
    requests,
    play: (script) => {
      requests.length = 0;
      upstream.reply = (call) => {
        if (call.path.includes(':countTokens')) return { json: { totalTokens: PROMPT_TOKENS } };
        const request = readRequest(call);
        requests.push(request);
        const turn = script(request);
        if (turn.failure !== undefined) return failureOf(turn.failure, turn);
        const reply = replyOf(turn);
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
  const parts = contents.flatMap((content) => content.parts ?? []);
  return {
    model: /models\/([^:]+)/.exec(path)?.[1] ?? '',
    toolNames: tools.flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name }) => name),
    ),
    outputs: contents.flatMap((content) => readOutputs(content.parts ?? [])),
    proofs: parts.flatMap(({ thoughtSignature }) => thoughtSignature ?? []),
    body,
  };
}

/** Pictures of results are behind them: responses of older models have no parts of their own. */
function readOutputs(parts: readonly Part[]): ToolOutput[] {
  const pictures = parts.filter(({ inlineData }) => inlineData !== undefined).length;
  return parts.flatMap(({ functionResponse }) => {
    if (functionResponse === undefined) return [];
    const { id = '', response = {} } = functionResponse;
    return [
      { callId: id, text: response.output ?? response.error ?? JSON.stringify(response), pictures },
    ];
  });
}

function failureOf(failure: Failure, { text = '' }: Turn): GeminiReply {
  const error = (
    code: number,
    status: string,
    message: string,
    details: object[] = [],
  ): GeminiReply => ({ status: code, json: { error: { code, message, status, details } } });
  switch (failure) {
    case 'overloaded':
      return error(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.');
    case 'rate limited': {
      const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' };
      return error(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [retry]);
    }
    case 'overflow': {
      const message =
        `The input token count (${TOO_MANY_TOKENS}) exceeds the maximum number of tokens allowed ` +
        `(${CONTEXT_TOKENS_MAX}).`;
      return error(400, 'INVALID_ARGUMENT', message);
    }
    case 'cut at once':
      return { events: [], cut: true };
    case 'cut midway':
      return { events: [begunEvent(text)], cut: true };
    case 'error midway': {
      const unavailable = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' };
      return { events: [begunEvent(text), geminiEvent({ error: unavailable })] };
    }
  }
}

function begunEvent(text: string): string {
  const candidate = { content: { role: 'model', parts: [{ text }] }, index: 0 };
  return geminiEvent({ candidates: [candidate] });
}

/** The proof of a thought is on the first call that it led to. */
function replyOf({ thought, text, calls = [] }: Turn): object {
  const parts = [
    ...(thought === undefined ? [] : [{ text: thought.text, thought: true }]),
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ id, name, input }, at) => ({
      functionCall: { id, name, args: input },
      ...(at === 0 && thought !== undefined ? { thoughtSignature: thought.proof } : {}),
    })),
  ];
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: USAGE,
    modelVersion: 'gemini-upstream',
    responseId: 'r1',
  };
}
