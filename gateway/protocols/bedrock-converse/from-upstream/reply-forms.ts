import type { UpstreamFailure } from '../../../platform/errors/upstream-failure.ts';
import {
  isOwnJsonObject,
  parseOwnObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import type { FailureFinder, ReplyForms } from '../../protocol.ts';
import { readEvents } from '../../sse/read-events.ts';
import { ENDED_EARLY } from '../../sse/reply-form.ts';
import { MessageJoiner } from './message-joiner.ts';
import { contentOf } from './read-reply.ts';
import { streamError } from './stream-error.ts';

/** A whole reply as the events of a stream, and the way back. */
export const converseForms: ReplyForms = {
  toStream: (body) => {
    const reply = parseOwnObject(withoutByteOrderMark(body));
    const content = contentOf(reply);
    if (reply === undefined || content === undefined) return undefined;
    return Buffer.from(streamOf(reply, content.filter(isOwnJsonObject)));
  },
  toWhole: (stream, _choices, findFailure) => joinEvents(stream, findFailure),
};

function joinEvents(stream: Buffer, findFailure: FailureFinder): Buffer | UpstreamFailure {
  const joiner = new MessageJoiner();
  for (const { name, data } of readEvents(stream)) {
    const event = parseOwnObject(data);
    const detail = streamError(event, { name, findFailure });
    if (detail !== undefined) return { failed: 'bad_reply', detail, body: data };
    if (event !== undefined) joiner.add(name, event);
  }
  const reply = joiner.reply();
  return reply === undefined ? ENDED_EARLY : Buffer.from(JSON.stringify(reply));
}

function streamOf(reply: OwnJsonObject, content: readonly OwnJsonObject[]): string {
  const { stopReason, additionalModelResponseFields, usage, metrics, serviceTier } = reply;
  const blocks = content.map((block, contentBlockIndex) => {
    const deltas = deltasOf(block);
    const { start } = deltas;
    return (
      (start === undefined ? '' : event('contentBlockStart', { contentBlockIndex, start })) +
      deltas.all.map((delta) => event('contentBlockDelta', { contentBlockIndex, delta })).join('') +
      event('contentBlockStop', { contentBlockIndex })
    );
  });
  return (
    event('messageStart', { role: 'assistant' }) +
    blocks.join('') +
    event('messageStop', { stopReason, additionalModelResponseFields }) +
    (usage === undefined ? '' : event('metadata', { usage, metrics, serviceTier }))
  );
}

interface Deltas {
  readonly start?: OwnJsonObject;
  readonly all: readonly OwnJsonObject[];
}

function deltasOf(block: OwnJsonObject): Deltas {
  const { text, toolUse, reasoningContent, citationsContent, image } = block;
  if (typeof text === 'string') return { all: [{ text }] };
  if (isOwnJsonObject(toolUse)) {
    const { input = {}, ...start } = toolUse;
    return { start: { toolUse: start }, all: [{ toolUse: { input: JSON.stringify(input) } }] };
  }
  if (isOwnJsonObject(reasoningContent)) return { all: reasoningDeltas(reasoningContent) };
  if (isOwnJsonObject(citationsContent)) {
    const { content } = citationsContent;
    const texts = Array.isArray(content) ? content.filter(isOwnJsonObject) : [];
    return { all: texts.map((one) => ({ text: stringOf(one['text']) })) };
  }
  if (!isOwnJsonObject(image)) return { all: [] };
  const { format, source } = image;
  return { start: { image: { format } }, all: [{ image: { source } }] };
}

function reasoningDeltas({ reasoningText, redactedContent }: OwnJsonObject): OwnJsonObject[] {
  if (redactedContent !== undefined) return [{ reasoningContent: { redactedContent } }];
  if (!isOwnJsonObject(reasoningText)) return [];
  const { text, signature } = reasoningText;
  const signed = signature === undefined ? [] : [{ reasoningContent: { signature } }];
  return [{ reasoningContent: { text } }, ...signed];
}

function event(name: string, fields: OwnJsonObject): string {
  return `event: ${name}\ndata: ${JSON.stringify(fields)}\n\n`;
}
