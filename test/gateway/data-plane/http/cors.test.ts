import { describe, expect, it } from 'vitest';
import { growth } from '../../platform/support/growth.ts';
import { preflightHeaders, REPLY_HEADERS } from '../../../../gateway/data-plane/http/cors.ts';

function preflight(requested: string): Record<string, string> {
  return Object.fromEntries(preflightHeaders(requested, ''));
}

describe('REPLY_HEADERS', () => {
  it('lets every page read replies, and names the headers it may read', () => {
    const headers: Record<string, string> = Object.fromEntries(REPLY_HEADERS);
    expect(headers['access-control-allow-origin']).toBe('*');
    const exposed = headers['access-control-expose-headers']?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['x-request-id', 'retry-after', 'retry-after-ms', 'x-should-retry']),
    );
    expect(exposed).not.toContain('*');
  });
});

describe('preflightHeaders', () => {
  it.each([
    'authorization,content-type',
    'authorization, content-type, x-stainless-os',
    'x-title',
    'X-Custom_Header.1',
  ])('allows what is asked for: %s', (requested) => {
    expect(preflight(requested)['access-control-allow-headers']).toBe(requested);
  });

  it.each([
    '',
    '*',
    '*, ,',
    'a b',
    'a\r\nset-cookie: b',
    'a: b',
    'é',
    ',a',
    'a,',
    Array.from({ length: 500 }, (_, index) => `x-header-${index}`).join(','),
  ])('falls back to what clients usually send when asked %j', (requested) => {
    const allowed = preflight(requested)['access-control-allow-headers']?.split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'x-api-key', 'x-stainless-os']),
    );
    expect(allowed).not.toContain('*');
  });

  it('lets a page of the internet call a gateway on a private address, when it asks', () => {
    const name = 'access-control-allow-private-network';
    expect(Object.fromEntries(preflightHeaders('', 'true'))).toMatchObject({ [name]: 'true' });
    expect(preflight('')).not.toHaveProperty(name);
    expect(Object.fromEntries(preflightHeaders('', 'false'))).not.toHaveProperty(name);
  });

  it('allows the methods of the interface for a day', () => {
    const headers = preflight('authorization');
    expect(headers['access-control-allow-methods']).toBe('GET, POST, DELETE, OPTIONS');
    expect(headers['access-control-max-age']).toBe('86400');
  });

  it.each(['a ,', 'a'])(
    'does not try every way to read a list that is built to be slow: %j',
    (unit) => {
      const read = (times: number): void => {
        for (let turn = 0; turn < 200; turn += 1) preflight(`${unit.repeat(times)}é`);
      };
      // An expression that may be read in two ways at each letter would take a thousand times as
      // long.
      expect(growth(read, 10, 20)).toBeLessThan(30);
    },
  );
});
