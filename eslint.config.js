import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { PROTOCOL_FOLDERS, STEPS } from './test/support/rooms.ts';

const folder = (name) => `./${name}`;

/** Which of our own files may not import which others. */
const ZONES = [
  ...STEPS.map((step) => ({
    target: folder(step),
    from: STEPS.filter((other) => other !== step).map(folder),
    message: 'Steps of the request path never import each other; request-path.ts joins them.',
  })),
  {
    target: STEPS.map(folder),
    from: [
      'gateway/main.ts',
      'gateway/data-plane/request-path.ts',
      'gateway/data-plane/threads',
      'gateway/control-plane',
      'gateway/demo',
    ].map(folder),
    message: 'A step does not import what joins the steps, the admin API or the demo.',
  },
  ...PROTOCOL_FOLDERS.map((protocol) => ({
    target: folder(protocol),
    from: PROTOCOL_FOLDERS.filter((other) => other !== protocol).map(folder),
    message: 'Protocols never import each other; the neutral form is between them.',
  })),
  {
    target: PROTOCOL_FOLDERS.map(folder),
    from: ['gateway/protocols/registry.ts', 'gateway/providers', 'gateway/data-plane'].map(folder),
    message: 'A protocol does not import what joins protocols, providers or the request path.',
  },
  {
    target: './gateway/providers',
    from: './gateway/protocols',
    except: ['./protocol.ts'],
    message: 'A provider knows protocols by their ids alone: it imports protocol.ts.',
  },
  {
    target: './shared',
    from: ['gateway', 'console', 'bench', 'test'].map(folder),
    message: 'shared/ imports nothing of ours.',
  },
  {
    target: './gateway',
    from: ['console', 'bench', 'test'].map(folder),
    message: 'The server does not import its tests, bench or console.',
  },
  {
    target: './bench',
    from: './console',
    message: 'Benchmarks do not import the console.',
  },
  {
    target: './bench',
    from: './test',
    except: ['./support'],
    message: 'Of the tests, benchmarks import the support only.',
  },
];

/** Packages that only some folders see. */
const PACKAGES = {
  uws: { pattern: '^uWebSockets\\.js$', message: 'Only data-plane/http sees uWebSockets.js.' },
  undici: { pattern: '^undici(/|$)', message: 'Only data-plane/upstream sees undici.' },
  fastify: { pattern: '^@?fastify(/|$)', message: 'Only control-plane sees fastify.' },
  node: { pattern: '^node:', message: 'shared/ runs in browsers too: no Node.js modules.' },
  anything: {
    pattern: '^(?!\\.{1,2}/|typebox(/|$)|node:)',
    message: 'shared/ holds contracts: nothing but typebox.',
  },
};

/** Later entries win, so each folder names everything it may see. */
const AREAS = [
  { files: ['**/*.ts'], sees: ['node', 'anything'] },
  { files: ['shared/**/*.ts'], sees: [] },
  { files: ['gateway/data-plane/http/**/*.ts'], sees: ['node', 'anything', 'uws'] },
  {
    files: ['gateway/data-plane/upstream/**/*.ts', 'test/gateway/data-plane/upstream/**/*.ts'],
    sees: ['node', 'anything', 'undici'],
  },
  { files: ['gateway/control-plane/**/*.ts'], sees: ['node', 'anything', 'fastify'] },
  {
    files: ['test/gateway/control-plane/**/*.ts'],
    sees: ['node', 'anything', 'fastify'],
  },
  { files: ['bench/**/*.ts'], sees: ['node', 'anything', 'uws', 'undici'] },
];

/**
 * One block for each area with all that is closed to it. Two blocks that set the same rule replace each
 * other, so a rule about packages must not be set anywhere else.
 */
const packageBoundaries = AREAS.map(({ files, sees }) => {
  const closed = Object.entries(PACKAGES).flatMap(([name, closedPackage]) =>
    sees.includes(name) ? [] : [closedPackage],
  );
  return {
    files,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: closed.map(({ pattern, message }) => ({ regex: pattern, message })) },
      ],
      // The rule above does not look at import().
      'no-restricted-syntax': [
        'error',
        ...closed.map(({ pattern, message }) => ({
          selector: `ImportExpression[source.value=/${pattern.replaceAll('/', '\\u002F')}/]`,
          message,
        })),
      ],
    },
  };
});

export default tseslint.config(
  { ignores: ['node_modules', 'data', 'console', 'coverage', '**/dist'] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.json'] })],
      // Without this, imports of TypeScript files are not followed and no cycle is ever found.
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
      // Only our own files: packages' bundles would be parsed too, some beyond the parser's stack.
      'import-x/extensions': ['.ts'],
      'import-x/ignore': ['/node_modules/'],
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/max-params': ['error', { max: 4 }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 70, skipComments: true, skipBlankLines: true }],
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-default-export': 'error',
      'import-x/no-restricted-paths': ['error', { zones: ZONES }],
    },
  },
  ...packageBoundaries,
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: { 'no-console': 'off', 'max-lines-per-function': 'off' },
  },
  { files: ['**/*.js', 'vitest.config.ts'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['eslint.config.js', 'vitest.config.ts'],
    rules: { 'import-x/no-default-export': 'off' },
  },
);
