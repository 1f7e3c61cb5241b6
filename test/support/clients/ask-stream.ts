import type { TestGateway } from '../gateway.ts';
import type { Seeded } from '../seed.ts';

/** Asks for a reply in pieces, as long as the model likes. */
export function askStream(
  gateway: TestGateway,
  { key }: Pick<Seeded, 'key'>,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'test-model',
      stream: true,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
    ...(signal === undefined ? {} : { signal }),
  });
}
