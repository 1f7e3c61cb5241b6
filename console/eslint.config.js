import angular from 'angular-eslint';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** What Angular asks for of components and templates. All other rules are in `oxlint.config.ts`. */
export default defineConfig(
  { ignores: ['dist', '.angular', 'public'] },
  {
    // Comments name exceptions from rules of the other linter, which also knows whether they are needed.
    plugins: { '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
  },
  {
    files: ['**/*.ts'],
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
