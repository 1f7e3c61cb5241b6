import { expect, it } from 'vitest';
import { REQUEST_CODES, RequestFilters } from './request-filters';

const NOW_MS = Date.parse('2026-03-04T12:00:00.000Z');
const ID = '01a1fd85-7715-7fed-a767-b935f6226f94';

function filtersOf(address: string): RequestFilters {
  const filters = new RequestFilters(
    () => NOW_MS,
    () => '2026-03-04',
  );
  const parameters = new URLSearchParams(address);
  filters.read((name) => parameters.get(name));
  return filters;
}

/** The query of the list when the address says something; the API leaves out what is empty. */
function asked(address: string): object {
  const filters = filtersOf(address);
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
  expect(asked(`range=all&key=${ID}&account=${ID}&channel=${ID}&group=${ID}`)).toEqual({
    any: true,
    keyId: ID,
    accountId: ID,
    channelId: ID,
    groupId: ID,
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

it('shows the same days in the list, the chart and the export', () => {
  const filters = filtersOf('range=month&model=a&outcome=failed&code=client_disconnected');
  const from = '2026-02-03';
  expect(filters.query()).toMatchObject({ from: `${from}T00:00:00.000Z`, to: '', model: 'a' });
  expect(filters.chartQuery()).toMatchObject({
    ...{ from, to: '2026-03-04', per: 'day', model: 'a' },
    ...{ outcome: 'failed', status: 'client_disconnected' },
  });
  expect(filters.billQuery()).toMatchObject({
    from: `${from}T00:00:00.000Z`,
    status: 'client_disconnected',
  });
});

it('shows the latest 24 hours in the chart, and of whole days in a period each hour', () => {
  const day = filtersOf('');
  expect(day.chartQuery()).toMatchObject({ from: '2026-03-03', to: '2026-03-04', per: 'hour' });
  const row = { of: null, label: null, requests: 1, costUsd: '1' };
  const tokens = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 };
  const hours = [11, 12].map((hour) => ({ ...row, ...tokens, day: '2026-03-03', hour }));
  expect(day.sinceSlot(hours).map(({ hour }) => hour)).toEqual([12]);
  const period = filtersOf('from=2026-02-01T00:00:00.000Z&to=2026-02-03T00:00:00.000Z');
  expect(period.chartQuery()).toMatchObject({ from: '2026-02-01', to: '2026-02-02', per: 'hour' });
});

it('has no chart where bills cannot show what the list does', () => {
  expect(filtersOf('range=hour').chartQuery()).toBeUndefined();
  expect(filtersOf('range=all').chartQuery()).toBeUndefined();
  expect(filtersOf('code=invalid_api_key').chartQuery()).toBeUndefined();
  const hour = 'from=2026-03-04T08:00:00.000Z&to=2026-03-04T09:00:00.000Z';
  expect(filtersOf(hour).chartQuery()).toBeUndefined();
});
