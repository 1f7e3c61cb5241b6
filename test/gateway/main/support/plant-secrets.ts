import { ADMIN_API_ROOT, ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import type { AdminRoute } from '@weir/shared/api/admin-route';
import { ENDPOINTS } from '../../../../gateway/protocols/registry.ts';
import { anyKey } from '../../../support/clients/planted-keys.ts';
import { sampleBody, sampleParams } from '../../control-plane/support/sample-bodies.ts';

/** A request with a secret in some of its texts. */
export interface PlantedRequest {
  readonly on: 'gateway' | 'admin';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly secret: string;
  /** The texts that have the secret. */
  readonly places: readonly string[];
}

export interface PlantOptions {
  readonly random: () => number;
  readonly key: string;
  readonly model: string;
  readonly cookie: string;
}

/** Texts around a secret. */
const AROUND: readonly (readonly [string, string])[] = [
  ['', ''],
  ['', ''],
  ['the key ', '.'],
  ['"', '"'],
  ['key=', ''],
  ['line\n', '\nline'],
  ['models/', ''],
  ['（', '）'],
];

const MESSAGES = [{ role: 'user', content: 'Hello' }];
const BODIES: Readonly<Record<string, object>> = {
  'chat/completions': { messages: MESSAGES, tools: [], stop: ['x'], user: 'u', stream: true },
  responses: {
    input: 'Hello',
    tool_choice: 'auto',
    previous_response_id: null,
    metadata: { a: 'b' },
  },
  messages: { max_tokens: 10, messages: MESSAGES, system: 's', metadata: { user_id: 'u' } },
  embeddings: { input: 'Hello', encoding_format: 'float' },
  completions: { prompt: 'Hello', suffix: 's' },
};
const CONTENTS = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], labels: { a: 'b' } };

/** Paths that lead to nothing, or to something that is stored. */
const OTHER_PATHS: readonly (readonly [string, string])[] = [
  ['GET', '/v1/models'],
  ['GET', '/v1/models/SECRET'],
  ['GET', '/v1/responses/SECRET'],
  ['DELETE', '/v1/responses/SECRET'],
  ['GET', '/v1/conversations/SECRET/items/SECRET'],
  ['POST', '/v1/conversations'],
  ['GET', '/v1beta/models/SECRET'],
  ['POST', '/v1/SECRET'],
  ['POST', '/openai/deployments/SECRET/chat/completions'],
  ['GET', '/SECRET'],
  ['OPTIONS', '/v1/chat/completions'],
];

/** Headers whose values some step reads, and one that none does. */
const HEADERS = [
  'user-agent',
  'content-type',
  'content-encoding',
  'accept',
  'origin',
  'referer',
  'cookie',
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'x-forwarded-for',
  'x-request-id',
  'anthropic-beta',
  'anthropic-version',
  'openai-organization',
  'idempotency-key',
  'if-match',
  'access-control-request-headers',
  'traceparent',
  'x-anything',
] as const;

/** Routes that would end the session or the test's own means. */
const LEFT_OUT: readonly RouteId[] = ['logOut', 'receiveStripeWebhook'];
const ROUTES = Object.entries<AdminRoute>(ADMIN_ROUTES).filter(
  ([id]) => !LEFT_OUT.includes(id as RouteId),
);

class Planter {
  readonly #options: PlantOptions;
  readonly secret: string;
  readonly places: string[] = [];

  constructor(options: PlantOptions) {
    this.#options = options;
    this.secret = anyKey(options.random);
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.#options.random() * list.length)];
    if (picked === undefined) throw new Error('there is nothing to pick from');
    return picked;
  }

  chance(share: number): boolean {
    return this.#options.random() < share;
  }

  /** The secret with something around it. */
  text(place: string): string {
    this.places.push(place);
    const [before, after] = this.pick(AROUND);
    return before + this.secret + after;
  }

  /** An address that has the secret in its path, its query or in neither. */
  path(template: string): string {
    const encoded = encodeURIComponent(this.secret);
    if (template.includes('SECRET')) this.places.push('path');
    let path = template.replaceAll('SECRET', encoded);
    if (this.chance(0.2)) {
      const pair = this.chance(0.5) ? `key=${encoded}` : `${encoded}=1&search=x`;
      path += `${path.includes('?') ? '&' : '?'}${pair}`;
      this.places.push('query');
    }
    return path;
  }

  headers(fixed: Readonly<Record<string, string>>): Record<string, string> {
    const headers: Record<string, string> = { ...fixed };
    if (this.chance(0.4)) {
      const name = this.pick(HEADERS);
      const value = this.text(`header ${name}`).replace(/[^\x20-\x7e]/g, ' ');
      headers[name] = name === 'cookie' ? `${headers['cookie'] ?? 'a=b'}; c=${value}` : value;
    }
    if (this.chance(0.1) && /^[\w-]+$/.test(this.secret)) {
      headers[`x-${this.secret}`.toLowerCase()] = '1';
      headers[this.secret] = '1';
      this.places.push('header name');
    }
    return headers;
  }

  /** The value with the secret in place of some texts, names and members. */
  value(value: unknown, path = 'body'): unknown {
    if (Array.isArray(value)) {
      const items = value.map((item: unknown, index) => this.value(item, `${path}[${index}]`));
      return this.chance(0.05) ? [...items, this.text(`${path}[]`)] : items;
    }
    if (typeof value === 'object' && value !== null) {
      const members = Object.entries<unknown>({ ...value }).map(
        ([name, member]): [string, unknown] =>
          this.chance(0.04)
            ? [this.text(`${path} name`), member]
            : [name, this.value(member, `${path}.${name}`)],
      );
      if (this.chance(0.25)) members.push(['unknown', this.text(`${path}.unknown`)]);
      if (this.chance(0.05)) members.push([this.secret, { a: this.text(`${path}.*.a`) }]);
      return Object.fromEntries(members);
    }
    return this.chance(typeof value === 'string' ? 0.3 : 0.1) ? this.text(path) : value;
  }

  body(sample: object | undefined): string | undefined {
    if (sample === undefined && !this.chance(0.1)) return undefined;
    const json = JSON.stringify(this.value(sample ?? {}));
    if (!this.chance(0.06)) return json;
    // No JSON any more.
    return this.chance(0.5) ? json.slice(0, -2) : `${this.text('raw body')}${json}`;
  }

  multipart(): string {
    const name = this.text('multipart name').replace(/[\r\n"]/g, '');
    const text = this.text('multipart text');
    return `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n${text}\r\n--b--\r\n`;
  }
}

/** A request of a client. */
function onGateway(planter: Planter, { key, model }: PlantOptions): Omit<PlantedRequest, 'on'> {
  const auth = planter.pick([
    { authorization: `Bearer ${key}` },
    { 'x-api-key': key },
    { 'x-goog-api-key': key },
  ]);
  const headers = planter.headers({ 'content-type': 'application/json', ...auth });
  const { secret, places } = planter;
  if (planter.chance(0.25)) {
    const [method, template] = planter.pick(OTHER_PATHS);
    if (method === 'OPTIONS') headers['access-control-request-headers'] = `x-a, ${secret}`;
    const body = method === 'POST' ? planter.body({ items: [] }) : undefined;
    return { method, path: planter.path(template), headers, body, secret, places };
  }
  const { path } = planter.pick(ENDPOINTS.filter((endpoint) => 'creates' in endpoint));
  const isNamed = path.includes('{model}') || path.startsWith('models/');
  const inPath = planter.chance(0.3) ? 'SECRET' : model;
  const base = isNamed ? '/v1beta/' : '/v1/';
  const sample = isNamed ? CONTENTS : { model, ...(BODIES[path] ?? { messages: MESSAGES }) };
  const isForm = planter.chance(0.04);
  if (isForm) headers['content-type'] = 'multipart/form-data; boundary=b';
  return {
    method: 'POST',
    path: planter.path(base + path.replace(/\{\w+\}|:model/g, inPath)),
    headers,
    body: isForm ? planter.multipart() : planter.body(sample),
    secret,
    places,
  };
}

/** A request to the admin API, or to the console next to it. */
function onAdmin(planter: Planter, { cookie, random }: PlantOptions): Omit<PlantedRequest, 'on'> {
  const { secret, places } = planter;
  const address = Array.from({ length: 3 }, () => 1 + Math.floor(random() * 250)).join('.');
  // Of an address of its own each, as requests are counted by address.
  const fixed = { cookie, 'x-forwarded-for': `11.${address}`, 'if-match': '*' };
  const headers = planter.headers({ ...fixed, 'idempotency-key': `k-${random()}` });
  if (planter.chance(0.08)) {
    const template = planter.pick([
      '/api/v1/SECRET',
      '/SECRET',
      '/api/problems/SECRET',
      '/metrics',
    ]);
    return {
      method: 'GET',
      path: planter.path(template),
      headers,
      body: undefined,
      secret,
      places,
    };
  }
  const [id, route] = planter.pick(ROUTES);
  const params = sampleParams(route.path);
  const path = route.path.replace(/:(\w+)/g, (_match, name: string) =>
    planter.chance(0.2) ? 'SECRET' : (params[name] ?? ''),
  );
  const sample = sampleBody(id as RouteId);
  const isForm = planter.chance(0.03);
  const body = isForm ? planter.multipart() : planter.body(sample);
  if (body !== undefined && !('content-type' in headers)) {
    headers['content-type'] = isForm ? 'multipart/form-data; boundary=b' : 'application/json';
  }
  const sent = route.method === 'GET' ? undefined : body;
  return {
    method: route.method,
    path: planter.path(ADMIN_API_ROOT + path),
    headers,
    body: sent,
    secret,
    places,
  };
}

export function plantedRequest(options: PlantOptions): PlantedRequest {
  const planter = new Planter(options);
  return planter.chance(0.5)
    ? { on: 'gateway', ...onGateway(planter, options) }
    : { on: 'admin', ...onAdmin(planter, options) };
}
