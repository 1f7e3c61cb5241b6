import { Component, inject, input } from '@angular/core';
import { I18n } from '../../core/i18n/i18n';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { TextArea } from '../../design/field/text-area';
import type { KeyChoices } from '../key-choices';
import type { KeyForm } from './key-form';

/** A key's group and what it may spend and from where, the same for one key and for a batch. */
@Component({
  selector: 'weir-key-fields',
  imports: [Choice, Field, TextArea],
  template: `
    <weir-choice
      [control]="form().controls.groupId"
      [label]="t('keys.group')"
      [hint]="choices().groupHint()"
      [options]="choices().groupOptions()"
      [madeFrom]="choices().groups"
    />
    <details [open]="!form().isNew">
      <summary>{{ t('keys.limits') }}</summary>
      <p class="small soft">{{ hint() }}</p>
      <div class="fields">
        <weir-field
          inputmode="decimal"
          prefix="$"
          [control]="form().controls.budgetMonthUsd"
          [label]="t('keys.budgetMonth')"
          [placeholder]="t('field.none')"
        />
        <weir-field
          inputmode="decimal"
          prefix="$"
          [control]="form().controls.budgetDayUsd"
          [label]="t('keys.budgetDay')"
          [placeholder]="t('field.none')"
        />
        <weir-field
          inputmode="decimal"
          prefix="$"
          [control]="form().controls.budgetTotalUsd"
          [label]="t('keys.budgetTotal')"
          [placeholder]="t('field.none')"
        />
        <weir-field
          type="datetime-local"
          [control]="form().controls.expiresAt"
          [label]="t('keys.expiresAt')"
        />
        <weir-field
          inputmode="numeric"
          [control]="form().controls.rpm"
          [label]="t('keys.rpm')"
          [placeholder]="t('field.none')"
        />
        <weir-field
          inputmode="numeric"
          [control]="form().controls.tpm"
          [label]="t('keys.tpm')"
          [placeholder]="t('field.none')"
        />
        <weir-field
          inputmode="numeric"
          [control]="form().controls.concurrencyMax"
          [label]="t('keys.concurrency')"
          [placeholder]="t('field.none')"
        />
        <weir-choice
          class="whole"
          [many]="true"
          [control]="form().controls.modelAllowlist"
          [label]="t('keys.models')"
          [placeholder]="t('keys.modelsAll')"
          [options]="choices().modelOptions()"
          [madeFrom]="choices().pricing"
        />
        <weir-text-area
          class="whole"
          [mono]="true"
          [control]="form().controls.ipAllowlist"
          [label]="t('keys.ips')"
          [hint]="t('keys.ipsHint')"
          [placeholder]="t('keys.ipsAny')"
        />
      </div>
    </details>
  `,
  styles: `
    :host {
      display: contents;
    }

    summary {
      padding: var(--weir-gap-2) 0;
      font-weight: 600;
      cursor: pointer;
    }

    p {
      margin-bottom: var(--weir-gap-3);
    }
  `,
})
export class KeyFields {
  protected readonly t = inject(I18n).t;
  readonly form = input.required<KeyForm>();
  readonly choices = input.required<KeyChoices>();
  /** What limits mean. */
  readonly hint = input.required<string>();
}
