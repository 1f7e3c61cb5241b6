import { Component, computed, inject, input } from '@angular/core';
import { I18n } from '../../core/i18n/i18n';
import { CopyButton } from '../../design/code/copy-button';
import { Note } from '../../design/feedback/note';

@Component({
  selector: 'weir-recovery-codes',
  imports: [CopyButton, Note],
  template: `
    <weir-note tone="warn">{{ t('secondFactor.codesWarning') }}</weir-note>
    <ul class="mono">
      @for (code of codes(); track code) {
        <li>{{ code }}</li>
      }
    </ul>
    <weir-copy-button [text]="all()" [what]="t('secondFactor.codes')" [wide]="true" />
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      gap: var(--weir-gap-3);
      align-items: flex-start;
    }

    ul {
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr));
      gap: var(--weir-gap-1) var(--weir-gap-5);
      width: 100%;
      padding: var(--weir-gap-3) var(--weir-gap-4);
      border-radius: var(--weir-radius-m);
      background: var(--weir-sunken);
      list-style: none;
    }
  `,
})
export class RecoveryCodes {
  protected readonly t = inject(I18n).t;
  readonly codes = input.required<readonly string[]>();
  protected readonly all = computed(() => this.codes().join('\n'));
}
