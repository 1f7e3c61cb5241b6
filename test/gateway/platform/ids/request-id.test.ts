import { expect, it } from 'vitest';
import { newRequestId } from '../../../../gateway/platform/ids/request-id.ts';

const IDS = 2_000;
const NOW_MS = Date.UTC(2026, 10, 26);
const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME_CHARACTERS = '01a217a1-ddd6'.length;

const ids = Array.from({ length: IDS }, (_, index) => newRequestId(NOW_MS + index));

it('each request has an id of its own, and ids sort as requests came', () => {
  expect(new Set(ids).size).toBe(IDS);
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.filter((id) => !VERSION_7.test(id))).toEqual([]);
});

it('what is random in an id does not look like the status of an error', () => {
  expect(ids.filter((id) => /[45]/.test(id.slice(TIME_CHARACTERS)))).toEqual([]);
});
