import { expect, it } from 'vitest';
import { REQUEST_CODES, RequestFilters } from './request-filters';

const NOW_MS = Date.parse('2026-03-04T12:00:00.000Z');
const ID = '01a1fd85-7715-7fed-a767-b935f6226f94';

/** The query of the list when the address says something; the API leaves out what is empty. */
function asked(address: string): object {
  const filters = new RequestFilters(() => NOW_MS);
  const parameters = new URLSearchParams(address);
  filters.read((name) => parameters.get(name));
  const sent = Object.entries(filters.query()).filter(([, value]) => value !== '');
  return { any: filters.any(), ...Object.fromEntries(sent) };
}

it('asks for what the address says, and for nothing else', () => {
  expect(asked('')).toEqual({ any: false, from: '2026-03-03T12:00:00.000Z' });
  expect(asked('range=all')).toEqual({ any: false });
  expect(asked('range=all&outcome=failed&code=upstream_error&model=a%2Fb')).toEqual({
    any: true,
    outcome: 'failed',
    code: 'upstream_error',
    model: 'a/b',
  });
  expect(asked(`range=all&key=${ID}&account=${ID}&channel=${ID}`)).toEqual({
    any: true,
    keyId: ID,
    accountId: ID,
    channelId: ID,
  });
});

it('asks for a period in place of a range', () => {
  const [from, to] = ['2026-03-04T08:00:00.000Z', '2026-03-04T09:00:00.000Z'];
  expect(asked(`range=week&from=${from}&to=${to}`)).toEqual({ any: true, from, to });
});

it('takes nothing from an address that was mistyped', () => {
  const usual = { any: false, from: '2026-03-03T12:00:00.000Z' };
  expect(asked('range=year&outcome=bad&key=7&from=yesterday&to=today')).toEqual(usual);
});

it('offers codes of requests, none that only the console meets', () => {
  expect(REQUEST_CODES).toContain('upstream_error');
  expect(REQUEST_CODES).toContain('upstream_disconnected');
  expect(REQUEST_CODES).not.toContain('role_required');
  expect(new Set(REQUEST_CODES).size).toBe(REQUEST_CODES.length);
});
