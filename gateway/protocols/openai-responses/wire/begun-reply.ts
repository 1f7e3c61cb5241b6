import { isOwnJsonObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { BegunReply } from '../../stream-reader.ts';
import { eventText, newResponseId, responseObject } from '../to-client/render-error.ts';
import { LIFECYCLE_EVENTS } from './event-kinds.ts';

/**
 * Begins a response that no upstream has begun yet. Codex counts the events that it parses, and
 * comments are none; readers of the official SDK fail on a stream that begins with another event.
 * The numbers stay at 0, so that those of the upstream's own events are never below them.
 */
export function beginReply(publicModel: string): BegunReply {
  const id = newResponseId();
  const createdAtSeconds = Math.floor(Date.now() / 1000);
  const known = { id, createdAtSeconds, model: publicModel, output: [], usage: null };
  const response = responseObject(known, 'in_progress');
  const again = eventText('response.in_progress', 0, { response });
  return {
    id,
    createdAtSeconds,
    first: eventText('response.created', 0, { response }) + again,
    again,
  };
}

/**
 * Returns an event about a response as one about the response that the client has already:
 * the official SDK fails when the id changes. It is created once.
 */
export function continuedEvent(event: OwnJsonObject, begun: BegunReply): OwnJsonObject {
  const { response } = event;
  if (!isOwnJsonObject(response)) return event;
  const type = event['type'] === 'response.created' ? 'response.in_progress' : event['type'];
  return { ...event, type, response: { ...response, id: begun.id } };
}

const BLOCK = /event: (\S+)\ndata: (.*)\n\n/g;

/** The same of events in their usual form. */
export function continuedEvents(events: Uint8Array, begun: BegunReply): Buffer {
  const text = Buffer.from(events).toString('utf8');
  const continued = text.replaceAll(BLOCK, (block, type: string, data: string) => {
    if (!LIFECYCLE_EVENTS.has(type)) return block;
    const event = continuedEvent(JSON.parse(data) as OwnJsonObject, begun);
    return `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;
  });
  return Buffer.from(continued);
}
