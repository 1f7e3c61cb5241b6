import type { StoredEndpoint } from '../endpoint.ts';

/** Responses, and conversations of them, that the upstream of a channel stores. */
export const STORED_ENDPOINTS: readonly StoredEndpoint[] = [
  reply('GET', 'responses/{id}'),
  reply('DELETE', 'responses/{id}'),
  reply('POST', 'responses/{id}/cancel'),
  reply('GET', 'responses/{id}/input_items'),
  conversation('POST', 'conversations'),
  conversation('GET', 'conversations/{id}'),
  conversation('POST', 'conversations/{id}'),
  conversation('DELETE', 'conversations/{id}'),
  conversation('GET', 'conversations/{id}/items'),
  conversation('POST', 'conversations/{id}/items'),
  conversation('GET', 'conversations/{id}/items/{item}'),
  conversation('DELETE', 'conversations/{id}/items/{item}'),
];

function reply(method: StoredEndpoint['method'], path: string): StoredEndpoint {
  return { method, path, operation: 'stored', kind: 'reply' };
}

function conversation(method: StoredEndpoint['method'], path: string): StoredEndpoint {
  const endpoint = { method, path, operation: 'stored', kind: 'conversation' } as const;
  return method === 'POST' ? { ...endpoint, takesBody: true } : endpoint;
}
