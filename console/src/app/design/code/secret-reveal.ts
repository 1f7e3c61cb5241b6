import { Component, inject, input } from '@angular/core';
import { I18n } from '../../core/i18n/i18n';
import { Note } from '../feedback/note';
import { CopyButton } from './copy-button';

/** A secret that is shown this once: the value, a way to copy it, and the warning. */
@Component({
  selector: 'weir-secret-reveal',
  imports: [CopyButton, Note],
  template: `
    <weir-note tone="warn">{{ warning() }}</weir-note>
    <div class="value">
      <code [attr.aria-label]="what()" data-testid="secret">{{ secret() }}</code>
      <weir-copy-button [text]="secret()" [what]="what()" [wide]="true" look="filled" />
    </div>
    <span class="unseen">{{ t('secret.once') }}</span>
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      gap: var(--weir-gap-3);
    }

    .value {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: var(--weir-gap-3);
      padding: var(--weir-gap-3) var(--weir-gap-3) var(--weir-gap-3) var(--weir-gap-4);
      border: 1px solid var(--weir-outline);
      border-radius: var(--weir-radius-m);
    }

    code {
      flex: 1 1 16rem;
      min-width: 0;
      font-size: 0.9375rem;
      word-break: break-all;
      user-select: all;
    }
  `,
})
export class SecretReveal {
  protected readonly t = inject(I18n).t;
  readonly secret = input.required<string>();
  readonly what = input.required<string>();
  readonly warning = input.required<string>();
}
