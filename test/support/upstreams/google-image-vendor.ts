import { hash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** Gemini's models that make images, and Imagen; unknown fields are refused in Google's words. */
export interface GoogleImageVendor {
  readonly url: string;
  readonly requests: { readonly path: string; readonly body: Json }[];
  /** The SHA-256 of each image that came. */
  readonly digests: string[];
  /** Changes the next replies; undefined leaves them as they are. */
  change: ((reply: Json) => Json) | undefined;
  close(): void;
}

/** The tokens of a prompt, of an image that came, and of one that is made. */
export const GOOGLE_TOKENS = { prompt: 11, edited: 258, image: 1_290 } as const;

const ASPECT_RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];
const IMAGEN_RATIOS = ['1:1', '3:4', '4:3', '9:16', '16:9'];
const IMAGE = Buffer.from('image').toString('base64');

class GoogleError extends Error {}

function unknownName(value: unknown, known: readonly string[], path = ''): void {
  const name = Object.keys(value as Json).find((one) => !known.includes(one));
  if (name === undefined) return;
  const at = path === '' ? '' : ` at '${path}'`;
  throw new GoogleError(
    `Invalid JSON payload received. Unknown name "${name}"${at}: Cannot find field.`,
  );
}

/** Starts the vendor. */
export async function startGoogleImages(): Promise<GoogleImageVendor> {
  const vendor: Omit<GoogleImageVendor, 'url' | 'close'> = {
    requests: [],
    digests: [],
    change: undefined,
  };
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? '';
      const body = await bodyOf(request);
      vendor.requests.push({ path, body });
      let status = 200;
      let reply: Json;
      try {
        reply = path.endsWith(':predict') ? imagen(path, body) : gemini(path, body, vendor);
        reply = vendor.change?.(reply) ?? reply;
      } catch (error) {
        if (!(error instanceof GoogleError)) throw error;
        status = 400;
        reply = { error: { code: 400, message: error.message, status: 'INVALID_ARGUMENT' } };
      }
      response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' });
      response.end(JSON.stringify(reply));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return Object.assign(vendor, { url: `http://127.0.0.1:${port}`, close });
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString()) as Json;
}

function imagen(path: string, body: Json): Json {
  if (!/^\/v1beta\/models\/imagen-[\w.-]+:predict$/.test(path)) throw new GoogleError('No method.');
  unknownName(body, ['instances', 'parameters']);
  const [instance] = body['instances'] as Json[];
  unknownName(instance, ['prompt'], 'instances[0]');
  const parameters = body['parameters'] as Json;
  const known = [
    ...['sampleCount', 'aspectRatio', 'sampleImageSize', 'personGeneration', 'includeRaiReason'],
  ];
  unknownName(parameters, known, 'parameters');
  const count = Number(parameters['sampleCount'] ?? 4);
  if (count < 1 || count > 4) throw new GoogleError('Request contains an invalid argument.');
  const ratio = parameters['aspectRatio'] ?? '1:1';
  if (typeof ratio !== 'string' || !IMAGEN_RATIOS.includes(ratio))
    throw new GoogleError('Request contains an invalid argument.');
  const predictions = Array.from({ length: count }, () => {
    return { mimeType: 'image/png', bytesBase64Encoded: IMAGE };
  });
  return { predictions };
}

function gemini(path: string, body: Json, { digests }: Pick<GoogleImageVendor, 'digests'>): Json {
  if (!/^\/v1beta\/models\/gemini-[\w.-]+:generateContent$/.test(path)) {
    throw new GoogleError('No method.');
  }
  unknownName(body, ['contents', 'generationConfig']);
  const [content] = body['contents'] as Json[];
  unknownName(content, ['role', 'parts'], 'contents[0]');
  const config = (body['generationConfig'] ?? {}) as Json;
  unknownName(config, ['responseModalities', 'imageConfig', 'candidateCount'], 'generation_config');
  const image = (config['imageConfig'] ?? {}) as Json;
  unknownName(image, ['aspectRatio', 'imageSize'], 'generation_config.image_config');
  const ratio = image['aspectRatio'];
  if (ratio !== undefined && (typeof ratio !== 'string' || !ASPECT_RATIOS.includes(ratio))) {
    throw new GoogleError('Request contains an invalid argument.');
  }
  const parts = content?.['parts'] as Json[];
  let edited = 0;
  for (const [index, part] of parts.entries()) {
    unknownName(part, ['text', 'inlineData'], `contents[0].parts[${index}]`);
    const inline = part['inlineData'] as Json | undefined;
    if (inline === undefined) continue;
    unknownName(inline, ['mimeType', 'data'], `contents[0].parts[${index}].inline_data`);
    digests.push(hash('sha256', Buffer.from(String(inline['data']), 'base64')));
    edited += 1;
  }
  const inputImages = edited * GOOGLE_TOKENS.edited;
  const inlineData = { mimeType: 'image/png', data: IMAGE };
  return {
    candidates: [
      { content: { role: 'model', parts: [{ inlineData }] }, finishReason: 'STOP', index: 0 },
    ],
    usageMetadata: {
      promptTokenCount: GOOGLE_TOKENS.prompt + inputImages,
      candidatesTokenCount: GOOGLE_TOKENS.image,
      totalTokenCount: GOOGLE_TOKENS.prompt + inputImages + GOOGLE_TOKENS.image,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: GOOGLE_TOKENS.prompt },
        ...(edited === 0 ? [] : [{ modality: 'IMAGE', tokenCount: inputImages }]),
      ],
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: GOOGLE_TOKENS.image }],
    },
    modelVersion: 'gemini-2.5-flash-image',
  };
}
