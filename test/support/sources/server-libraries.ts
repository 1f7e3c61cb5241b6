import { spawnSync } from 'node:child_process';
import { DEFAULT_UWS_MODULE } from '../../../gateway/data-plane/http/server-library.ts';

/**
 * A build of 2026. `npm install --no-save @btc-vision/uwebsockets.js` brings it to where it loads.
 */
const NEWER = '@btc-vision/uwebsockets.js';

const LOADER = new URL('../../../gateway/data-plane/http/server-library.ts', import.meta.url).href;
const PROGRAM = `
  const { loadServerLibrary } = await import(${JSON.stringify(LOADER)});
  await loadServerLibrary(process.argv[1]).catch((error) => {
    console.log(error.message);
    process.exit(1);
  });`;

/** Values of UWS_MODULE to test with: those of UWS_MODULES_TESTED, or the newer build. */
function candidates(): readonly string[] {
  const named = process.env['UWS_MODULES_TESTED'];
  return named === undefined || named === '' ? [NEWER] : named.split(',');
}

/** In a process of its own: what a native library does to one that it does not fit is not known. */
function loads(name: string): boolean {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', PROGRAM, name],
    { encoding: 'utf8' },
  );
  if (status === 0) return true;
  process.stdout.write(`Not tested, as it does not load here: ${stdout.trim()}\n`);
  return false;
}

/** Every build of uWebSockets.js that loads on this machine, that of package.json first. */
export function serverLibraries(): readonly string[] {
  return [DEFAULT_UWS_MODULE, ...candidates().filter(loads)];
}
