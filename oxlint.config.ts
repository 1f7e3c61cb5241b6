import { defineConfig, type DummyRuleMap } from 'oxlint';
import tseslint from 'typescript-eslint';

/** The sets of rules that hold everywhere; the linter of the console adds what Angular asks for. */
const STRICTEST = [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked];

/** The linter has all of their rules but these. */
const LACKING = ['typescript/no-unsafe-class-instance-assignment'];

/** What typescript-eslint only extends for TypeScript has its name from ESLint here. */
const EXTENDED = [
  'no-array-constructor',
  'no-empty-function',
  'no-unused-expressions',
  'no-unused-vars',
  'no-useless-constructor',
];

function named(rule: string): string {
  const [, name = ''] = /^@typescript-eslint\/(.*)$/.exec(rule) ?? [];
  if (name === '') return rule;
  return EXTENDED.includes(name) ? name : `typescript/${name}`;
}

function strictest(): DummyRuleMap {
  const rules = STRICTEST.flatMap((set) => Object.entries(set.rules ?? {}))
    .map(([name, setting]) => [named(name), setting] as const)
    // ESLint's rules that TypeScript makes needless are off.
    .filter(([name, setting]) => setting !== 'off' && !LACKING.includes(name));
  return Object.fromEntries(rules) as DummyRuleMap;
}

export default defineConfig({
  plugins: ['typescript', 'import'],
  jsPlugins: ['./test/support/sources/import-boundaries.ts'],
  categories: { correctness: 'off' },
  options: {
    typeAware: true,
    // The compiler's own errors too: one program of types is made for both.
    typeCheck: true,
    reportUnusedDisableDirectives: 'error',
  },
  ignorePatterns: [
    '**/node_modules',
    'data',
    'coverage',
    '**/dist',
    'console/public',
    'console/.angular',
  ],
  rules: {
    ...strictest(),
    'typescript/consistent-type-imports': 'error',
    'typescript/no-import-type-side-effects': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: true },
    ],
    'max-params': ['error', { max: 4 }],
    'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-console': 'error',
    'max-lines': ['error', { max: 400 }],
    'max-lines-per-function': ['error', { max: 70, skipComments: true, skipBlankLines: true }],
    'import/no-cycle': ['error', { ignoreExternal: true }],
    'import/no-default-export': 'error',
    'weir/boundaries': 'error',
  },
  overrides: [
    {
      files: ['console/**/*.ts'],
      // Components that are all template are classes nevertheless.
      rules: { 'typescript/no-extraneous-class': ['error', { allowWithDecorator: true }] },
    },
    {
      files: ['test/**/*.ts', 'bench/**/*.ts'],
      rules: { 'no-console': 'off', 'max-lines-per-function': 'off' },
    },
    {
      files: ['console/**/*.spec.ts', 'console/src/testing/**/*.ts'],
      rules: { 'max-lines-per-function': 'off' },
    },
    {
      files: ['**/*.config.{js,ts}', 'test/support/sources/import-boundaries.ts'],
      rules: { 'import/no-default-export': 'off' },
    },
  ],
});
