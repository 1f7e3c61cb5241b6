import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A form as the vendor got it: the file by its size, everything else as text. */
export type ReceivedForm = Readonly<Record<string, string | readonly string[]>>;

/** An upstream that transcribes, and refuses what its vendor refuses, in the vendor's words. */
export interface TranscriptionVendor {
  /** The origin. */
  readonly url: string;
  readonly forms: { readonly path: string; readonly form: ReceivedForm }[];
  /** Streams break off behind their first event. */
  breaksStreams: boolean;
  /** Changes the next replies; undefined leaves them as they are. */
  change: ((reply: Record<string, unknown>) => object) | undefined;
  close(): Promise<void>;
}

/** Without a file, as `ffprobe` would see it: the vendor's own measure. */
export const HEARD_SECONDS = 3.21;
export const TEXT = 'Good evening. Ζήνων speaks.';
export const SEGMENTS = [
  { id: 0, start: 0, end: 1.5, text: ' Good evening.' },
  { id: 1, start: 1.5, end: HEARD_SECONDS, text: ' Ζήνων speaks.' },
];
export const TOKEN_USAGE = {
  type: 'tokens',
  input_tokens: 40,
  input_token_details: { text_tokens: 8, audio_tokens: 32 },
  output_tokens: 12,
  total_tokens: 52,
};

const FIELDS = new Set([
  ...['file', 'model', 'language', 'prompt', 'response_format', 'temperature', 'stream'],
  ...['timestamp_granularities[]', 'include[]', 'chunking_strategy'],
]);

interface Answer {
  readonly status: number;
  readonly json: object;
}

function refused(message: string, param: string | null): Answer {
  const error = { message, type: 'invalid_request_error', param, code: null };
  return { status: 400, json: { error } };
}

async function readForm(request: IncomingMessage): Promise<FormData | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  // oxlint-disable-next-line typescript/no-deprecated -- another reader than ours
  return new Response(Buffer.concat(chunks), { headers }).formData().catch(() => undefined);
}

function textOf(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  return typeof value === 'string' ? value : undefined;
}

function refuseForm(form: FormData): Answer | undefined {
  const unknown = [...form.keys()].find((name) => !FIELDS.has(name));
  if (unknown !== undefined) return refused(`Unknown parameter: '${unknown}'.`, unknown);
  if (form.getAll('model').length !== 1) return refused('you must provide a model parameter', null);
  const file = form.get('file');
  if (!(file instanceof File)) return refused("'file' is a required property", 'file');
  const format = textOf(form, 'response_format') ?? 'json';
  if (!isWhisper(form) && format !== 'json' && format !== 'text') {
    return refused(
      `response_format '${format}' is not compatible with model 'gpt-4o-transcribe-api-ev3'. Use 'json' or 'text' instead.`,
      'response_format',
    );
  }
  return undefined;
}

function isWhisper(form: FormData): boolean {
  return textOf(form, 'model')?.startsWith('whisper') === true;
}

/** Whole replies; text and subtitles carry no usage, and Whisper's JSON has seconds rounded up. */
function replyOf(form: FormData): Record<string, unknown> | string {
  const format = textOf(form, 'response_format') ?? 'json';
  const usage = isWhisper(form)
    ? { type: 'duration', seconds: Math.ceil(HEARD_SECONDS) }
    : TOKEN_USAGE;
  if (format === 'json') return { text: TEXT, usage };
  if (format === 'verbose_json') {
    const head = { task: 'transcribe', language: 'english', duration: HEARD_SECONDS };
    return { ...head, text: TEXT, segments: SEGMENTS, usage };
  }
  return `${TEXT}\n`;
}

function stream(response: ServerResponse, breaks: boolean): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const deltas = TEXT.split(/(?<= )/).map((delta) => ({ type: 'transcript.text.delta', delta }));
  const events = [...deltas, { type: 'transcript.text.done', text: TEXT, usage: TOKEN_USAGE }];
  const texts = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
  if (breaks) response.write(texts[0], () => response.destroy());
  else response.end(texts.join(''));
}

/** OpenAI's audio paths: `whisper…` as whisper-1, everything else as gpt-4o-transcribe. */
export async function startTranscriptionVendor(): Promise<TranscriptionVendor> {
  const forms: TranscriptionVendor['forms'] = [];
  const vendor: Pick<TranscriptionVendor, 'change' | 'breaksStreams'> = {
    change: undefined,
    breaksStreams: false,
  };
  const server = createServer((request, response) => {
    (async () => {
      const reply = ({ status, json }: Answer): void => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(json));
      };
      const path = request.url ?? '';
      const form = await readForm(request);
      if (!/^\/v1\/audio\/(transcriptions|translations)$/.test(path)) {
        reply({ status: 404, json: { error: { message: `Invalid URL (POST ${path})` } } });
        return;
      }
      if (form === undefined) {
        reply(refused('Could not parse multipart form', null));
        return;
      }
      const refusal = refuseForm(form);
      if (refusal !== undefined) {
        reply(refusal);
        return;
      }
      forms.push({ path, form: shown(form) });
      if (textOf(form, 'stream') === 'true' && !isWhisper(form)) {
        stream(response, vendor.breaksStreams);
        return;
      }
      const made = replyOf(form);
      if (typeof made === 'string') {
        response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
        response.end(made);
        return;
      }
      reply({ status: 200, json: vendor.change?.(made) ?? made });
      // A client that is killed while it sends is not answered.
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(vendor, {
    url: `http://127.0.0.1:${port}`,
    forms,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

function shown(form: FormData): ReceivedForm {
  const received: Record<string, string | string[]> = {};
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name).map((value) => {
      return typeof value === 'string' ? value : `${value.name} ${value.type} ${value.size}`;
    });
    received[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return received;
}
