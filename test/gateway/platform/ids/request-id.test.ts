import { expect, it } from 'vitest';
import { newRequestId } from '../../../../gateway/platform/ids/request-id.ts';

const IDS = 2_000;
/** Longer than an id's time may be later than its request. */
const APART_MS = 64;
const NOW_MS = Date.UTC(2026, 10, 26);
const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME_CHARACTERS = '01a217a1-ddd6'.length;

const ids = Array.from({ length: IDS }, (_, index) => newRequestId(NOW_MS + index * APART_MS));

it('each request has an id of its own, and ids sort as requests came', () => {
  expect(new Set(ids).size).toBe(IDS);
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.filter((id) => !VERSION_7.test(id))).toEqual([]);
});

it('what is random in an id does not look like the status of an error', () => {
  expect(ids.filter((id) => /[45]/.test(id.slice(TIME_CHARACTERS)))).toEqual([]);
});

it('the last digits of the time in an id spell no status, and are hardly later than the request', () => {
  const groups = Array.from({ length: 0x1_0000 }, (_, group) => group);
  const later = groups.map((group) => {
    const digits = newRequestId(0x01a2_17a1_0000 + group).slice(9, TIME_CHARACTERS);
    expect(digits).not.toMatch(/429|50[0234]/);
    return Number.parseInt(digits, 16) - group;
  });
  expect([Math.min(...later), Math.max(...later)]).toEqual([0, 48]);
});
