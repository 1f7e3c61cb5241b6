import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DEFAULT_UWS_MODULE,
  loadServerLibrary,
} from '../../../../gateway/data-plane/http/server-library.ts';
import { SETTINGS } from '../../../../gateway/platform/config/settings.ts';

const FUNCTIONS = 'App() {}, us_listen_socket_close() {}, us_socket_local_port() {}';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-uws-'));
  writeFileSync(join(folder, 'index.js'), `module.exports = { ${FUNCTIONS} };`);
  writeFileSync(join(folder, 'inner.mjs'), `export default { ${FUNCTIONS} };`);
  writeFileSync(join(folder, 'other.mjs'), 'export const App = 1;');
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the server library', () => {
  it('is what package.json brings unless the operator names another', async () => {
    expect(SETTINGS.UWS_MODULE.fallback).toBe(DEFAULT_UWS_MODULE);
    expect((await loadServerLibrary(DEFAULT_UWS_MODULE)).App).toBeTypeOf('function');
  });

  it('may be a folder or a file, as an official release is that was unpacked somewhere', async () => {
    const brought = await loadServerLibrary(DEFAULT_UWS_MODULE);
    const file = fileURLToPath(import.meta.resolve(DEFAULT_UWS_MODULE));
    expect((await loadServerLibrary(file)).App).toBe(brought.App);
    for (const path of [folder, join(folder, 'inner.mjs')]) {
      expect((await loadServerLibrary(path)).App.name).toBe('App');
    }
  });

  it.each([
    ['no-such-build', /^UWS_MODULE: "no-such-build" cannot be loaded\. .*no-such-build/],
    ['./no-such-folder', /^UWS_MODULE: ".\/no-such-folder" cannot be loaded\. .*no-such-folder/],
    ['node:fs', /^UWS_MODULE: "node:fs" is not uWebSockets\.js, version 20\.$/],
  ])('is refused by the name of its setting when it is %s', async (name, message) => {
    await expect(loadServerLibrary(name)).rejects.toThrow(message);
  });

  it('is refused when it only looks like one', async () => {
    await expect(loadServerLibrary(join(folder, 'other.mjs'))).rejects.toThrow(/^UWS_MODULE: /);
  });
});
