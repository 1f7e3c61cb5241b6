/// <reference types="node" />
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import angular from 'angular-eslint';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const CONSOLE = fileURLToPath(new URL('.', import.meta.url));

/**
 * The files that can have something of Angular in them. Half of the console's sources have not, and
 * to parse these took a third of this check's time.
 */
const ANGULAR = globSync('src/**/*.ts', { cwd: CONSOLE }).filter((path) =>
  readFileSync(`${CONSOLE}${path}`, 'utf8').includes("'@angular/core'"),
);

/** What Angular asks for of components and templates. All other rules are in `oxlint.config.ts`. */
export default defineConfig(
  { ignores: ['dist', '.angular', 'public'] },
  {
    // Comments name exceptions from rules of the other linter, which also knows whether they are needed.
    plugins: { '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
  },
  {
    files: ANGULAR,
    extends: [...angular.configs.tsRecommended],
    processor: angular.processInlineTemplates,
    rules: {
      '@angular-eslint/component-selector': [
        'error',
        { type: 'element', prefix: 'weir', style: 'kebab-case' },
      ],
      '@angular-eslint/directive-selector': [
        'error',
        { type: 'attribute', prefix: 'weir', style: 'camelCase' },
      ],
      // `ng-template[weirCell]` and `input({ alias })` belong together.
      '@angular-eslint/no-input-rename': ['error', { allowedNames: ['weirCell', 'weirCellRows'] }],
      '@angular-eslint/prefer-inject': 'error',
      '@angular-eslint/prefer-signals': 'error',
      '@angular-eslint/prefer-output-readonly': 'error',
    },
  },
  {
    files: ['**/*.html'],
    extends: [...angular.configs.templateRecommended, ...angular.configs.templateAccessibility],
    rules: {
      '@angular-eslint/template/prefer-control-flow': 'error',
      // Bindings like [style.width.%] set properties, which the content security policy allows.
      '@angular-eslint/template/no-inline-styles': ['error', { allowBindToStyle: true }],
      // Labels stand in design/field, tied by `for`.
      '@angular-eslint/template/label-has-associated-control': 'off',
    },
  },
);
