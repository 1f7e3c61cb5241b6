import { cpSync } from 'node:fs';
import { askFixture } from '../clients/ask-fixture.ts';

/**
 * Lays a migrated embedded database into a DATA_DIR, which may exist already. Making a new one
 * takes five seconds of CPU, which only the tests of the first start have a reason to spend.
 */
export async function layEmbeddedDatabase(dataDir: string): Promise<void> {
  cpSync((await askFixture('embedded')).dataDir, dataDir, { recursive: true });
}
