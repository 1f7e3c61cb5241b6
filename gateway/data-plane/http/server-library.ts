import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { App, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';
import { causeOf } from '../../platform/errors/cause-of.ts';

/** The functions of uWebSockets.js that Weir uses. */
export interface ServerLibrary {
  readonly App: typeof App;
  readonly us_listen_socket_close: typeof us_listen_socket_close;
  readonly us_socket_local_port: typeof us_socket_local_port;
}

/** The name under which package.json brings a build of uWebSockets.js. */
export const DEFAULT_UWS_MODULE = 'uWebSockets.js';

/** A path such as `/opt/uws` or `./uws`; anything else names a package. */
const PATH = /^\.{0,2}\//;

/**
 * Loads uWebSockets.js, which is exchangeable because no build of it serves all platforms: those
 * with fewer faults in their parser need a newer glibc than some systems have.
 * @param name UWS_MODULE: a package that Node.js finds, or the folder or file of one
 * @throws an Error that names the setting, when it cannot be loaded or is something else
 */
export async function loadServerLibrary(name: string): Promise<ServerLibrary> {
  let loaded: unknown;
  try {
    // Folders cannot be imported, only required.
    loaded = PATH.test(name) ? createRequire(import.meta.url)(resolve(name)) : await import(name);
  } catch (error) {
    throw new Error(`UWS_MODULE: "${name}" cannot be loaded. ${causeOf(error)}`, { cause: error });
  }
  if (isServerLibrary(loaded)) return loaded;
  // What is written in CommonJS may have all of it in its default export.
  const inner = isObject(loaded) ? loaded['default'] : undefined;
  if (isServerLibrary(inner)) return inner;
  throw new Error(`UWS_MODULE: "${name}" is not uWebSockets.js, version 20.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isServerLibrary(loaded: unknown): loaded is ServerLibrary {
  return (
    isObject(loaded) &&
    typeof loaded['App'] === 'function' &&
    typeof loaded['us_listen_socket_close'] === 'function' &&
    typeof loaded['us_socket_local_port'] === 'function'
  );
}
