import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An upstream that speaks, and refuses what its vendor refuses. */
export interface SpeechVendor {
  /** The base address. */
  readonly url: string;
  /** The bodies of requests that were served, the oldest first. */
  readonly bodies: Record<string, unknown>[];
  /** The sound of every reply. */
  sound: Buffer;
  /** Bytes of one packet or event. */
  packetBytes: number;
  /** The connection breaks behind so many bytes of sound. */
  breaksAfter: number;
  /** A server with OpenAI's paths that does not know `stream_format`. */
  sendsBytesAlone: boolean;
  /** Sound is held back behind its first packet until this is called. */
  holds: boolean;
  /** The client of a reply has left before its end. */
  left: number;
  close(): Promise<void>;
}

export const SPEECH_USAGE = { input_tokens: 14, output_tokens: 101, total_tokens: 115 };

const FIELDS = new Set(
  'model input voice instructions response_format speed stream_format'.split(' '),
);
const VOICES = ['alloy', 'ash', 'coral', 'echo', 'fable', 'onyx', 'nova', 'sage', 'shimmer'];

interface Refused {
  readonly message: string;
  readonly param: string | null;
}

/** A fault as FastAPI lists it: OpenAI's speech replies so (openai-node #1284). */
function listed(type: string, name: string, rest: string): Refused {
  return { message: `[{'type': '${type}', 'loc': ('body', '${name}'), ${rest}}]`, param: null };
}

/**
 * Refusals in the words of OpenAI's API. Those of `stream_format` follow the sentence of its
 * reference, that `sse` is not supported for `tts-1` and `tts-1-hd`.
 */
function refusalOf(body: Record<string, unknown>): Refused | undefined {
  const unknown = Object.keys(body).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) {
    return listed('extra_forbidden', unknown, "'msg': 'Extra inputs are not permitted'");
  }
  const { model, input, voice, stream_format: streamFormat } = body;
  if (typeof input !== 'string') return listed('missing', 'input', "'msg': 'Field required'");
  if (!VOICES.includes(String(voice))) {
    const all = VOICES.map((one) => `'${one}'`);
    const expected = `${all.slice(0, -1).join(', ')} or ${all.at(-1) ?? ''}`;
    const given = `'input': '${String(voice)}', 'ctx': {'expected': "${expected}"}`;
    return listed('enum', 'voice', `'msg': "Input should be ${expected}", ${given}`);
  }
  if (streamFormat === 'sse' && String(model).startsWith('tts-1')) {
    const message = "Unsupported parameter: 'stream_format' is not supported with this model.";
    return { message, param: 'stream_format' };
  }
  return undefined;
}

/** OpenAI's `/audio/speech`: `tts-1…` in bytes alone, all others in events as well. */
export async function startSpeechVendor(): Promise<SpeechVendor> {
  const bodies: SpeechVendor['bodies'] = [];
  const vendor: Omit<SpeechVendor, 'url' | 'bodies' | 'close'> = {
    sound: Buffer.alloc(0),
    packetBytes: Infinity,
    breaksAfter: Infinity,
    sendsBytesAlone: false,
    holds: false,
    left: 0,
  };
  const speak = (response: ServerResponse, asEvents: boolean): void => {
    response.on('close', () => {
      if (!response.writableFinished) vendor.left += 1;
    });
    response.writeHead(200, { 'content-type': asEvents ? 'text/event-stream' : 'audio/mpeg' });
    const { sound, breaksAfter, holds } = vendor;
    const step = Math.min(vendor.packetBytes, sound.length);
    const write = (at: number): void => {
      if (at >= breaksAfter) {
        response.destroy();
        return;
      }
      if (at >= sound.length) {
        const done = { type: 'speech.audio.done', usage: SPEECH_USAGE };
        response.end(asEvents ? `data: ${JSON.stringify(done)}\n\n` : '');
        return;
      }
      const audio = sound.subarray(at, at + step);
      const delta = { type: 'speech.audio.delta', audio: audio.toString('base64') };
      response.write(asEvents ? `data: ${JSON.stringify(delta)}\n\n` : audio, () => {
        if (!holds) setImmediate(() => write(at + step));
      });
    };
    write(0);
  };
  const server = createServer((request, response) => {
    (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      const refused = request.url === '/audio/speech' ? undefined : notFound(request.url);
      const refusal = refused ?? (vendor.sendsBytesAlone ? undefined : refusalOf(body));
      if (refusal !== undefined) {
        response.writeHead(refused === undefined ? 400 : 404, {
          'content-type': 'application/json',
        });
        const error = { ...refusal, type: 'invalid_request_error', code: null };
        response.end(JSON.stringify({ error }));
        return;
      }
      bodies.push(body);
      speak(response, body['stream_format'] === 'sse' && !vendor.sendsBytesAlone);
      // A client that is killed while it sends is not answered.
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(vendor, {
    url: `http://127.0.0.1:${port}`,
    bodies,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function notFound(path = ''): Refused {
  return { message: `Invalid URL (POST ${path})`, param: null };
}
