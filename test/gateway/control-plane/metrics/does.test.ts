import fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { serveMetrics } from '../../../../gateway/control-plane/metrics/serve-metrics.ts';

const TOKEN = 'a-token-for-Prometheus';
const METRICS = 'weir_requests_total 7\n';

function serving(token: string | null) {
  const app = fastify();
  serveMetrics(app, { token, render: () => Promise.resolve(METRICS) });
  return app;
}

const guarded = serving(TOKEN);
const open = serving(null);
afterAll(() => Promise.all([guarded.close(), open.close()]));

describe('metrics with METRICS_TOKEN', () => {
  it.each([
    ['the token', { authorization: `Bearer ${TOKEN}` }, 200],
    ['the token through a proxy', { authorization: `bearer ${TOKEN}`, via: 'x' }, 200],
    ['another', { authorization: 'Bearer another-token' }, 401],
    ['a part of it', { authorization: 'Bearer a-token' }, 401],
    ['nothing, also from this machine', {}, 401],
  ])('answer %s', async (_what, headers, status) => {
    const answered = await guarded.inject({ url: '/metrics', headers, remoteAddress: '127.0.0.1' });
    expect(answered.statusCode).toBe(status);
    expect(answered.body.includes('weir_requests_total')).toBe(status === 200);
    if (status === 401) {
      expect(answered.headers['www-authenticate']).toBe('Bearer');
      expect(answered.json()).toMatchObject({ code: 'not_authenticated' });
      expect(answered.body).toContain('METRICS_TOKEN');
    }
  });
});

describe('metrics without METRICS_TOKEN', () => {
  it.each(['127.0.0.1', '::1', '::ffff:172.17.0.1', '10.1.2.3', '192.168.1.2', 'fd00::1'])(
    'are told to %s, and not when it speaks for another',
    async (remoteAddress) => {
      const near = await open.inject({ url: '/metrics', remoteAddress });
      expect([near.statusCode, near.body]).toEqual([200, METRICS]);
      for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
        const headers = { [name]: '10.1.2.3' };
        const proxied = await open.inject({ url: '/metrics', remoteAddress, headers });
        expect(proxied.statusCode).toBe(401);
        expect(proxied.body).toContain('METRICS_TOKEN');
      }
    },
  );

  it.each(['203.0.113.7', '8.8.8.8', '2600::1', '2002:808:808::1', '::ffff:8.8.8.8', 'nonsense'])(
    'are not told to %s',
    async (remoteAddress) => {
      const far = await open.inject({ url: '/metrics', remoteAddress });
      expect(far.statusCode).toBe(401);
      expect(far.body).not.toContain('weir_requests_total');
    },
  );
});
