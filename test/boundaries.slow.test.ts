/**
 * Lint rules that nobody sees fail are easily dead: a second entry that sets the same rule, a file
 * whose types are not found. So every boundary is crossed here on purpose, in a folder that is
 * thrown away.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEVELS, PROTOCOL_FOLDERS, STEPS } from './support/sources/rooms.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** All that says how to lint. */
const CONFIGURATION = [
  'package.json',
  'oxlint.config.ts',
  'test/support/sources/import-boundaries.ts',
  'test/support/sources/rooms.ts',
  'tsconfig.json',
  'console/tsconfig.json',
  'console/tsconfig.app.json',
  'console/tsconfig.test.json',
];

interface Complaint {
  readonly line: number;
  readonly text: string;
}

interface LintReport {
  readonly diagnostics: readonly {
    readonly code?: string;
    readonly message: string;
    readonly filename: string;
    readonly labels: readonly { readonly span: { readonly line: number } }[];
  }[];
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'weir-lint-')));
const complaints = new Map<string, Complaint[]>();

function write(path: string, code: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), code);
}

/** The report has about 1 kB for each line that is refused. */
const REPORT_BYTES_MAX = 16 * 1024 * 1024;

async function lint(): Promise<LintReport> {
  const linter = join(ROOT, 'node_modules/oxlint/bin/oxlint');
  const output = await new Promise<string>((resolve) => {
    // It fails, as there is much to complain about.
    const options = { cwd: folder, maxBuffer: REPORT_BYTES_MAX };
    execFile(process.execPath, [linter, '-f', 'json'], options, (_, stdout) => {
      resolve(stdout);
    });
  });
  return JSON.parse(output) as LintReport;
}

function complaintsAbout(path: string, rule: string): Complaint[] {
  return (complaints.get(path) ?? []).filter(({ text }) => text.startsWith(rule));
}

/** Every form in which a module can be reached, one a line. */
const FORMS = [
  (module: string) => `import * as value from '${module}';`,
  (module: string) => `import type * as type from '${module}';`,
  (module: string) => `export * from '${module}';`,
  (module: string) => `export const lazy = await import('${module}');`,
  (module: string) => `export type Inline = import('${module}').Inline;`,
  (module: string) => `export { named } from '${module}';`,
];

interface Crossing {
  readonly title: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** The linter's message; without one it accepts the import. */
  readonly because?: string;
}

const SERVER_ONLY = ['gateway', 'gateway/control-plane/keys', 'test', 'shared', 'console/src/app'];

/** A module of a folder of the server, or the file itself. */
function moduleOf(name: string): string {
  return name.endsWith('.ts') ? `../${name}` : `../${name}/any.ts`;
}

/** Levels that are folders: main.ts is a file, and is not listed here. */
const LEVELLED = LEVELS.flatMap((level, index) =>
  level.filter((name) => !name.endsWith('.ts')).map((name) => ({ name, index })),
);

const OWN_FILES: readonly Crossing[] = [
  ...LEVELLED.flatMap(({ name, index }): Crossing[] => [
    {
      title: `gateway/${name} imports nothing of its level or above`,
      from: [`gateway/${name}`],
      to: LEVELS.slice(0, index + 1)
        .flat()
        .filter((other) => other !== name)
        .map(moduleOf),
      because: 'Imports go down the levels',
    },
    {
      title: `gateway/${name} imports platform`,
      from: [`gateway/${name}`],
      to: name === 'platform' ? ['./errors/any.ts'] : ['../platform/any.ts'],
    },
  ]),
  ...STEPS.flatMap((step): Crossing[] => [
    {
      title: `${step} imports no other step of the request path`,
      from: [step],
      to: STEPS.filter((other) => other !== step).map((other) => `../${basename(other)}/any.ts`),
      because: 'never import each other',
    },
    {
      title: `${step} imports its own files, and what the whole server uses`,
      from: [step],
      to: ['./any.ts', '../../platform/errors/refusal.ts'],
    },
  ]),
  {
    title: 'a step does not import what joins the steps',
    from: ['gateway/data-plane/relay'],
    to: ['../request-path.ts', '../threads/http-thread.ts'],
    because: 'A step does not import',
  },
  {
    title: 'what joins the steps imports them',
    from: ['gateway/data-plane'],
    to: ['./request-path.ts', './relay/any.ts'],
  },
  ...PROTOCOL_FOLDERS.map((protocol): Crossing => ({
    title: `${protocol} imports no other protocol`,
    from: [protocol],
    to: PROTOCOL_FOLDERS.filter((other) => other !== protocol).map(
      (other) => `../${basename(other)}/protocol.ts`,
    ),
    because: 'never import each other',
  })),
  {
    title: 'a protocol does not import what joins them',
    from: ['gateway/protocols/openai-chat'],
    to: ['../registry.ts', '../prompt-counters.ts'],
    because: 'A protocol does not import',
  },
  {
    title: 'a protocol imports the neutral form',
    from: ['gateway/protocols/openai-chat'],
    to: ['./parse-request.ts', '../neutral-form/request.ts'],
  },
  {
    title: 'a provider imports no protocol',
    from: ['gateway/providers/openai-compatible'],
    to: ['../../protocols/registry.ts', '../../protocols/openai-chat/protocol.ts'],
    because: 'A provider imports of the protocols',
  },
  {
    title: 'a provider imports the interfaces of protocols',
    from: ['gateway/providers/openai-compatible'],
    to: ['../../protocols/protocol.ts', '../../protocols/target-profile.ts'],
  },
  {
    title: 'shared imports nothing of ours',
    from: ['shared'],
    to: ['../gateway/any.ts', '../test/any.ts', '../bench/any.ts', '../console/src/any.ts'],
    because: 'shared/ imports nothing of ours',
  },
  { title: 'shared imports its own files', from: ['shared'], to: ['./money.ts'] },
  {
    title: 'the server imports neither tests nor benchmarks',
    from: ['gateway'],
    to: ['../test/support/machine/free-port.ts', '../bench/any.ts', '../console/src/any.ts'],
    because: 'does not import its tests, bench or console',
  },
  {
    title: 'a step imports no benchmarks',
    from: ['gateway/data-plane/relay'],
    to: ['../../../bench/fake-upstream/play.ts'],
    because: 'does not import its tests, bench or console',
  },
  {
    title: 'benchmarks import nothing of the tests but their support',
    from: ['bench'],
    to: ['../test/run.ts'],
    because: 'the support only',
  },
  {
    title: 'benchmarks import the support of the tests',
    from: ['bench'],
    to: ['../test/support/machine/free-port.ts'],
  },
  {
    title: 'the console imports nothing of the server',
    from: ['console/src/app'],
    to: ['../../../gateway/any.ts', '../../../bench/any.ts'],
    because: 'The console imports only shared/ of ours.',
  },
  {
    title: 'the console imports shared',
    from: ['console/src/app'],
    to: ['../../../shared/money/money.ts', '@weir/shared/money/money'],
  },
];

const PACKAGES: readonly Crossing[] = [
  {
    title: 'only data-plane/http and benchmarks see uWebSockets.js',
    from: [...SERVER_ONLY, 'gateway/data-plane/upstream'],
    to: ['uWebSockets.js'],
    because: 'Only data-plane/http sees',
  },
  {
    title: 'data-plane/http and benchmarks see uWebSockets.js',
    from: ['gateway/data-plane/http', 'bench'],
    to: ['uWebSockets.js'],
  },
  {
    title: 'only data-plane/upstream and benchmarks see undici',
    from: [...SERVER_ONLY, 'gateway/data-plane/http'],
    to: ['undici', 'undici/types/dispatcher.js'],
    because: 'Only data-plane/upstream sees',
  },
  {
    title: 'data-plane/upstream and benchmarks see undici',
    from: ['gateway/data-plane/upstream', 'test/gateway/data-plane/upstream', 'bench'],
    to: ['undici'],
  },
  {
    title: 'only control-plane sees fastify',
    from: ['gateway/data-plane/relay', 'test', 'bench'],
    to: ['fastify', '@fastify/static'],
    because: 'Only control-plane sees fastify',
  },
  {
    title: 'control-plane sees fastify',
    from: ['gateway/control-plane/keys', 'test/gateway/control-plane'],
    to: ['fastify', '@fastify/static'],
  },
  {
    title: 'shared runs in browsers',
    from: ['shared'],
    to: ['node:crypto'],
    because: 'no Node.js modules',
  },
  {
    title: 'shared sees no package but typebox',
    from: ['shared'],
    to: ['pg', '@weir/console'],
    because: 'nothing but typebox',
  },
  { title: 'shared sees typebox', from: ['shared'], to: ['typebox', 'typebox/value'] },
  {
    title: 'the server is not imported by name',
    from: ['console/src/app', 'test'],
    to: ['@weir/gateway/main'],
    because: 'Nobody imports the server by name',
  },
];

/** One file for each place and module, with every form in it. */
function samplesOf({ title, from, to }: Crossing): { path: string; module: string }[] {
  return from.flatMap((place) =>
    to.map((module) => {
      const name = `${title}-${module}`.replaceAll(/\W+/g, '-');
      return { path: join(place, `${name}.ts`), module };
    }),
  );
}

/** Places whose files have types by way of different projects. */
const TYPED = ['shared', 'gateway', 'test', 'bench', 'console/src/app', 'console/scripts'];
const FAULTS: Record<string, string> = {
  'no-floating-promises': 'export function start(): void {\n  Promise.resolve(1);\n}\n',
  'no-explicit-any': 'export function read(text: string): any {\n  return JSON.parse(text);\n}\n',
  'consistent-type-imports':
    "import { Setting } from './setting.ts';\nexport type Other = Setting | 'none';\n",
  TS2322: "export const size: number = 'large';\n",
  TS6133: 'export function start(): void {\n  const unused = 1;\n}\n',
  'no-cycle': "export { first } from './second.ts';\nexport const other = 1;\n",
};

beforeAll(async () => {
  for (const path of CONFIGURATION) cpSync(join(ROOT, path), join(folder, path));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const sample of [...OWN_FILES, ...PACKAGES].flatMap(samplesOf)) {
    write(sample.path, `${FORMS.map((form) => form(sample.module)).join('\n')}\n`);
  }
  for (const place of TYPED) {
    write(`${place}/setting.ts`, 'export interface Setting {\n  readonly name: string;\n}\n');
    write(`${place}/second.ts`, "export { other as first } from './no-cycle.ts';\n");
    for (const [rule, code] of Object.entries(FAULTS)) write(`${place}/${rule}.ts`, code);
  }
  write('console/src/app/TS2322.spec.ts', "export const size: number = 'large';\n");
  write('shared/sound.ts', "export { SIZE } from './size.ts';\n");
  write(
    'shared/size.ts',
    '// eslint-disable-next-line eqeqeq -- For nothing.\nexport const SIZE = 1;\n',
  );
  for (const { code, message, filename, labels } of (await lint()).diagnostics) {
    const line = labels[0]?.span.line ?? 0;
    const known = complaints.get(filename) ?? [];
    complaints.set(filename, [...known, { line, text: `${code ?? ''}: ${message}` }]);
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function testCrossings(crossings: readonly Crossing[]): void {
  it.each(crossings)('$title', (crossing) => {
    for (const { path } of samplesOf(crossing)) {
      const found = complaintsAbout(path, 'weir(boundaries)');
      const { because } = crossing;
      if (because === undefined) expect(found, path).toEqual([]);
      else {
        const lines = found.filter(({ text }) => text.includes(because)).map(({ line }) => line);
        expect(lines.sort(), path).toEqual(FORMS.map((_, index) => index + 1));
      }
    }
  });
}

describe('our own files', () => {
  testCrossings(OWN_FILES);
});

describe('packages', () => {
  testCrossings(PACKAGES);
});

describe.each(TYPED)('in %s', (place) => {
  it.each(Object.keys(FAULTS))('%s is found', (rule) => {
    const found = (complaints.get(`${place}/${rule}.ts`) ?? []).map(({ text }) => text);
    expect(found).toContainEqual(expect.stringContaining(`(${rule})`));
  });

  it('nothing is said against what is sound', () => {
    expect(complaints.get(`${place}/setting.ts`)).toBeUndefined();
  });
});

it('an error of types in a spec of the console is found', () => {
  expect(complaintsAbout('console/src/app/TS2322.spec.ts', 'typescript(TS2322)')).toHaveLength(1);
});

it('an exception from a rule that says nothing is refused', () => {
  expect(complaints.get('shared/sound.ts')).toBeUndefined();
  expect(complaints.get('shared/size.ts')).toHaveLength(1);
});
