import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectReconciled } from '../../ledger/support/reconcile.ts';
import { openPaths, type Paths } from './support/open-paths.ts';
import { runCodecs } from './support/run-codecs.ts';
import { sendMutated } from './support/send-mutated.ts';

/** Fixed: what fails here fails again. The long test takes another one each time. */
const SEED = 20_261_125;
const IN_PROCESS = 3_000;
const SENT = 40;
/**
 * Findings of long runs: numbers beyond all limits; a last event over several lines; a number
 * with a zero in front, in an event like others.
 */
const FOUND_IN_PROCESS = [641_406_885, 658_994_899, 659_470_158, 704_673_874];
/** A prompt of half a token; text in a delta without a type. */
const FOUND_SENT = [640_650_104, 647_025_232];

describe('mutated replies', () => {
  it('break no codec, and are billed as they report', () => {
    runCodecs(IN_PROCESS, SEED);
  });

  it.each(FOUND_IN_PROCESS)('break no codec where they once did: seed %i', (seed) => {
    runCodecs(1, seed);
  });

  describe('through the whole path', () => {
    let paths: Paths;
    beforeAll(async () => {
      paths = await openPaths();
    });
    afterAll(async () => {
      await paths.close();
    });

    it('are no 500, and none that was delivered is unbilled', async () => {
      const { delivered } = await sendMutated(paths, SENT, SEED);
      expect(delivered).toBeGreaterThan(SENT / 10);
    });

    it.each(FOUND_SENT)('are billed where they once were not: seed %i', async (seed) => {
      const { delivered } = await sendMutated(paths, 4, seed);
      expect(delivered).toBeGreaterThan(0);
      await expectReconciled(paths.pool);
    });
  });
});
