import { isOwnJsonObject, parseOwnObject } from '../../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import { dropPurchasePrice } from '../../openai-family/usage.ts';
import type { Reply } from '../../protocol.ts';
import type { TranscriptionRequest } from '../from-client/parse-request.ts';
import { transcriptUsage } from '../usage.ts';
import { renderTranscript } from './render-transcript.ts';

/** OpenAI's fields of a transcript in JSON, of any format. */
const REPLY_FIELDS: ReadonlySet<string> = new Set(
  'text usage logprobs task language duration segments words speakers'.split(' '),
);
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Reads a transcript in JSON and renders it as the client asked; undefined when it is none. */
export function readTranscript(received: Buffer, request: TranscriptionRequest): Reply | undefined {
  const reply = parseOwnObject(withoutByteOrderMark(received));
  if (reply === undefined || (reply['error'] ?? null) !== null) return undefined;
  const { text } = reply;
  if (typeof text !== 'string') return undefined;
  const { counts, isEstimate } = transcriptUsage(reply, request);
  for (const name of Object.keys(reply)) {
    if (!REPLY_FIELDS.has(name)) Reflect.deleteProperty(reply, name);
  }
  if (isOwnJsonObject(reply['usage'])) dropPurchasePrice(reply['usage']);
  const rendered = renderTranscript(reply, request.format);
  // Subtitles cannot be made of a reply without segments.
  if (rendered === undefined) return undefined;
  const bytes = Buffer.from(rendered ?? JSON.stringify(reply));
  return {
    bytes,
    ...(rendered === null ? {} : { contentType: TEXT_TYPE }),
    withUsage: () => bytes,
    usage: counts,
    isEstimate,
    deliveredText: () => text,
  };
}
