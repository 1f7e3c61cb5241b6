import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CaptchaProvider } from '@weir/shared/people/settings';
import { refuse } from '../../platform/errors/refusal.ts';
import { sendProblem } from '../api/problem-reply.ts';

/** In index.html wherever a nonce belongs: Angular marks the style elements it makes with it. */
const NONCE_PLACEHOLDER = 'CSP_NONCE_PLACEHOLDER';
const NONCE_BYTES = 16;

/**
 * Files whose names end in a hash of their content, eight characters of base64url, never change.
 */
const HASHED_NAME = /-[A-Za-z0-9_-]{8}\.(?:js|css|woff2?|svg|png|webp)(?:\.(?:br|gz))?$/;
const YEAR_SECONDS = 31_536_000;

/**
 * Paths of a build's files: plain names with an ending. No other path is served, so dots and
 * escapes lead nowhere.
 */
const PLAIN_FILE = /^(?:\/[A-Za-z0-9_-]+)*\/[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/;
/** It goes out with a nonce, never as it is. */
const PAGE_PATH = '/index.html';

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? '';
}

const CLOUDFLARE = ' https://challenges.cloudflare.com';
const HCAPTCHA = ' https://hcaptcha.com https://*.hcaptcha.com';

/**
 * Hosts that a captcha's widget needs:
 * https://developers.cloudflare.com/turnstile/reference/content-security-policy/ and
 * https://docs.hcaptcha.com/#content-security-policy-settings
 */
const CAPTCHA_HOSTS: Readonly<
  Record<CaptchaProvider, Readonly<Record<'script' | 'frame' | 'style' | 'connect', string>>>
> = {
  none: { script: '', frame: '', style: '', connect: '' },
  turnstile: { script: CLOUDFLARE, frame: CLOUDFLARE, style: '', connect: '' },
  hcaptcha: { script: HCAPTCHA, frame: HCAPTCHA, style: HCAPTCHA, connect: HCAPTCHA },
};

/**
 * Scripts only from here and from the captcha that the operator chose; styles from here or with the
 * page's nonce; nothing may frame it. The playground talks to the gateway, which has an origin of
 * its own.
 */
export function contentSecurityPolicy(
  nonce: string | null,
  gatewayUrl: string,
  captcha: CaptchaProvider = 'none',
): string {
  const styles = nonce === null ? "'self'" : `'self' 'nonce-${nonce}'`;
  const { script, frame, style, connect } = CAPTCHA_HOSTS[captcha];
  return [
    "default-src 'none'",
    `script-src 'self'${script}`,
    `style-src ${styles}${style}`,
    "img-src 'self' data: blob:",
    'media-src blob:',
    "font-src 'self'",
    `connect-src 'self' ${new URL(gatewayUrl).origin}${connect}`,
    ...(frame === '' ? [] : [`frame-src${frame}`]),
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Probes and curl ask for the root with any `Accept` or none. Elsewhere a missing file must stay a
 * 404.
 */
function acceptsPage(request: FastifyRequest): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isRoot = pathOf(request) === '/';
  return isRead && (isRoot || (request.headers.accept ?? '').includes('text/html'));
}

interface PagePolicy {
  readonly gatewayUrl: string;
  readonly captcha: CaptchaProvider;
}

function sendPage(
  reply: FastifyReply,
  page: string,
  { gatewayUrl, captcha }: PagePolicy,
): FastifyReply {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', contentSecurityPolicy(nonce, gatewayUrl, captcha))
    .send(page.replaceAll(NONCE_PLACEHOLDER, nonce));
}

const NOT_BUILT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Weir</title></head>
<body><h1>Weir</h1><p>The console is not built here. The admin API answers under
<a href="/api/reference">/api/reference</a>.</p></body></html>`;

/**
 * Reads the page of the console each time, because a newer build puts another in its place,
 * which names other files. While one is being built there is none for a moment; then the last one
 * that was read serves.
 */
function pageReader(folder: string): () => Promise<string> {
  const path = join(folder, 'index.html');
  let last = readFileSync(path, 'utf8');
  return async () => {
    last = (await readFile(path, 'utf8').catch(() => '')) || last;
    return last;
  };
}

/** Files that a browser loads for a page and never shows as one. */
const PART_OF_A_PAGE = /\.(?:js|css|woff2)(?:\.br|\.gz)?$/;
/** They say something of documents alone, and a first visit loads dozens of files. */
const HEADERS_OF_PAGES = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

/**
 * Serves the built console with the admin API: its files as they are, and its page for every other
 * address that a browser asks for, because the console has routes of its own.
 */
export async function serveConsole(
  app: FastifyInstance,
  options: {
    readonly folder: string | null;
    readonly gatewayUrl: string;
    readonly readCaptcha: () => Promise<CaptchaProvider>;
  },
): Promise<void> {
  const { folder, gatewayUrl, readCaptcha } = options;
  const readPage = folder === null ? () => Promise.resolve(NOT_BUILT) : pageReader(folder);
  if (folder !== null) {
    await app.register(fastifyStatic, {
      root: folder,
      serve: false,
      index: false,
      // A build puts compressed files next to those that are worth it.
      preCompressed: true,
      etag: true,
      lastModified: false,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const seconds = HASHED_NAME.test(path) ? YEAR_SECONDS : 0;
        const value = seconds === 0 ? 'no-cache' : `public, max-age=${String(seconds)}, immutable`;
        void reply.header('cache-control', value);
        if (!PART_OF_A_PAGE.test(path)) return;
        for (const name of HEADERS_OF_PAGES) void reply.removeHeader(name);
      },
    });
    // Files are looked for when they are asked for: those of a newer build are there without a new
    // start. They cost next to nothing, and an office behind one address loads dozens with every
    // first visit.
    app.get('/*', { config: { rateLimit: false } }, async (request, reply) => {
      const path = pathOf(request);
      if (PLAIN_FILE.test(path) && path !== PAGE_PATH) return reply.sendFile(path.slice(1));
      reply.callNotFound();
      return reply;
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    const isApi = request.url === '/api' || request.url.startsWith('/api/');
    if (!isApi && acceptsPage(request)) {
      const [page, captcha] = await Promise.all([readPage(), readCaptcha()]);
      return sendPage(reply, page, { gatewayUrl, captcha });
    }
    sendProblem(
      reply,
      refuse('unknown_url', `${request.method} ${pathOf(request)} is not a path here.`),
    );
    return reply;
  });
}
