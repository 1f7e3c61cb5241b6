import { clientRecordings } from '../../../../support/clients/client-recordings.ts';
import { STRICT_ROWS } from '../../../../support/upstreams/strict-upstream/strict-upstream.ts';
import { isObject, type Json } from '../../../../support/upstreams/strict-upstream/rule.ts';
import type { Client } from './ask.ts';
import type { Cell } from './cell.ts';

const PATHS: readonly (readonly [Client, RegExp])[] = [
  ['chat', /^\/v1\/chat\/completions$/],
  ['responses', /^\/v1\/responses$/],
  ['messages', /^\/v1\/messages$/],
  ['gemini', /:(?:streamGenerateContent|generateContent)$/],
];

/**
 * The names of a request's fields, and what it shows: a recorded request may be refused if the
 * refusal names one of them.
 */
function fieldsOf(body: Json): string[] {
  const { generationConfig: config } = body;
  const hasImage = /"(?:image_url|inlineData|input_image)"|"image"/.test(JSON.stringify(body));
  return [
    ...Object.keys(body),
    ...(isObject(config) ? Object.keys(config) : []),
    ...(hasImage ? ['image'] : []),
  ];
}

/** Sends the recorded requests of agents and SDKs to every row. */
export function recordedCells(): readonly Cell[] {
  const recordings = PATHS.flatMap(([client, path]) =>
    clientRecordings(path).map((recording) => ({ client, recording })),
  );
  return STRICT_ROWS.flatMap((row) =>
    recordings.map(({ client, recording: { name, path, body } }) => ({
      name,
      row,
      client,
      body,
      stream: client === 'gemini' ? path.includes('stream') : body['stream'] === true,
      refusedFor: fieldsOf(body),
    })),
  );
}
