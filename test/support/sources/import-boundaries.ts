import { posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ESLint, Rule } from 'eslint';
import type { Literal } from 'estree';
import { LEVELS, PROTOCOL_FOLDERS, STEPS } from './rooms.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A rule that files may not import others. */
interface Zone {
  readonly of: readonly string[];
  readonly not: readonly string[];
  readonly except?: readonly string[];
  readonly message: string;
}

const ZONES: readonly Zone[] = [
  ...LEVELS.flatMap((level, index) =>
    level.map((name) => ({
      of: [`gateway/${name}`],
      not: LEVELS.slice(0, index + 1)
        .flat()
        .filter((other) => other !== name)
        .map((other) => `gateway/${other}`),
      message: 'Imports go down the levels that ARCHITECTURE.md draws, never up or to the side.',
    })),
  ),
  ...STEPS.map((step) => ({
    of: [step],
    not: STEPS.filter((other) => other !== step),
    message: 'Steps of the request path never import each other; request-path.ts joins them.',
  })),
  {
    of: STEPS,
    not: ['gateway/data-plane/request-path.ts', 'gateway/data-plane/threads'],
    message: 'A step does not import what joins the steps.',
  },
  ...PROTOCOL_FOLDERS.map((protocol) => ({
    of: [protocol],
    not: PROTOCOL_FOLDERS.filter((other) => other !== protocol),
    message: 'Protocols never import each other; the neutral form is between them.',
  })),
  {
    of: PROTOCOL_FOLDERS,
    not: ['gateway/protocols/registry.ts', 'gateway/protocols/prompt-counters.ts'],
    message: 'A protocol does not import what joins protocols.',
  },
  {
    of: ['gateway/providers'],
    not: ['gateway/protocols'],
    except: ['protocol', 'target-profile', 'envelope'].map(
      (name) => `gateway/protocols/${name}.ts`,
    ),
    message:
      'A provider imports of the protocols their ids and the types of profiles and envelopes alone.',
  },
  {
    of: ['shared'],
    not: ['gateway', 'console', 'bench', 'test'],
    message: 'shared/ imports nothing of ours.',
  },
  {
    of: ['gateway'],
    not: ['console', 'bench', 'test'],
    message: 'The server does not import its tests, bench or console.',
  },
  { of: ['bench'], not: ['console'], message: 'Benchmarks do not import the console.' },
  {
    of: ['bench'],
    not: ['test'],
    except: ['test/support'],
    message: 'Of the tests, benchmarks import the support only.',
  },
  {
    of: ['console'],
    not: ['gateway', 'bench'],
    message: 'The console imports only shared/ of ours.',
  },
];

/** Packages that only some folders see. */
const PACKAGES = {
  uws: { pattern: /^uWebSockets\.js$/, message: 'Only data-plane/http sees uWebSockets.js.' },
  undici: { pattern: /^undici(\/|$)/, message: 'Only data-plane/upstream sees undici.' },
  fastify: { pattern: /^@?fastify(\/|$)/, message: 'Only control-plane sees fastify.' },
  node: { pattern: /^node:/, message: 'shared/ runs in browsers too: no Node.js modules.' },
  gateway: { pattern: /^@weir\/(gateway|bench)/, message: 'Nobody imports the server by name.' },
  anything: {
    pattern: /^(?!typebox(\/|$)|node:)/,
    message: 'shared/ holds contracts: nothing but typebox.',
  },
};

type PackageName = keyof typeof PACKAGES;

/** The last entry that holds a file wins, so each names everything that its folder may see. */
const AREAS: readonly { readonly folder: string; readonly sees: readonly PackageName[] }[] = [
  { folder: '.', sees: ['node', 'anything'] },
  { folder: 'shared', sees: [] },
  { folder: 'gateway/data-plane/http', sees: ['node', 'anything', 'uws'] },
  { folder: 'gateway/data-plane/upstream', sees: ['node', 'anything', 'undici'] },
  { folder: 'test/gateway/data-plane/upstream', sees: ['node', 'anything', 'undici'] },
  { folder: 'gateway/control-plane', sees: ['node', 'anything', 'fastify'] },
  { folder: 'test/gateway/control-plane', sees: ['node', 'anything', 'fastify'] },
  { folder: 'bench', sees: ['node', 'anything', 'uws', 'undici'] },
];

function lies(path: string, folder: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

function refusedFiles(file: string, target: string): string[] {
  return ZONES.filter(
    ({ of, not, except = [] }) =>
      of.some((folder) => lies(file, folder)) &&
      not.some((folder) => lies(target, folder)) &&
      !except.some((folder) => lies(target, folder)),
  ).map(({ message }) => message);
}

function refusedPackages(file: string, module: string): string[] {
  const sees = AREAS.findLast(({ folder }) => lies(file, folder))?.sees ?? [];
  return Object.entries(PACKAGES)
    .filter(([name, { pattern }]) => !sees.includes(name as PackageName) && pattern.test(module))
    .map(([, { message }]) => message);
}

/** Returns the reasons why a file may not import a module; paths are from the repository's root. */
export function refusals(file: string, module: string): string[] {
  return module.startsWith('.')
    ? refusedFiles(file, posix.join(posix.dirname(file), module))
    : refusedPackages(file, module);
}

/**
 * Every form in which a module can be reached: import, export from, import(), and the same for
 * types.
 */
const FORMS = [
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
].join();

const boundaries: Rule.RuleModule = {
  create(context) {
    const file = relative(ROOT, context.filename).split(sep).join('/');
    return {
      [`:matches(${FORMS}) > Literal.source`](node: Literal): void {
        if (typeof node.value !== 'string') return;
        for (const message of refusals(file, node.value)) context.report({ node, message });
      },
    };
  },
};

const plugin: ESLint.Plugin = { meta: { name: 'weir' }, rules: { boundaries } };

// The form in which a linter takes plugins.
export default plugin;
