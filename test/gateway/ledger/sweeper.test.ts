import { expect, it } from 'vitest';
import type { Ledger } from '../../../gateway/ledger/ledger.ts';
import { startSweeper } from '../../../gateway/ledger/sweeper.ts';

it('logs an outage of the ledger once, and its end once', async () => {
  const lines: string[] = [];
  const note = (details: object, message: string): void =>
    void lines.push(`${message} ${JSON.stringify(details)}`);
  let sweeps = 0;
  const expire = (): Promise<number> => {
    sweeps += 1;
    return sweeps > 3 && sweeps < 7 ? Promise.reject(new Error('away')) : Promise.resolve(0);
  };
  const sweeper = startSweeper({
    ledger: { expire } as Partial<Ledger> as Ledger,
    everyMs: 1,
    logger: { info: note, warn: note, error: note },
  });
  await expect.poll(() => sweeps).toBeGreaterThan(9);
  await sweeper.stop();
  expect(lines).toEqual([
    'Holds cannot be swept; trying again each second {"cause":"away"}',
    'Holds are swept again {}',
  ]);
});
