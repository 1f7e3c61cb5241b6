import { signal } from '@angular/core';
import { expect, test } from 'vitest';
import { FakeApi } from '../../../testing/fake-api';
import { catalogModel, NOW } from '../../../testing/views';
import { ModelsState } from './models-state';

const PRICE = {
  inputUsd: '2.2',
  cachedInputUsd: '2.2',
  cacheWriteUsd: '2.2',
  outputUsd: '11',
  perCallUsd: '0',
  extra: {},
  tiers: [],
  longContext: null,
};

test('A price that was set is shown, and is no failure when nothing more can be read', async () => {
  const set = { ...PRICE, effectiveFrom: NOW };
  const api = new FakeApi({
    listModels: () => ({ data: [catalogModel], nextCursor: null, total: null }),
    createPrice: () => ({ ...set, modelId: catalogModel.id, state: 'in_force', createdAt: NOW }),
    getModel: () => Promise.reject(new Error('cut off')),
  });
  const state = new ModelsState(api, {
    search: signal(''),
    status: signal(''),
    groupId: signal(''),
  });
  await state.list.load();
  await state.setPrice(catalogModel, PRICE);
  expect(state.list.rows()).toEqual([{ ...catalogModel, price: set }]);
});
