import { describe, expect, it } from 'vitest';
import { expectReconciled } from '../../ledger/support/reconcile.ts';
import { openPaths } from './support/open-paths.ts';
import { runCodecs } from './support/run-codecs.ts';
import { sendMutated } from './support/send-mutated.ts';

/** `MUTATION_SEED` repeats a run. */
const SEED = Number(process.env['MUTATION_SEED'] ?? Date.now() % 1_000_000_000);
const IN_PROCESS = Number(process.env['MUTATIONS'] ?? 1_000_000);
const SENT = Number(process.env['MUTATIONS_SENT'] ?? 20_000);
/** A test takes so many, so that none is longer than a hang. */
const BATCH = 20_000;
const SENT_BATCH = 5_000;

console.log(`mutated replies: ${IN_PROCESS} in process, ${SENT} sent, MUTATION_SEED=${SEED}`);

describe('mutated replies', () => {
  it.each(Array.from({ length: Math.ceil(IN_PROCESS / BATCH) }, (_, batch) => batch * BATCH))(
    'break no codec, and are billed as they report: from %i on',
    (start) => {
      runCodecs(Math.min(BATCH, IN_PROCESS - start), SEED + start);
    },
  );

  it.each(Array.from({ length: Math.ceil(SENT / SENT_BATCH) }, (_, batch) => batch * SENT_BATCH))(
    'are no 500 through the whole path, and none that was delivered is unbilled: from %i on',
    async (start) => {
      const paths = await openPaths();
      try {
        const count = Math.min(SENT_BATCH, SENT - start);
        const { reached, delivered } = await sendMutated(paths, count, SEED + start);
        expect(reached).toBeGreaterThan(count * 0.9);
        expect(delivered).toBeGreaterThan(count / 4);
        await expectReconciled(paths.pool);
      } finally {
        await paths.close();
      }
    },
  );
});
