import { Component, inject, input } from '@angular/core';
import { I18n } from '../../core/i18n/i18n';
import { CopyButton } from './copy-button';

/** Something to type or paste elsewhere, exactly. */
@Component({
  selector: 'weir-code-block',
  imports: [CopyButton],
  template: `
    @if (label()) {
      <p class="label small soft">{{ label() }}</p>
    }
    <div class="frame">
      <pre tabindex="0" role="region" [attr.aria-label]="label() || t('code.sample')"><code>{{
        code()
      }}</code></pre>
      <weir-copy-button class="copy" [text]="code()" [what]="label() || t('code.sample')" />
    </div>
  `,
  styles: `
    :host {
      display: block;
      min-width: 0;
    }

    .label {
      margin-bottom: var(--weir-gap-1);
    }

    .frame {
      display: flex;
      align-items: flex-start;
      border: 1px solid var(--weir-line);
      border-radius: var(--weir-radius-m);
      background: var(--weir-sunken);
    }

    pre {
      flex: 1;
      min-width: 0;
      overflow-x: auto;
      padding: var(--weir-gap-3) var(--weir-gap-2) var(--weir-gap-3) var(--weir-gap-4);
      line-height: 1.6;
      white-space: pre;
      overflow-wrap: normal;
      border-radius: var(--weir-radius-m);
    }

    .copy {
      flex: none;
      margin: 0.375rem;
    }
  `,
})
export class CodeBlock {
  protected readonly t = inject(I18n).t;
  readonly code = input.required<string>();
  readonly label = input('');
}
