import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultFixture } from './fault-fixture.ts';
import type { FaultReport } from './run-rounds.ts';

/**
 * Copies what the processes said, the ledger's data and the book's newest records into a folder
 * that stays; answers its path.
 */
export async function leaveEvidence(fixture: FaultFixture, report: FaultReport): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `weir-faults-${report.seed}-`));
  writeFileSync(join(folder, 'violations.txt'), report.violations.join('\n'));
  for (const gateway of fixture.gateways) {
    writeFileSync(join(folder, `${gateway.name}.log`), gateway.output());
  }
  await fixture.ledger.leaveEvidence(folder);
  const { rows: records } = await fixture.pool.query(
    'select * from usage_records order by settled_at desc limit 5000',
  );
  const { rows: credits } = await fixture.pool.query('select * from credits order by created_at');
  writeFileSync(join(folder, 'book.json'), JSON.stringify({ records, credits }, null, 1));
  return folder;
}
