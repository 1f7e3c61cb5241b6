import { isOwnJsonObject, parseOwnObject } from '../../../platform/json/json-value.ts';
import type { ReplyForms } from '../../protocol.ts';
import { readEvents } from '../../sse/read-events.ts';
import { ENDED_EARLY } from '../../sse/reply-form.ts';

/** A whole reply as the events of its images, and the other way round. */
export const imageForms = formsOf('image_generation.completed');
/** The same of images that are edited. */
export const editForms = formsOf('image_edit.completed');

/** @param type of the event with a completed image */
function formsOf(type: string): ReplyForms {
  return { toStream: (body) => toStream(body, type), toWhole };
}

function toStream(body: Buffer, type: string): Buffer | undefined {
  const reply = parseOwnObject(body);
  if (reply === undefined || !Array.isArray(reply['data'])) return undefined;
  const { data, usage, created, ...words } = reply;
  const images = (data as unknown[]).filter((image) => isOwnJsonObject(image));
  const events = images.map((image, index) => {
    const isLast = index === images.length - 1;
    const event = { type, ...words, created_at: created, ...image };
    // The usage is of all of them.
    return { ...event, ...(isLast && usage !== undefined ? { usage } : {}) };
  });
  const blocks = events.map((event) => `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
  return events.length === 0 ? undefined : Buffer.from(blocks.join(''));
}

function toWhole(stream: Buffer): ReturnType<ReplyForms['toWhole']> {
  const completed = readEvents(stream)
    .map(({ data }) => parseOwnObject(data))
    .filter((event) => event !== undefined)
    .filter(({ type }) => typeof type === 'string' && type.endsWith('.completed'));
  const last = completed.at(-1);
  if (last === undefined) return ENDED_EARLY;
  const { background, output_format, quality, size, usage, created_at: created } = last;
  const data = completed.map(({ b64_json, url }) => ({ b64_json, url }));
  const reply = { created, background, data, output_format, quality, size, usage };
  return Buffer.from(JSON.stringify(reply));
}
