import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminFixture, type AdminFixture } from '../support/fixture.ts';

let fixture: AdminFixture;
let folder: string;

const PAGE = `<!doctype html><html><head></head><body><app-root ngCspNonce="CSP_NONCE_PLACEHOLDER"></app-root>
<script src="main-ABCDEF12.js" type="module"></script></body></html>`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weir-console-'));
  mkdirSync(join(folder, 'media'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'main-ABCDEF12.js'), 'export {};');
  writeFileSync(join(folder, 'main-ABCDEF12.js.gz'), gzipSync('export {};'));
  writeFileSync(join(folder, 'chunk-BN9d-osz.js'), 'export {};');
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(join(folder, 'media', 'font-12345678.woff2'), 'font');
  writeFileSync(join(tmpdir(), 'weir-console-secret.txt'), 'secret');
  fixture = await createAdminFixture({
    consoleFolder: folder,
    gatewayUrl: 'https://gateway.test:8080',
    limits: { requestsPerMinute: 5 },
  });
});
afterAll(async () => {
  await fixture.close();
  rmSync(folder, { recursive: true });
  rmSync(join(tmpdir(), 'weir-console-secret.txt'));
});

function get(url: string, accept = 'text/html') {
  return fixture.app.inject({ url, headers: { accept } });
}

describe('the console', () => {
  it.each([['/'], ['/keys'], ['/billing?order=1'], ['/index.html']])(
    'is served at %s with a policy that allows no inline script',
    async (url) => {
      const page = await get(url);
      expect(page.statusCode).toBe(200);
      expect(page.headers['content-type']).toContain('text/html');
      expect(page.headers['cache-control']).toBe('no-store');
      const policy = String(page.headers['content-security-policy']);
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toContain('unsafe');
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("connect-src 'self' https://gateway.test:8080");
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
      expect(page.body).toContain(`ngCspNonce="${String(nonce)}"`);
    },
  );

  it.each([['*/*'], ['']])('answers a probe that accepts "%s" with the page', async (accept) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const page = await fixture.app.inject({ method, url: '/?probe=1', headers: { accept } });
      expect(page.statusCode).toBe(200);
      expect(page.headers['content-type']).toContain('text/html');
    }
  });

  it('loads its files uncounted, which come by the dozen, unlike what is asked of the API', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const file = await get('/favicon.svg');
      expect(file.statusCode).toBe(200);
      expect(file.headers['x-ratelimit-remaining']).toBeUndefined();
    }
    const statuses: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) statuses.push((await fixture.ask('getHealth')).status);
    expect(statuses.at(-1)).toBe(429);
  });

  it('gets another nonce each time', async () => {
    const [one, other] = [await get('/'), await get('/')];
    expect(one.body).not.toBe(other.body);
  });

  it('keeps files whose names tell their content for ever, others for no time', async () => {
    for (const url of ['/main-ABCDEF12.js', '/chunk-BN9d-osz.js', '/media/font-12345678.woff2']) {
      const file = await get(url, '*/*');
      expect(file.statusCode).toBe(200);
      expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
    const icon = await get('/favicon.svg', '*/*');
    expect(icon.headers['cache-control']).toBe('no-cache');
    const again = await fixture.app.inject({
      url: '/favicon.svg',
      headers: { 'if-none-match': String(icon.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
  });

  it.each([
    ['/../weir-console-secret.txt'],
    ['/..%2fweir-console-secret.txt'],
    ['/media/..%2f..%2fweir-console-secret.txt'],
    ['/%2e%2e/weir-console-secret.txt'],
  ])('never leaves its folder: %s', async (url) => {
    expect((await get(url, '*/*')).body).not.toContain('secret"');
    expect((await get(url)).body).not.toBe('secret');
  });

  it('leaves unknown paths of the API and unknown files to a problem', async () => {
    for (const [url, accept] of [
      ['/api/v1/nothing', 'text/html'],
      ['/api', 'text/html'],
      ['/missing.js', '*/*'],
    ] as const) {
      const answer = await get(url, accept);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'unknown_url' });
    }
    const posted = await fixture.app.inject({ method: 'POST', url: '/keys', payload: {} });
    expect(posted.statusCode).toBe(404);
  });

  it('sends a compressed file to clients that accept it', async () => {
    const file = await fixture.app.inject({
      url: '/main-ABCDEF12.js',
      headers: { accept: '*/*', 'accept-encoding': 'gzip, deflate, br' },
    });
    expect(file.statusCode).toBe(200);
    expect(file.headers['content-encoding']).toBe('gzip');
    expect(file.headers['content-type']).toContain('javascript');
    expect(file.headers.vary).toContain('accept-encoding');
    expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(gunzipSync(file.rawPayload).toString()).toBe('export {};');
    const plain = await get('/main-ABCDEF12.js', '*/*');
    expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, 'export {};']);
  });

  it('serves a newer build without a new start, and the last page while there is none', async () => {
    const page = join(folder, 'index.html');
    rmSync(page);
    expect((await get('/')).body).toContain('main-ABCDEF12.js');
    writeFileSync(page, PAGE.replace('ABCDEF12', 'NEWER123'));
    writeFileSync(join(folder, 'main-NEWER123.js'), 'export const newer = true;');
    expect((await get('/keys')).body).toContain('main-NEWER123.js');
    const script = await get('/main-NEWER123.js', '*/*');
    expect([script.statusCode, script.body]).toEqual([200, 'export const newer = true;']);
    rmSync(join(folder, 'main-NEWER123.js'));
    expect((await get('/main-NEWER123.js', '*/*')).json()).toMatchObject({ code: 'unknown_url' });
    writeFileSync(page, PAGE);
  });

  it('sends parts of a page without what is said of pages, and still as what they are', async () => {
    writeFileSync(join(folder, 'main-PARTS123.js'), 'export const part = true;');
    writeFileSync(join(folder, 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const { headers } = await get('/main-PARTS123.js', '*/*');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['content-security-policy']).toBeUndefined();
    expect(headers['x-frame-options']).toBeUndefined();
    // A picture can be opened as a page of its own.
    const picture = await get('/mark.svg', '*/*');
    expect(picture.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('answers with headers that keep others out', async () => {
    const { headers } = await get('/');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-powered-by']).toBeUndefined();
  });
});

describe('without a built console', () => {
  it('the root tells where the API is', async () => {
    const bare = await createAdminFixture();
    const page = await bare.app.inject({ url: '/', headers: { accept: 'text/html' } });
    expect(page.body).toContain('/api/reference');
    await bare.close();
  });
});
