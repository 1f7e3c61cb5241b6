import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages, reportMissing } from '../../agent-tools/support/install-packages.ts';

export interface FetchedLibraries<Libraries> {
  readonly libraries: Libraries;
  remove(): Promise<void>;
}

/**
 * Fetches libraries from the registry that npm is configured for, and loads them: they are too
 * heavy for every installation of the repository. Undefined if that is not possible, having printed
 * why.
 * @param versions by package; the libraries are there under the packages' names
 * @param parts of the packages, which are there under their own names
 */
export async function fetchLibraries<Libraries>(
  versions: Readonly<Record<string, string>>,
  parts: readonly string[] = [],
): Promise<FetchedLibraries<Libraries> | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-client-libraries-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const names = Object.keys(versions);
  const packages = names.map((name) => `${name}@${versions[name] ?? ''}`);
  try {
    await installPackages(folder, packages);
    // Below `node_modules` it is loaded as it is; and there it finds what was installed.
    const loader = join(folder, 'node_modules', 'weir-loads-libraries');
    await mkdir(loader);
    const lines = [...names, ...parts].map(
      (name) => `export * as ${JSON.stringify(name)} from '${name}';`,
    );
    await writeFile(join(loader, 'index.mjs'), lines.join('\n'));
    const url = pathToFileURL(join(loader, 'index.mjs')).href;
    const libraries = (await import(url)) as Libraries;
    process.stdout.write(`Client libraries were fetched: ${packages.join(', ')}.\n`);
    return { libraries, remove };
  } catch (error) {
    await remove();
    reportMissing(packages.join(', '), error);
    return undefined;
  }
}
