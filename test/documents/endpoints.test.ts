import { describe, expect, it } from 'vitest';
import { LOGIN_PATHS } from '../../gateway/data-plane/paths/login-paths.ts';
import { resolvePath } from '../../gateway/data-plane/paths/resolve-path.ts';
import { servedRoutes } from '../../gateway/data-plane/routing/served-routes.ts';
import type { Offer } from '../../gateway/catalog/catalog.ts';
import {
  LEFT_OUT_FIELDS as MESSAGES_LEFT_OUT,
  REFUSED_FIELDS as MESSAGES_REFUSED,
} from '../../gateway/protocols/anthropic-messages/from-client/read-request.ts';
import * as messagesFields from '../../gateway/protocols/anthropic-messages/from-client/withheld-fields.ts';
import { WITHHELD_FIELDS as GEMINI_WITHHELD } from '../../gateway/protocols/gemini/from-client/parse-request.ts';
import {
  LEFT_OUT_CONFIG,
  LEFT_OUT_FIELDS as GEMINI_LEFT_OUT,
  REFUSED_CONFIG,
} from '../../gateway/protocols/gemini/from-client/read-request.ts';
import {
  LEFT_OUT_FIELDS as CHAT_LEFT_OUT,
  REFUSED_FIELDS as CHAT_REFUSED,
} from '../../gateway/protocols/openai-chat/from-client/read-request.ts';
import { WITHHELD_FIELDS as OPENAI_WITHHELD } from '../../gateway/protocols/openai-family/withheld-fields.ts';
import type { UpstreamProtocolId } from '../../gateway/protocols/protocol.ts';
import {
  clientPath,
  codecsFor,
  ENDPOINTS,
  type ServedEndpoint,
} from '../../gateway/protocols/registry.ts';
import { providerOf } from '../../gateway/providers/registry.ts';
import { readSource } from '../support/sources/source-files.ts';
import { sectionOf, tableHeads, tableRows } from './support/markdown.ts';

/** Returns the path as clients write it. */
function pathOf(endpoint: ServedEndpoint): string {
  return `${endpoint.method} ${clientPath(endpoint)}`;
}

const SERVED = new Set([
  ...ENDPOINTS.map(pathOf),
  ...LOGIN_PATHS.map(({ method, path }) => `${method} ${path}`),
  'GET /health',
  'GET /ready',
]);

/** Those at which a model is asked. */
const ASKED = ENDPOINTS.flatMap((endpoint) => ('creates' in endpoint ? [endpoint] : []));

describe('README', () => {
  it('lists every path that clients can call, and no other', () => {
    const listed = tableRows(sectionOf(readSource('README.md'), 'Endpoints')).flatMap(([paths]) =>
      [...(paths ?? '').matchAll(/`([A-Z, ]+) (\/\S+)`/g)].flatMap(([, methods = '', path = '']) =>
        methods.split(', ').map((method) => `${method} ${path}`),
      ),
    );
    expect(listed.toSorted()).toEqual([...SERVED].toSorted());
    for (const served of SERVED) {
      const [method = '', path = ''] = served.split(' ');
      const { route } = resolvePath(method, path.replaceAll(/\{\w+\}/g, 'x'));
      expect(['endpoint', 'health', 'login', 'ready'], served).toContain(route);
    }
  });
});

/** Upstreams by the heads of the table: the kind of a channel and what it speaks. */
const UPSTREAMS = {
  'Chat Completions': ['openai', ['openai-chat']],
  Responses: ['openai', ['openai-responses']],
  Messages: ['anthropic', null],
  Gemini: ['gemini', null],
  Completions: ['openai', ['openai-completions']],
  Embeddings: ['openai', ['openai-embeddings']],
  Images: ['openai', ['openai-images']],
  Moderations: ['openai', ['openai-moderations']],
  Transcriptions: ['openai', ['openai-transcriptions']],
  Speech: ['openai', ['openai-speech']],
  Realtime: ['openai', ['openai-realtime']],
  Rerank: ['openai', ['rerank']],
} as const;

type Upstream = keyof typeof UPSTREAMS;

/** The head of the column for what no client speaks. */
const CONVERSE = 'Bedrock Converse';
const PREDICT = 'Vertex predict';

/** An offer with one route, of which nothing but the channel is looked at. */
function offerAt(upstream: Upstream): Offer {
  const [kind, protocols] = UPSTREAMS[upstream];
  const baseUrl = 'https://upstream.example/v1';
  const channel = { kind, protocols, baseUrl, omittedFields: [] };
  return { routes: [{ channel, upstreamModel: 'model' }] } as unknown as Offer;
}

/** Returns the table's entry for an endpoint over an upstream. */
function served(endpoint: (typeof ASKED)[number], upstream: Upstream): string {
  const [route] = servedRoutes(offerAt(upstream), endpoint);
  if (endpoint.operation === 'count') return route?.countPath === undefined ? 'counted' : 'asked';
  if (route === undefined) return '–';
  return route.codec.upstreamProtocol === endpoint.protocol.id ? 'passed' : 'translated';
}

/** The same over Converse, of which nothing is passed or asked. */
function servedOverConverse(endpoint: (typeof ASKED)[number]): string {
  if (endpoint.operation === 'count') return 'counted';
  return codecsFor(endpoint, ['bedrock-converse']).length === 0 ? '–' : 'translated';
}

const NAMES: Readonly<Record<UpstreamProtocolId, string>> = {
  'openai-chat': 'Chat Completions',
  'openai-responses': 'Responses',
  'anthropic-messages': 'Messages',
  gemini: 'Gemini',
  'openai-completions': 'Completions',
  'openai-embeddings': 'Embeddings',
  'openai-images': 'Images',
  'openai-moderations': 'Moderations',
  'openai-transcriptions': 'Transcriptions',
  'openai-speech': 'Speech',
  'openai-realtime': 'Realtime',
  rerank: 'Rerank',
  'bedrock-converse': CONVERSE,
  'vertex-predict': PREDICT,
};

function namesOf(ids: readonly UpstreamProtocolId[] = []): string {
  return ids.map((id) => NAMES[id]).join(', ');
}

/** The names in code spans of a cell. */
function fieldsIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

/** Two lists of fields for each row, by what is in its first cell. */
function fieldTable(section: string, head: string): Record<string, string[][]> {
  const rows = tableRows(section.slice(section.indexOf(`| ${head}`)).split('\n\n')[0] ?? '');
  return Object.fromEntries(rows.map(([name = '', ...cells]) => [name, cells.map(fieldsIn)]));
}

describe('docs/protocols.md', () => {
  const text = readSource('docs/protocols.md');
  const table = sectionOf(text, 'Endpoints and upstreams');
  const endpoints = table.slice(0, table.indexOf('\n\nOnly its vendor'));
  const translated = sectionOf(text, 'Translated requests');

  it('says of every endpoint how it is served over each protocol of an upstream', () => {
    expect(tableHeads(endpoints)).toEqual([['Endpoint', ...Object.keys(UPSTREAMS), CONVERSE]]);
    const expected = ASKED.map((endpoint) => [
      `\`${pathOf(endpoint)}\``,
      ...Object.keys(UPSTREAMS).map((upstream) => served(endpoint, upstream as Upstream)),
      servedOverConverse(endpoint),
    ]);
    expect(tableRows(endpoints).toSorted()).toEqual(expected.toSorted());
  });

  it('says what each kind of channel speaks, and what it may be set to', () => {
    const rows = tableRows(table.slice(endpoints.length));
    const expected = (
      ['openai', 'azure', 'anthropic', 'gemini', 'bedrock', 'vertex', 'demo'] as const
    ).map((kind) => {
      const { speaks, maySpeak } = providerOf(kind);
      return [`\`${kind}\``, namesOf(speaks), namesOf(maySpeak)];
    });
    expect(rows).toEqual(expected);
  });

  it('lists every field that no upstream gets, and every one that is refused', () => {
    const section = sectionOf(text, 'Withheld and refused over every upstream');
    expect(fieldTable(section, 'Client protocol')).toEqual({
      'Chat Completions, Responses, Completions': [[...OPENAI_WITHHELD], []],
      Messages: [[...messagesFields.WITHHELD_FIELDS], [...messagesFields.REFUSED_FIELDS.keys()]],
      Gemini: [[...GEMINI_WITHHELD], []],
    });
  });

  it('lists the fields of a client that a translated request is without', () => {
    expect(fieldTable(translated, 'Client protocol')).toEqual({
      'Chat Completions': [CHAT_LEFT_OUT, CHAT_REFUSED],
      Messages: [MESSAGES_LEFT_OUT, MESSAGES_REFUSED],
      Gemini: [[...GEMINI_LEFT_OUT, ...LEFT_OUT_CONFIG], REFUSED_CONFIG],
    });
  });
});
