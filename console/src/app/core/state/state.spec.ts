import { describe, expect, test } from 'vitest';
import { ApiFailure } from '../api/api-failure';
import { Action } from './action';
import { Loadable } from './loadable';
import { OperationKeys } from './operation-keys';
import { RowList, type Page } from './row-list';

/** Answers that come when the test says so. */
function answers<Value>() {
  const waiting: PromiseWithResolvers<Value>[] = [];
  return {
    fetch: (): Promise<Value> => {
      const one = Promise.withResolvers<Value>();
      waiting.push(one);
      return one.promise;
    },
    at: (index: number): PromiseWithResolvers<Value> => {
      const one = waiting[index];
      if (one === undefined) throw new Error(`Request ${String(index)} was never made`);
      return one;
    },
    count: () => waiting.length,
  };
}

describe('A loadable', () => {
  test('waits, then shows what came', async () => {
    const server = answers<string>();
    const loadable = new Loadable(server.fetch);
    expect(loadable.waiting()).toBe(true);
    const loaded = loadable.load();
    expect(loadable.loading()).toBe(true);
    server.at(0).resolve('first');
    await loaded;
    expect([loadable.value(), loadable.waiting(), loadable.loading()]).toEqual([
      'first',
      false,
      false,
    ]);
  });

  test('drops an answer that a later request has overtaken', async () => {
    const server = answers<string>();
    const loadable = new Loadable(server.fetch);
    const both = [loadable.load(), loadable.load()];
    server.at(1).resolve('later');
    server.at(0).resolve('earlier');
    await Promise.all(both);
    expect(loadable.value()).toBe('later');
    expect(loadable.loading()).toBe(false);
  });

  test('keeps the former value while it fails, and says why', async () => {
    const server = answers<string>();
    const loadable = new Loadable(server.fetch);
    loadable.set('former');
    const loaded = loadable.load();
    server.at(0).reject(new ApiFailure({ code: 'overloaded' }));
    await loaded;
    expect(loadable.value()).toBe('former');
    expect(loadable.failure()?.code).toBe('overloaded');
  });

  test('that a timer loads again waits for an answer that takes longer than the timer', async () => {
    const server = answers<string>();
    const loadable = new Loadable(server.fetch);
    const first = loadable.loadWhenIdle();
    await loadable.loadWhenIdle();
    expect(server.count()).toBe(1);
    server.at(0).resolve('slow');
    await first;
    expect(loadable.value()).toBe('slow');
    void loadable.loadWhenIdle();
    expect(server.count()).toBe(2);
  });

  test('that was cleared does not show an answer to the page before', async () => {
    const server = answers<string>();
    const loadable = new Loadable(server.fetch);
    const loaded = loadable.load();
    loadable.clear();
    server.at(0).resolve('late');
    await loaded;
    expect(loadable.value()).toBeUndefined();
  });
});

describe('A list', () => {
  function listOver(pages: Readonly<Record<string, Page<number>>>) {
    const asked: (string | undefined)[] = [];
    const list = new RowList<number>((cursor) => {
      asked.push(cursor);
      const page = pages[cursor ?? ''];
      return page === undefined
        ? Promise.reject(new ApiFailure({ code: 'invalid_cursor' }))
        : Promise.resolve(page);
    });
    return { list, asked };
  }

  test('grows page by page until there is no more', async () => {
    const { list, asked } = listOver({
      '': { data: [1, 2], nextCursor: 'a' },
      a: { data: [3], nextCursor: null },
    });
    await list.load();
    expect(list.hasMore()).toBe(true);
    await list.more();
    await list.more();
    expect(list.rows()).toEqual([1, 2, 3]);
    expect(asked).toEqual([undefined, 'a']);
  });

  test('asks for the next page once, however often the scroll says so', async () => {
    const { list, asked } = listOver({
      '': { data: [1], nextCursor: 'a' },
      a: { data: [2], nextCursor: 'b' },
    });
    await list.load();
    await Promise.all([list.more(), list.more(), list.more()]);
    expect(asked).toEqual([undefined, 'a']);
  });

  test('keeps its rows when a further page fails, so that scrolling can try again', async () => {
    const { list } = listOver({ '': { data: [1], nextCursor: 'gone' } });
    await list.load();
    await list.more();
    expect(list.rows()).toEqual([1]);
    expect(list.failure()?.code).toBe('invalid_cursor');
    expect(list.hasMore()).toBe(true);
  });

  test('forgets its rows when it fails to reload: they are those of another filter', async () => {
    const pages: Record<string, Page<number>> = { '': { data: [1], nextCursor: 'a' } };
    const { list } = listOver(pages);
    await list.load();
    delete pages[''];
    await list.load();
    expect([list.rows(), list.hasMore(), list.isEmpty(), list.waiting()]).toEqual([
      [],
      false,
      false,
      false,
    ]);
    expect(list.failure()?.code).toBe('invalid_cursor');
  });

  test('tries again what failed: a further page after the rows, or the first page', async () => {
    const pages: Record<string, Page<number>> = { '': { data: [1], nextCursor: 'a' } };
    const { list, asked } = listOver(pages);
    await list.load();
    await list.more();
    pages['a'] = { data: [2], nextCursor: 'b' };
    await list.retry();
    expect(list.rows()).toEqual([1, 2]);
    expect(list.failure()).toBeUndefined();
    delete pages[''];
    await list.load();
    pages[''] = { data: [3], nextCursor: null };
    await list.retry();
    expect(list.rows()).toEqual([3]);
    expect(asked).toEqual([undefined, 'a', 'a', undefined, undefined]);
  });

  test('shows changes without asking again', async () => {
    let asked = 0;
    const row = (id: number, name = '') => ({ id, name });
    const list = new RowList(() => {
      asked += 1;
      return Promise.resolve({ data: [row(1), row(2), row(3)], nextCursor: null });
    });
    await list.load();
    list.replace(row(2, 'changed'));
    list.remove(row(3));
    list.prepend(row(0));
    expect(list.rows()).toEqual([row(0), row(1), row(2, 'changed')]);
    expect(asked).toBe(1);
  });

  test('tells rows without an id apart as it is told', async () => {
    const row = (sequence: number, paid: boolean) => ({ sequence, paid });
    const list = new RowList(
      () => Promise.resolve({ data: [row(1, false), row(2, false)], nextCursor: null }),
      ({ sequence }) => sequence,
    );
    await list.load();
    list.replace(row(2, true));
    expect(list.rows()).toEqual([row(1, false), row(2, true)]);
  });

  test('tells empty from not yet there', async () => {
    const { list } = listOver({ '': { data: [], nextCursor: null } });
    expect([list.waiting(), list.isEmpty()]).toEqual([true, false]);
    await list.load();
    expect([list.waiting(), list.isEmpty()]).toEqual([false, true]);
  });
});

describe('An action', () => {
  test('runs once while it runs: a double click is one order', async () => {
    const server = answers<string>();
    const action = new Action();
    const clicks = [action.run(server.fetch), action.run(server.fetch)];
    expect(action.busy()).toBe(true);
    server.at(0).resolve('done');
    expect(await Promise.all(clicks)).toEqual([true, false]);
    expect(server.count()).toBe(1);
    expect(action.busy()).toBe(false);
  });

  test('keeps its failure until it is tried again', async () => {
    const action = new Action();
    const failing = () => Promise.reject(new ApiFailure({ code: 'in_use', requestId: 'r-1' }));
    expect(await action.run(failing)).toBe(false);
    expect(action.failure()).toMatchObject({ code: 'in_use', requestId: 'r-1' });
    expect(await action.run(() => Promise.resolve())).toBe(true);
    expect(action.failure()).toBeUndefined();
  });

  test('takes a bug for an unknown failure instead of hanging', async () => {
    const action = new Action();
    await action.run(() => Promise.reject(new TypeError('x is undefined')));
    expect(action.failure()).toMatchObject({ code: 'unknown', detail: 'x is undefined' });
    expect(action.busy()).toBe(false);
  });
});

describe('The key of an act', () => {
  const CREDIT = { params: { accountId: 'a' }, body: { amountUsd: '10' } };
  const lost = new ApiFailure({ code: 'unreachable' });
  const refused = new ApiFailure({ code: 'insufficient_balance', status: 402 });

  function numbered() {
    let made = 0;
    const used: string[] = [];
    const keys = new OperationKeys(() => `key-${String((made += 1))}`);
    /** Acts, and is answered so; undefined when it is done. */
    const act = async (content: object, answer?: Error): Promise<unknown> =>
      keys
        .act(content, (key) => {
          used.push(key);
          return answer === undefined ? Promise.resolve() : Promise.reject(answer);
        })
        .catch((thrown: unknown) => thrown);
    return { keys, act, used };
  }

  test('whose answer was lost is that of the same act, so that a repeat is no second purchase', async () => {
    const { keys, act, used } = numbered();
    expect(await act(CREDIT, lost)).toMatchObject({ code: 'unreachable', mayBeDone: true });
    await act({ ...CREDIT, params: { accountId: 'b' } });
    expect(keys.hasPending()).toBe(true);
    // Says nothing about the first try.
    expect(await act(CREDIT, refused)).toBe(refused);
    await act(CREDIT);
    expect(keys.hasPending()).toBe(false);
    await act(CREDIT);
    expect(used).toEqual(['key-1', 'key-2', 'key-1', 'key-1', 'key-3']);
  });

  test.each([
    { code: 'overloaded', status: 503 },
    { code: 'unknown', status: 502 },
    { code: 'unreadable_reply', status: 200 },
    { code: 'idempotency_in_progress', status: 409 },
  ] as const)('is kept after $code', async (failure) => {
    const { keys, act } = numbered();
    await act(CREDIT, new ApiFailure(failure));
    expect(keys.hasPending()).toBe(true);
    keys.forget();
    expect(keys.hasPending()).toBe(false);
  });

  test('is known before there is an answer: the page may be left', () => {
    const { keys } = numbered();
    void keys.act(CREDIT, () => new Promise(() => undefined));
    expect(keys.hasPending()).toBe(true);
  });

  test('is not kept of what was refused: nothing was done', async () => {
    const { keys, act, used } = numbered();
    expect(await act(CREDIT, refused)).toMatchObject({ mayBeDone: false });
    expect(keys.hasPending()).toBe(false);
    await act(CREDIT);
    expect(used).toEqual(['key-1', 'key-2']);
  });

  test('is long and never the same', async () => {
    const keys = new OperationKeys();
    const key = (): Promise<string> => keys.act(CREDIT, (made) => Promise.resolve(made));
    const [one, other] = [await key(), await key()];
    expect(one).toMatch(/^[0-9a-f]{32}$/);
    expect(one).not.toBe(other);
  });
});
