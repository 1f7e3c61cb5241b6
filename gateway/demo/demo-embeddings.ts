import { createHash } from 'node:crypto';
import { demoTokens } from './demo-tokens.ts';

const DIMENSIONS_DEFAULT = 8;
const DIMENSIONS_MAX = 4_096;
const BYTE_HALF = 127.5;

/** The reply to an embeddings request: vectors that mean nothing; undefined when it is none. */
export function demoEmbeddings(body: unknown): object | undefined {
  if (typeof body !== 'object' || body === null || !('model' in body)) return undefined;
  const { input, encoding_format: format, dimensions } = body as Readonly<Record<string, unknown>>;
  if (typeof input !== 'string' && !Array.isArray(input)) return undefined;
  const inputs: readonly unknown[] = Array.isArray(input) && !isTokens(input) ? input : [input];
  const size =
    typeof dimensions === 'number' && dimensions >= 1
      ? Math.min(Math.floor(dimensions), DIMENSIONS_MAX)
      : DIMENSIONS_DEFAULT;
  const tokens = inputs.reduce<number>((sum, one) => sum + tokensOf(one), 0);
  return {
    object: 'list',
    data: inputs.map((one, index) => {
      const vector = vectorOf(JSON.stringify(one), size);
      const embedding =
        format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
      return { object: 'embedding', index, embedding };
    }),
    model: body.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function isTokens(input: readonly unknown[]): boolean {
  return typeof input[0] === 'number';
}

function tokensOf(input: unknown): number {
  if (Array.isArray(input)) return input.length;
  return typeof input === 'string' ? demoTokens(input).length : 0;
}

/** The same text has the same vector, of length 1. */
function vectorOf(text: string, size: number): Float32Array {
  const vector = new Float32Array(size);
  for (let index = 0; index < size; index += 1) {
    const [byte = 0] = createHash('sha256').update(`${index}:${text}`).digest();
    vector[index] = byte / BYTE_HALF - 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
