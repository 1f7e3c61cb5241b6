import { availableParallelism } from 'node:os';
import { UPSTREAM_KINDS } from '@weir/shared/catalog/channels';
import { CHANNEL_PROTOCOLS } from '@weir/shared/catalog/protocols';
import { nanoUsdFromDecimal } from '@weir/shared/money/money';
import { KEY_LETTERS_MAX, KEY_LETTERS_MIN } from '../secrets/api-key.ts';
import { LIMIT_SETTINGS } from './limit-settings.ts';
import {
  baseUrl,
  choice,
  flag,
  integer,
  list,
  originUrl,
  requiredText,
  text,
  url,
  usd,
} from './setting.ts';

const CORES = availableParallelism();
/** An e-mail address: what surrounds the @ is left to the mail server. */
const ADDRESS = String.raw`[^\s@,<>]{1,64}@[^\s@,<>]{1,189}`;

/**
 * Every environment variable Weir reads, with its default and meaning. docs/configuration.md is
 * checked against it.
 */
export const SETTINGS = {
  HOST: requiredText({
    fallback: '127.0.0.1',
    meaning: 'Address both servers listen on; 0.0.0.0 for every interface.',
  }),
  PORT: integer({ fallback: 8080, min: 0, max: 65_535, meaning: 'Port of the gateway.' }),
  ADMIN_PORT: integer({
    fallback: 8081,
    min: 0,
    max: 65_535,
    meaning: 'Port of the admin API and the console, and of /metrics in every role.',
  }),
  PUBLIC_URL: baseUrl({
    fallback: null,
    meaning: 'Base address that clients use, if it is not http://HOST:PORT.',
  }),
  ADMIN_URL: originUrl({
    fallback: null,
    meaning:
      'Address of the console in links and cookies, when it is not http://HOST:ADMIN_PORT. It has no path.',
  }),
  DATA_DIR: requiredText({
    fallback: './data',
    meaning: 'Folder of the embedded database and the generated SECRET_KEY.',
  }),
  DATABASE_URL: url({
    fallback: null,
    protocols: ['postgres:', 'postgresql:'],
    secret: true,
    meaning: 'PostgreSQL 15 or newer; unset runs the embedded database in DATA_DIR.',
  }),
  REDIS_URL: url({
    fallback: null,
    protocols: ['redis:', 'rediss:'],
    several: true,
    secret: true,
    meaning:
      'Redis 7 or newer; several addresses separated by commas are the nodes of a cluster, to which the user, password and TLS (rediss://) of the first apply. Unset keeps the ledger in PostgreSQL.',
  }),
  SECRET_KEY: text({
    fallback: null,
    secret: true,
    meaning:
      'At least 32 characters; key digests and stored credentials depend on it. Required with DATABASE_URL, generated in DATA_DIR otherwise.',
  }),
  SECRET_KEY_PREVIOUS: text({
    characters: 'opaque',
    fallback: null,
    secret: true,
    meaning:
      'The SECRET_KEY before the last change: what it sealed can be read, and API keys that were made under it go on working, only as long as this is set.',
  }),
  ROLE: choice({
    of: ['all', 'gateway', 'admin'],
    fallback: 'all',
    meaning: 'What this process runs: everything, only the data plane, or only the control plane.',
  }),
  GATEWAY_THREADS: integer({
    fallback: Math.max(1, CORES - 1),
    min: 1,
    max: 256,
    unit: 'threads',
    meaning: 'HTTP threads that share PORT (default: cores less one).',
  }),
  WORKER_THREADS: integer({
    fallback: Math.max(1, Math.ceil(CORES / 4)),
    min: 1,
    max: 256,
    unit: 'threads',
    meaning:
      'Threads that verify keys and count tokens, split over the HTTP threads, at least one each (default: a quarter of the cores).',
  }),
  LOG_LEVEL: choice({
    of: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    fallback: 'info',
    meaning: 'The least severe level that is logged.',
  }),
  UNAUTHENTICATED_LOG_LINES_PER_SECOND: integer({
    fallback: 100,
    min: 0,
    max: 1_000_000,
    unit: 'lines a second',
    meaning:
      'Log lines that an HTTP thread writes in a second about requests without a known key; those beyond are counted in one line.',
  }),
  REQUEST_LOG_ENTRIES_PER_SECOND: integer({
    fallback: 200,
    min: 0,
    max: 100_000,
    unit: 'entries a second',
    meaning:
      'Served requests that an HTTP thread enters into the request log in a second, in the long run; a burst may have as many as ten minutes. Those that earn nothing have a separate tenth, each sender of them a hundredth, and a burst of a quarter of an hour. Requests beyond are summed up, a row for each kind and minute. 0 sums up all.',
  }),
  ALLOW_PRIVATE_UPSTREAMS: flag({
    fallback: false,
    meaning: 'Lets channels point at loopback, link-local and private addresses.',
  }),
  TRUSTED_PROXY_HOPS: integer({
    fallback: 0,
    min: 0,
    max: 10,
    unit: 'proxies',
    meaning:
      'Proxies in front whose X-Forwarded-For entries are believed when the client address is read.',
  }),
  REUSE_CONNECTIONS: flag({
    fallback: true,
    meaning:
      'False closes every connection to PORT with its reply: for load balancers that keep idle ones longer than 5 s whatever is set.',
  }),
  UWS_MODULE: requiredText({
    fallback: 'uWebSockets.js',
    meaning:
      'Build of uWebSockets.js that serves PORT: a package, or the path of one. Unset is what package.json brings.',
  }),
  METRICS_TOKEN: text({
    characters: 'ascii',
    fallback: null,
    secret: true,
    shape: { pattern: /^\S{16,}$/, expected: 'at least 16 characters without spaces' },
    meaning:
      'Bearer token that GET /metrics demands; without it only loopback and private addresses get metrics, and no request through a proxy.',
  }),

  SMTP_URL: url({
    fallback: null,
    protocols: ['smtp:', 'smtps:'],
    secret: true,
    meaning:
      'Mail server for links, alerts and notices; unset writes links to the log and sends nothing else.',
  }),
  MAIL_FROM: requiredText({
    fallback: 'Weir <weir@localhost>',
    shape: {
      pattern: new RegExp(`^(?:(?:"[^"<>]*" *|[^",<>]*)<${ADDRESS}>|${ADDRESS})$`),
      expected: 'one address such as weir@example.com or Weir <weir@example.com>',
    },
    meaning: 'Sender of those mails.',
  }),
  STRIPE_SECRET_KEY: text({
    characters: 'ascii',
    fallback: null,
    secret: true,
    meaning: 'Turns top-ups and plans by Stripe Checkout on.',
  }),
  STRIPE_WEBHOOK_SECRET: text({
    characters: 'ascii',
    fallback: null,
    secret: true,
    meaning: 'Verifies Stripe’s webhooks; without it they are refused.',
  }),

  BOOTSTRAP_ADMIN_EMAIL: requiredText({
    fallback: 'admin@localhost',
    shape: {
      pattern: new RegExp(`^${ADDRESS}$`),
      expected: 'an e-mail address such as admin@example.com',
    },
    meaning: 'First start: e-mail of the administrator.',
  }),
  BOOTSTRAP_ADMIN_PASSWORD: text({
    characters: 'opaque',
    fallback: null,
    secret: true,
    shape: { pattern: /^.{10,200}$/su, expected: '10 to 200 characters' },
    meaning: 'First start: password of the administrator; generated and printed when unset.',
  }),
  BOOTSTRAP_API_KEY: text({
    fallback: null,
    secret: true,
    shape: {
      pattern: new RegExp(`^sk-[0-9A-Za-z]{${KEY_LETTERS_MIN},${KEY_LETTERS_MAX}}$`),
      expected: `"sk-" and ${KEY_LETTERS_MIN} to ${KEY_LETTERS_MAX} letters and digits`,
    },
    meaning:
      'First start: the first key, "sk-" and at least 27 letters and digits; generated and printed when unset.',
  }),
  BOOTSTRAP_CREDIT_USD: usd({
    fallback: 10_000_000_000,
    parse: nanoUsdFromDecimal,
    meaning: 'First start: credit of the administrator’s account in USD.',
  }),
  UPSTREAM_BASE_URL: url({
    characters: 'ascii',
    fallback: null,
    protocols: ['http:', 'https:'],
    meaning:
      'First start: the base address of an upstream that takes the place of the demo channel, such as https://api.openai.com/v1 or https://api.anthropic.com.',
  }),
  UPSTREAM_KIND: choice({
    of: UPSTREAM_KINDS,
    fallback: 'openai',
    meaning:
      'First start: what is at UPSTREAM_BASE_URL: openai and what is compatible with it, anthropic, gemini, azure, bedrock or vertex.',
  }),
  UPSTREAM_PROTOCOLS: list({
    fallback: [],
    shape: {
      pattern: new RegExp(`^(?:${CHANNEL_PROTOCOLS.join('|')})$`),
      expected: `some of ${CHANNEL_PROTOCOLS.join(', ')}`,
    },
    meaning:
      'First start: the protocols that an upstream of kind openai or azure speaks, the best first, separated by commas, such as openai-chat,openai-responses. Unset: the usual ones of its kind.',
  }),
  UPSTREAM_API_KEY: text({
    characters: 'credential',
    fallback: null,
    secret: true,
    meaning: 'First start: the credential for UPSTREAM_BASE_URL.',
  }),
  UPSTREAM_MODELS: list({
    fallback: [],
    shape: {
      pattern: /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}$/,
      expected: 'model IDs of letters, digits and . _ : / @ + -',
    },
    meaning:
      'First start: model IDs served by UPSTREAM_BASE_URL, separated by commas; all seeded models of its kind when unset. An ID that is not among those is billed like the most expensive of them until it gets a price.',
  }),

  ...LIMIT_SETTINGS,
} as const;
