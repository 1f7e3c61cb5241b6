import { FormGroup } from '@angular/forms';
import type { BulkChangeReport } from '@weir/shared/api/bulk-changes';
import { expect, test } from 'vitest';
import { OperationKeys } from '../../core/state/operation-keys';
import type { BulkChange } from './bulk-change';
import { BulkWork } from './bulk-work';

const ID = '0190aaaa-0000-7000-8000-000000000001';

function report(dryRun: boolean, changed = 3): BulkChangeReport {
  const id = dryRun ? null : ID;
  return { id, dryRun, matched: 3, changed, notChangedCount: 0, notChanged: [], lines: [] };
}

function begin(over: Partial<BulkChange> = {}) {
  const sent: { dryRun: boolean; key: string }[] = [];
  const undone: string[] = [];
  const change: BulkChange = {
    heading: 'Disable 3 keys?',
    text: '',
    action: 'Disable',
    body: () => ({ ids: ['a', 'b', 'c'] }),
    send: ({ dryRun }, key) => {
      sent.push({ dryRun, key });
      return Promise.resolve(report(dryRun));
    },
    undo: (id) => {
      undone.push(id);
      return Promise.resolve(report(false));
    },
    ...over,
  };
  return { sent, undone, work: new BulkWork(change, new OperationKeys()) };
}

test('Nothing is changed before its preview is there', async () => {
  const { work, sent } = begin();
  expect(work.canApply()).toBe(false);
  await work.preview();
  expect([work.step(), work.canApply(), sent.map(({ dryRun }) => dryRun)]).toEqual([
    'preview',
    true,
    [true],
  ]);
  expect(await work.apply()).toBe(true);
  expect([work.step(), sent.map(({ dryRun }) => dryRun)]).toEqual(['done', [true, false]]);
});

test('A change that would change nothing cannot be applied', async () => {
  const { work } = begin({ send: ({ dryRun }) => Promise.resolve(report(dryRun, 0)) });
  await work.preview();
  expect(work.canApply()).toBe(false);
});

test('A refusal keeps the fields, to be corrected', async () => {
  const form = { group: new FormGroup({}), fields: [] };
  const { work } = begin({ form, send: () => Promise.reject(new Error('refused')) });
  await work.preview();
  expect([work.step(), work.action.failure()?.code]).toEqual(['asking', 'unknown']);
});

test('A change whose reply was lost is repeated under the same key', async () => {
  let isLost = true;
  const keys: string[] = [];
  const { work } = begin({
    send: ({ dryRun }, key) => {
      if (dryRun) return Promise.resolve(report(true));
      keys.push(key);
      if (isLost) return Promise.reject(new Error('lost'));
      return Promise.resolve(report(false));
    },
  });
  await work.preview();
  expect(await work.apply()).toBe(false);
  isLost = false;
  expect(await work.apply()).toBe(true);
  expect(new Set(keys).size).toBe(1);
});

test('It is undone by its id', async () => {
  const { work, undone } = begin();
  await work.preview();
  expect(await work.undo()).toBe(false);
  await work.apply();
  expect([await work.undo(), undone]).toEqual([true, [ID]]);
});
