import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type RerankVendorName = 'cohere' | 'jina' | 'voyage';

/**
 * An upstream that ranks as one vendor does, and refuses what it refuses. The words of Cohere and
 * Voyage are from public reports (LightRAG #1813, OmniRoute #7809, chunkhound #154). No report of
 * Jina refusing a field was found: that it refuses unknown ones, with FastAPI's words, is assumed.
 */
export interface RerankVendor {
  /** The base address. */
  readonly url: string;
  /** The bodies of requests that were served, the oldest first. */
  readonly bodies: Record<string, unknown>[];
  /** Changes the next replies; undefined leaves them as they are. */
  change: ((reply: Record<string, unknown>) => object) | undefined;
  close(): Promise<void>;
}

export const SEARCH_UNITS = 1;
export const RANK_TOKENS = 137;

interface Form {
  readonly fields: readonly string[];
  /** The status of a field that is not known. */
  readonly status: number;
  readonly refuse: (field: string) => object;
  readonly reply: (model: unknown, ranked: readonly object[]) => Record<string, unknown>;
}

const VOYAGE_BEGINNING =
  'The request body is not valid JSON, or some arguments were not specified properly. In particular,';

const FORMS: Readonly<Record<RerankVendorName, Form>> = {
  cohere: {
    fields: ['model', 'query', 'documents', 'top_n', 'max_tokens_per_doc', 'priority'],
    status: 422,
    refuse: (field) => ({
      id: '44558cc5-318a-42ac-bf42-9b9f3c6afabd',
      message: `unknown field: parameter '${field}' is not a valid field. For proper usage, please refer to https://docs.cohere.com/reference/rerank`,
    }),
    reply: (_model, results) => ({
      id: '0f0c2f9e',
      results,
      meta: { api_version: { version: '2' }, billed_units: { search_units: SEARCH_UNITS } },
    }),
  },
  jina: {
    fields: ['model', 'query', 'documents', 'top_n', 'return_documents', 'max_tokens_per_doc'],
    status: 422,
    refuse: (field) => ({
      detail: [
        { type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted' },
      ],
    }),
    reply: (model, results) => ({
      model,
      object: 'list',
      usage: { total_tokens: RANK_TOKENS },
      results,
    }),
  },
  voyage: {
    fields: ['model', 'query', 'documents', 'top_k', 'return_documents', 'truncation'],
    status: 400,
    refuse: (field) => ({
      detail: `${VOYAGE_BEGINNING} Argument '${field}' is not supported by our API`,
    }),
    reply: (model, data) => ({ object: 'list', data, model, usage: { total_tokens: RANK_TOKENS } }),
  },
};

export async function startRerankVendor(name: RerankVendorName): Promise<RerankVendor> {
  const bodies: RerankVendor['bodies'] = [];
  const vendor: Pick<RerankVendor, 'change'> = { change: undefined };
  const { fields, status, refuse, reply } = FORMS[name];
  const server = createServer((request, response) => {
    (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      const answer = (status: number, json: object): void => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(json));
      };
      if (request.url !== '/rerank') {
        answer(404, { message: `no such path: ${request.url ?? ''}` });
        return;
      }
      const unknown = Object.keys(body).find((field) => !fields.includes(field));
      const { documents, model } = body;
      const texts = Array.isArray(documents) ? documents : [];
      const isText = texts.every((text) => typeof text === 'string');
      if (unknown !== undefined || !isText) {
        answer(status, refuse(unknown ?? 'documents'));
        return;
      }
      if (name === 'voyage' && texts.includes('')) {
        const detail = `${VOYAGE_BEGINNING} Input cannot contain empty strings or empty lists`;
        answer(400, { detail });
        return;
      }
      bodies.push(body);
      const most = Number(body['top_n'] ?? body['top_k'] ?? texts.length);
      // The last is the best.
      const ranked = texts
        .map((_text, index) => ({ index, relevance_score: (index + 1) / 10 }))
        .toReversed()
        .slice(0, most);
      const made = reply(model, ranked);
      answer(200, vendor.change?.(made) ?? made);
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
