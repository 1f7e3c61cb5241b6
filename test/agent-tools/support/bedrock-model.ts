import { AWS_ERRORS, type AwsError } from '../../support/upstreams/fake-aws/aws-error.ts';
import { startFakeAws, type AwsReply } from '../../support/upstreams/fake-aws/fake-aws.ts';
import { eventFrame } from '../../support/upstreams/fake-aws/frames.ts';
import type { Message } from '../../support/upstreams/fake-aws/message-events.ts';
import { ACCESS_KEY } from '../../support/upstreams/fake-aws/verify-request.ts';
import { begunEvents, messagesEvents, readMessagesRequest, wholeMessage } from './messages-turn.ts';
import {
  TURN_USAGE,
  type Failure,
  type ModelRequest,
  type ModelUpstream,
  type ToolOutput,
  type Turn,
} from './model-upstream.ts';

type Body = ModelRequest['body'];

/** One of the interfaces of Bedrock's runtime. */
interface RuntimeForm {
  read(body: Body): ModelRequest;
  reply(turn: Turn): AwsReply;
  /** The frames of a stream that says a text and does not end. */
  begun(text: string): AwsReply;
}

/** A Claude at Bedrock, over InvokeModel. */
export function startInvokeModel(): Promise<ModelUpstream> {
  return startBedrockModel(INVOKE_MODEL);
}

/** The same over Converse. */
export function startConverseModel(): Promise<ModelUpstream> {
  return startBedrockModel(CONVERSE);
}

async function startBedrockModel(form: RuntimeForm): Promise<ModelUpstream> {
  const aws = await startFakeAws();
  const requests: ModelRequest[] = [];
  return {
    url: aws.url,
    credential: ACCESS_KEY,
    usage: TURN_USAGE,
    keepsProofs: true,
    requests,
    play: (script) => {
      requests.length = 0;
      aws.reply = ({ model, body }) => {
        const request = { ...form.read(body), model };
        requests.push(request);
        const turn = script(request);
        if (turn.failure !== undefined) return failureOf(form, turn.failure, turn.text ?? '');
        return form.reply(turn);
      };
    },
    close: () => aws.close(),
  };
}

function failureOf(form: RuntimeForm, failure: Failure, text: string): AwsReply {
  const begun = form.begun(text);
  switch (failure) {
    case 'overloaded':
      return { error: AWS_ERRORS.unavailable };
    case 'rate limited':
      return { error: AWS_ERRORS.throttled };
    case 'overflow':
      return { error: AWS_ERRORS.tooLong };
    case 'cut at once':
      return { ...begun, cutAt: 0 };
    case 'cut midway':
      return { ...begun, isCut: true };
    case 'error midway':
      return { ...begun, error: STREAM_ERROR, exceptionAfter: Infinity };
  }
}

const STREAM_ERROR: AwsError = {
  ...AWS_ERRORS.modelError,
  type: 'ModelStreamErrorException',
};

const INVOKE_MODEL: RuntimeForm = {
  read: readMessagesRequest,
  reply: (turn) => ({
    message: wholeMessage(turn) as Message,
    events: messagesEvents(turn).flatMap(dataOf),
  }),
  begun: (text) => ({ events: begunEvents(text).flatMap(dataOf) }),
};

/** Events of Messages without their form as server-sent events. */
function dataOf(events: string): object[] {
  return [...events.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as object);
}

const CONVERSE: RuntimeForm = {
  read: readConverse,
  reply: (turn) => ({ conversed: { json: wholeConverse(turn), frames: converseFrames(turn) } }),
  begun: (text) => ({
    conversed: { json: {}, frames: converseFrames({ text }).slice(0, FRAMES_BEFORE_END) },
  }),
};
/** The start of the message, and the first delta of its text. */
const FRAMES_BEFORE_END = 2;

interface Block {
  readonly text?: string;
  readonly toolResult?: { readonly toolUseId: string; readonly content: readonly Block[] };
  readonly reasoningContent?: { readonly reasoningText?: { readonly signature?: string } };
  readonly image?: object;
}

function readConverse(body: Body): ModelRequest {
  const { messages = [], toolConfig: { tools = [] } = {} } = body as {
    messages?: readonly { content: readonly Block[] }[];
    toolConfig?: { tools?: readonly { toolSpec?: { name: string } }[] };
  };
  const blocks = messages.flatMap(({ content }) => content);
  return {
    model: '',
    toolNames: tools.flatMap(({ toolSpec }) => toolSpec?.name ?? []),
    outputs: blocks.flatMap(readOutput),
    proofs: blocks.flatMap(
      ({ reasoningContent }) => reasoningContent?.reasoningText?.signature ?? [],
    ),
    body,
  };
}

function readOutput({ toolResult }: Block): ToolOutput[] {
  if (toolResult === undefined) return [];
  const { toolUseId: callId, content } = toolResult;
  const text = content.map((one) => one.text ?? '').join('');
  return [{ callId, text, pictures: content.filter(({ image }) => image !== undefined).length }];
}

function usageOf({ plain, cached, written, output }: typeof TURN_USAGE): object {
  return {
    inputTokens: plain,
    outputTokens: output,
    cacheReadInputTokens: cached,
    cacheWriteInputTokens: written,
    totalTokens: plain + cached + written + output,
  };
}

const END = { usage: usageOf(TURN_USAGE), metrics: { latencyMs: 700 } };

function wholeConverse({ text, calls = [] }: Turn): object {
  const content = [
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } })),
  ];
  return {
    output: { message: { role: 'assistant', content } },
    stopReason: calls.length > 0 ? 'tool_use' : 'end_turn',
    ...END,
  };
}

function converseFrames({ text, calls = [] }: Turn): Buffer[] {
  const pieces = text?.split(/(?<= )/) ?? [];
  const blocks = [
    ...(text === undefined ? [] : [{ deltas: pieces.map((piece) => ({ text: piece })) }]),
    ...calls.map(({ id, name, input }) => ({
      start: { toolUse: { toolUseId: id, name } },
      deltas: [{ toolUse: { input: JSON.stringify(input) } }],
    })),
  ];
  return [
    eventFrame('messageStart', { role: 'assistant' }),
    ...blocks.flatMap((block, contentBlockIndex) => [
      ...('start' in block
        ? [eventFrame('contentBlockStart', { contentBlockIndex, start: block.start })]
        : []),
      ...block.deltas.map((delta) => eventFrame('contentBlockDelta', { contentBlockIndex, delta })),
      eventFrame('contentBlockStop', { contentBlockIndex }),
    ]),
    eventFrame('messageStop', { stopReason: calls.length > 0 ? 'tool_use' : 'end_turn' }),
    eventFrame('metadata', END),
  ];
}
