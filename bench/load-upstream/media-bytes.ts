import type { HttpResponse } from 'uWebSockets.js';

/** Base64 of an image of a size is made once. */
const images = new Map<number, string>();

function base64(bytes: number): string {
  let text = images.get(bytes);
  if (text === undefined) images.set(bytes, (text = 'QUJD'.repeat(Math.ceil(bytes / 4))));
  return text;
}

const ABOUT_IMAGE = {
  ...{ background: 'opaque', output_format: 'png', quality: 'high', size: '1024x1536' },
  usage: {
    ...{ input_tokens: 12, output_tokens: 6_240, total_tokens: 6_252 },
    input_tokens_details: { text_tokens: 12, image_tokens: 0 },
  },
};

/** An image in one reply of OpenAI's form. @param bytes the length of its base64 */
export function sendImage(res: HttpResponse, bytes: number): void {
  const reply = { created: 1_790_000_000, data: [{ b64_json: base64(bytes) }], ...ABOUT_IMAGE };
  sendWithPressure(res, 'application/json', cut(Buffer.from(JSON.stringify(reply))));
}

const PARTIAL_IMAGES = 3;

/** The same as a stream: three partial images and the whole one. */
export function sendImageStream(res: HttpResponse, bytes: number): void {
  const event = (type: string, more: object): Buffer => {
    const data = { type, b64_json: base64(bytes), created_at: 1_790_000_000, ...more };
    return Buffer.from(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const { usage, ...words } = ABOUT_IMAGE;
  const partial = Array.from({ length: PARTIAL_IMAGES }, (_none, index) =>
    event('image_generation.partial_image', { ...words, partial_image_index: index }),
  );
  const whole = event('image_generation.completed', { ...words, usage });
  sendWithPressure(res, 'text/event-stream', [...partial, whole].flatMap(cut));
}

/** Sound in pieces of 16 kB. */
export function sendSpeech(res: HttpResponse, bytes: number): void {
  const pieces = Math.max(1, Math.round(bytes / SPEECH_PIECE.length));
  sendWithPressure(
    res,
    'audio/mpeg',
    Array.from({ length: pieces }, () => SPEECH_PIECE),
  );
}

const SPEECH_PIECE = Buffer.alloc(16 * 1024, 0x55);

/** uWS copies the bytes that a socket has not taken: megabytes, again with each further write. */
const PIECE_BYTES = 64 * 1024;

function cut(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_none, piece) =>
    bytes.subarray(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES),
  );
}

/** Sends pieces one after another, as fast as they are taken. */
function sendWithPressure(res: HttpResponse, type: string, pieces: readonly Buffer[]): void {
  let at = 0;
  let gone = false;
  res.onAborted(() => {
    gone = true;
  });
  const goOn = (): boolean => {
    let flows = true;
    res.cork(() => {
      for (; at < pieces.length && flows; at += 1) flows = res.write(pieces[at] ?? '');
      if (at === pieces.length && flows) {
        gone = true;
        res.end();
      }
    });
    return flows;
  };
  res.onWritable(() => gone || goOn());
  res.cork(() => {
    res.writeHeader('content-type', type);
  });
  goOn();
}
