import tseslint from 'typescript-eslint';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';

/** Rooms of the request path are leaves: they never import each other. */
const ROOMS = [
  'authentication',
  'validation',
  'admission',
  'routing',
  'upstream',
  'relay',
  'settlement',
  'usage',
];

const roomZones = ROOMS.map((room) => ({
  target: `./gateway/${room}`,
  from: ROOMS.filter((other) => other !== room).map((other) => `./gateway/${other}`),
  message: 'Rooms of the request path never import each other; request-path.ts joins them.',
}));

function only(files, modules, message) {
  return {
    files: ['gateway/**/*.ts'],
    ignores: files,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: modules.map((group) => ({ group: [group], message })) },
      ],
    },
  };
}

export default tseslint.config(
  { ignores: ['node_modules', 'data', 'console', 'coverage', '**/dist'] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.json'] })],
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/max-params': ['error', { max: 4 }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'no-console': 'error',
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 70, skipComments: true, skipBlankLines: true }],
      'import-x/no-cycle': 'error',
      'import-x/no-default-export': 'error',
      'import-x/no-restricted-paths': [
        'error',
        {
          zones: [
            ...roomZones,
            {
              target: './shared',
              from: ['./gateway', './console', './bench', './test'],
              message: 'shared/ imports nothing of ours.',
            },
            {
              target: './gateway',
              from: ['./console', './bench', './test'],
              message: 'The server does not import its tests, bench or console.',
            },
          ],
        },
      ],
    },
  },
  only(['gateway/http/**'], ['uWebSockets.js'], 'Only gateway/http sees uWebSockets.js.'),
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
