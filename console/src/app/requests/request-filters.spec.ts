import { expect, it } from 'vitest';
import { REQUEST_CODES, RequestFilters } from './request-filters';

const NOW_MS = Date.parse('2026-03-04T12:00:00.000Z');

it('asks for what was chosen, and for nothing else', () => {
  const filters = new RequestFilters(() => NOW_MS);
  // The address leaves out what is empty.
  const asked = (): object =>
    Object.fromEntries(Object.entries(filters.query()).filter(([, value]) => value !== ''));
  expect(asked()).toEqual({ from: '2026-03-03T12:00:00.000Z' });
  filters.range.set('all');
  expect(asked()).toEqual({});
  filters.outcome.set('failed');
  filters.code.set('upstream_error');
  expect(asked()).toEqual({ outcome: 'failed', code: 'upstream_error' });
  expect(filters.any()).toBe(true);
  filters.clear();
  expect(asked()).toEqual({});
  expect(filters.any()).toBe(false);
});

it('offers codes of requests, none that only the console meets', () => {
  expect(REQUEST_CODES).toContain('upstream_error');
  expect(REQUEST_CODES).toContain('upstream_disconnected');
  expect(REQUEST_CODES).not.toContain('role_required');
  expect(new Set(REQUEST_CODES).size).toBe(REQUEST_CODES.length);
});
