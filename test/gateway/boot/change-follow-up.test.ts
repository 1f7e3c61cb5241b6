import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ChangeFollowUp } from '../../../gateway/boot/change-follow-up.ts';

/** Stores that can be down. */
function open() {
  const done: string[] = [];
  const log: string[] = [];
  const state = { down: false, attempts: 0, block: undefined as Promise<void> | undefined };
  const act = async (what: string): Promise<void> => {
    state.attempts += 1;
    await state.block;
    if (state.down) throw new Error('the store is down');
    done.push(what);
  };
  const followUp = new ChangeFollowUp({
    publishCatalog: () => act('catalog'),
    applyCredits: (accountId) => act(`credits of ${accountId}`),
    applyRecentCredits: () => act('recent credits'),
    logger: pino({}, { write: (line) => log.push(line) }),
  });
  onTestFinished(() => followUp.stop());
  return { followUp, done, log, state };
}

it('does what a change asks for', async () => {
  const { followUp, done } = open();
  followUp.catalogChanged();
  followUp.credited(['a', 'b']);
  followUp.creditsMissed();
  await expect
    .poll(() => done.toSorted())
    .toEqual(['catalog', 'credits of a', 'credits of b', 'recent credits']);
});

it('joins what comes while it is busy', async () => {
  const { followUp, done, state } = open();
  const gate = Promise.withResolvers<undefined>();
  state.block = gate.promise;
  followUp.catalogChanged();
  for (let count = 0; count < 5; count += 1) {
    followUp.catalogChanged();
    followUp.credited(['a']);
  }
  gate.resolve(undefined);
  await expect.poll(() => done).toEqual(['catalog', 'catalog', 'credits of a']);
});

it('tries again until it is done, and says twice what happened: when it failed and when it is done', async () => {
  const { followUp, done, log, state } = open();
  state.down = true;
  followUp.credited(['a']);
  await expect.poll(() => state.attempts).toBeGreaterThanOrEqual(3);
  expect(done).toEqual([]);
  state.down = false;
  await expect.poll(() => done).toEqual(['credits of a']);
  await expect.poll(() => log).toHaveLength(2);
  expect(log[0]).toContain('the store is down');
});

it('does nothing more once it is stopped', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { followUp, done, state } = open();
  state.down = true;
  followUp.catalogChanged();
  await followUp.stop();
  const { attempts } = state;
  state.down = false;
  followUp.catalogChanged();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(state.attempts).toBe(attempts);
  expect(done).toEqual([]);
});
