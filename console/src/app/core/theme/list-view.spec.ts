import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../state/browser-storage';
import { ListView } from './list-view';

const root = (): { dataset: DOMStringMap } => ({ dataset: {} });

describe('The view of lists', () => {
  test('is remembered: the density of all, the columns of each', () => {
    const storage = memoryStorage();
    const view = new ListView(root(), storage);
    expect(view.isCompact()).toBe(false);
    view.toggleCompact();
    view.toggleColumn('keys', 'group');
    const element = root();
    const again = new ListView(element, storage);
    expect(again.isCompact()).toBe(true);
    expect(element.dataset['density']).toBe('compact');
    expect(again.isHidden('keys', 'group')).toBe(true);
    expect(again.isHidden('keys', 'status')).toBe(false);
    expect(again.isHidden('orders', 'group')).toBe(false);
    again.toggleColumn('keys', 'group');
    again.toggleCompact();
    expect(again.isHidden('keys', 'group')).toBe(false);
    expect(element.dataset['density']).toBeUndefined();
  });

  test.each(['{', 'null', '{"compact":1,"hidden":{}}', '{"compact":true,"hidden":{"keys":[1]}}'])(
    'is the usual one where storage has %s',
    (text) => {
      const storage = memoryStorage();
      storage.setItem('weir.list-view', text);
      expect(new ListView(root(), storage).isCompact()).toBe(false);
    },
  );
});
