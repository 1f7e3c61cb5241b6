/**
 * Lint rules that nobody sees fail are easily dead: a second block that sets the same rule, a resolver
 * that finds nothing. So every boundary is crossed here once, on purpose, on text that is never saved.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { afterAll, describe, expect, it } from 'vitest';
import { PROTOCOL_FOLDERS, STEPS } from './support/rooms.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Without types, so that a sample needs no place in the TypeScript project and is linted in a moment. */
const untyped = new ESLint({
  cwd: ROOT,
  overrideConfig: {
    ...tseslint.configs.disableTypeChecked,
    languageOptions: { parserOptions: { projectService: false } },
  },
});

/** With the types of two files: those of the whole project take ten seconds of CPU to load. */
function typedFor(folder: string): ESLint {
  const project = join(folder, 'tsconfig.json');
  const tsconfig = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { types: [] },
    files: ['money.ts', 'error-catalogue.ts'].map((name) => join(ROOT, 'shared', name)),
    include: [],
  };
  writeFileSync(project, JSON.stringify(tsconfig));
  const parserOptions = {
    projectService: false,
    project,
    // With CI=true in the environment the parser would take the types of what is saved, not of the sample.
    disallowAutomaticSingleRunInference: true,
  };
  return new ESLint({ cwd: ROOT, overrideConfig: { languageOptions: { parserOptions } } });
}

async function complaints(eslint: ESLint, filePath: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? []).map(({ ruleId, message }) => `${ruleId ?? 'fatal'}: ${message}`);
}

/** Every form in which a module can be reached. */
function importing(module: string): string[] {
  return [
    `import * as it from '${module}';\nexport { it };\n`,
    `import type * as it from '${module}';\nexport type { it };\n`,
    `export * from '${module}';\n`,
    `export const it = await import('${module}');\n`,
  ];
}

function someFileOf(folder: string): string {
  const file = readdirSync(new URL(`../${folder}/`, import.meta.url)).find((name) =>
    name.endsWith('.ts'),
  );
  if (file === undefined) throw new Error(`${folder} has no file to import.`);
  return file;
}

async function expectRefused(filePath: string, module: string, because: string): Promise<void> {
  for (const code of importing(module)) {
    const found = await complaints(untyped, filePath, code);
    expect(found, `${filePath}: ${code}`).toContainEqual(expect.stringContaining(because));
  }
}

async function expectAllowed(filePath: string, module: string): Promise<void> {
  for (const code of importing(module)) {
    expect(await complaints(untyped, filePath, code), `${filePath}: ${code}`).toEqual([]);
  }
}

describe('our own files', () => {
  it.each(STEPS)('%s imports no other step of the request path', async (step) => {
    for (const other of STEPS.filter((name) => name !== step)) {
      const module = `../${basename(other)}/${someFileOf(other)}`;
      await expectRefused(`${step}/sample.ts`, module, 'never import each other');
    }
    await expectAllowed(`${step}/sample.ts`, `./${someFileOf(step)}`);
    await expectAllowed(`${step}/sample.ts`, '../../platform/errors/refusal.ts');
  });

  it('a step does not import what joins the steps, the admin API or the demo', async () => {
    for (const module of ['../request-path.ts', '../../demo/demo-upstream.ts']) {
      await expectRefused('gateway/data-plane/relay/sample.ts', module, 'A step does not import');
    }
    await expectAllowed('gateway/data-plane/sample.ts', './request-path.ts');
  });

  it.each(PROTOCOL_FOLDERS)('%s imports no other protocol', async (protocol) => {
    for (const other of PROTOCOL_FOLDERS.filter((name) => name !== protocol)) {
      const module = `../${basename(other)}/protocol.ts`;
      await expectRefused(`${protocol}/sample.ts`, module, 'never import each other');
    }
    await expectAllowed(`${protocol}/sample.ts`, './parse-request.ts');
    await expectAllowed(`${protocol}/sample.ts`, '../exchange-form/request.ts');
    await expectRefused(`${protocol}/sample.ts`, '../registry.ts', 'A protocol does not import');
  });

  it('a provider imports no protocol', async () => {
    const sample = 'gateway/providers/openai-compatible/sample.ts';
    for (const module of ['openai-chat/protocol.ts', 'registry.ts', 'sse/sse-parser.ts']) {
      await expectRefused(sample, `../../protocols/${module}`, 'A provider knows protocols by');
    }
    await expectAllowed(sample, '../../protocols/protocol.ts');
  });

  it('shared imports nothing of ours', async () => {
    const modules = [
      '../gateway/platform/errors/refusal.ts',
      '../test/run.ts',
      '../bench/fake-upstream/play.ts',
    ];
    for (const module of modules) {
      await expectRefused('shared/sample.ts', module, 'shared/ imports nothing of ours');
    }
    await expectAllowed('shared/sample.ts', './money.ts');
  });

  it('the server imports neither tests nor benchmarks', async () => {
    const because = 'does not import its tests, bench or console';
    await expectRefused('gateway/sample.ts', '../test/support/free-port.ts', because);
    await expectRefused(
      'gateway/data-plane/relay/sample.ts',
      '../../../bench/fake-upstream/play.ts',
      because,
    );
  });

  it('benchmarks import nothing of the tests but their support', async () => {
    await expectRefused('bench/sample.ts', '../test/run.ts', 'the support only');
    await expectAllowed('bench/sample.ts', '../test/support/free-port.ts');
  });

  it('cycles are found', async () => {
    // settings.ts imports setting.ts.
    const code = "import { SETTINGS } from './settings.ts';\nexport { SETTINGS };\n";
    const found = await complaints(untyped, 'gateway/platform/config/setting.ts', code);
    expect(found).toContainEqual(expect.stringContaining('import-x/no-cycle'));
  });
});

describe('packages', () => {
  it('only data-plane/http and benchmarks see uWebSockets.js', async () => {
    const because = 'Only data-plane/http sees';
    for (const folder of [
      'gateway',
      'gateway/data-plane/upstream',
      'gateway/control-plane/keys',
      'test',
      'shared',
    ]) {
      await expectRefused(`${folder}/sample.ts`, 'uWebSockets.js', because);
    }
    for (const folder of ['gateway/data-plane/http', 'bench']) {
      await expectAllowed(`${folder}/sample.ts`, 'uWebSockets.js');
    }
  });

  it('only data-plane/upstream and benchmarks see undici', async () => {
    const because = 'Only data-plane/upstream sees';
    for (const folder of [
      'gateway',
      'gateway/data-plane/http',
      'gateway/control-plane/keys',
      'test',
      'shared',
    ]) {
      await expectRefused(`${folder}/sample.ts`, 'undici', because);
      await expectRefused(`${folder}/sample.ts`, 'undici/types/dispatcher.js', because);
    }
    for (const folder of ['gateway/data-plane/upstream', 'bench']) {
      await expectAllowed(`${folder}/sample.ts`, 'undici');
    }
  });

  it('only control-plane sees fastify', async () => {
    for (const module of ['fastify', '@fastify/static']) {
      await expectRefused(
        'gateway/data-plane/relay/sample.ts',
        module,
        'Only control-plane sees fastify',
      );
      await expectAllowed('gateway/control-plane/keys/sample.ts', module);
    }
  });

  it('shared sees typebox and nothing else', async () => {
    await expectAllowed('shared/sample.ts', 'typebox');
    await expectRefused('shared/sample.ts', 'node:crypto', 'no Node.js modules');
    await expectRefused('shared/sample.ts', 'pg', 'nothing but typebox');
  });
});

describe('rules that need types', () => {
  const path = 'shared/money.ts';
  const folder = mkdtempSync(join(tmpdir(), 'weir-lint-'));
  const typed = typedFor(folder);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('a promise that nobody waits for is refused', async () => {
    const code = 'export function start(): void {\n  Promise.resolve(1);\n}\n';
    const found = await complaints(typed, path, code);
    expect(found).toContainEqual(expect.stringContaining('no-floating-promises'));
  });

  it('an import used as a type only must say so', async () => {
    const code =
      "import { ErrorCode } from './error-catalogue.ts';\nexport type Code = ErrorCode | 'none';\n";
    const found = await complaints(typed, path, code);
    expect(found).toContainEqual(expect.stringContaining('consistent-type-imports'));
  });

  it('any is refused', async () => {
    const code = 'export function read(text: string): any {\n  return JSON.parse(text);\n}\n';
    const found = await complaints(typed, path, code);
    expect(found).toContainEqual(expect.stringContaining('no-explicit-any'));
  });
});
