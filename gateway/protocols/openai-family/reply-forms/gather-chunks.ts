import type { UpstreamFailure } from '../../../platform/errors/upstream-failure.ts';
import {
  isOwnJsonObject,
  parseOwnObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { readEvents } from '../../sse/read-events.ts';
import { ENDED_EARLY } from '../../sse/reply-form.ts';
import type { ChunkStream } from '../chunks/chunk-stream.ts';
import { joinDeltas } from './join-deltas.ts';

/**
 * Joins a stream to the whole reply that it would have been. It is read as one for a client is, so
 * that its chunks are as they should be.
 * @param reader of this stream, which has read nothing and sends the usage chunk
 * @param object what whole replies call themselves
 */
export function gatherChunks(
  stream: Buffer,
  reader: ChunkStream,
  object: string,
): Buffer | UpstreamFailure {
  const sent = [Buffer.from(reader.push(stream)), Buffer.from(reader.flush())];
  if (reader.failure !== null) return reader.failure;
  if (!reader.finished) return ENDED_EARLY;
  // What is known of the prompt alone leaves the output to be counted.
  const counted = reader.usage === null ? reader.promptUsage : null;
  sent.push(Buffer.from(reader.endMarker(counted)));
  const reply: OwnJsonObject = {};
  const choices = new Map<unknown, OwnJsonObject>();
  for (const { data } of readEvents(Buffer.concat(sent))) {
    const chunk = parseOwnObject(data);
    if (chunk !== undefined) addChunk(reply, choices, chunk);
  }
  reply['object'] = object;
  reply['choices'] = [...choices.values()].map(wholeChoice);
  return Buffer.from(JSON.stringify(reply));
}

function addChunk(
  reply: OwnJsonObject,
  choices: Map<unknown, OwnJsonObject>,
  { choices: list, ...frame }: OwnJsonObject,
): void {
  for (const [name, value] of Object.entries(frame)) if (value !== null) reply[name] = value;
  for (const choice of Array.isArray(list) ? (list as unknown[]) : []) {
    if (!isOwnJsonObject(choice)) continue;
    const known = choices.get(choice['index']);
    if (known === undefined) choices.set(choice['index'], choice);
    else joinChoice(known, choice);
  }
}

function joinChoice(known: OwnJsonObject, choice: OwnJsonObject): void {
  const { finish_reason: reason, ...more } = choice;
  joinDeltas(known, more);
  known['finish_reason'] = reason ?? known['finish_reason'];
}

/** Makes a whole choice of a gathered one: in chat completions the delta becomes the message. */
function wholeChoice(choice: OwnJsonObject): OwnJsonObject {
  const { delta, ...rest } = choice;
  if (!isOwnJsonObject(delta)) return rest;
  const calls = delta['tool_calls'];
  if (Array.isArray(calls)) {
    for (const call of calls as unknown[]) if (isOwnJsonObject(call)) delete call['index'];
  }
  return { ...rest, message: { ...delta, content: delta['content'] ?? null } };
}
