import { FormControl, FormGroup, type ValidationErrors } from '@angular/forms';
import type { KeysBulkChange } from '@weir/shared/api/bulk-changes';
import { readDecimal } from '../../core/format/decimal';
import type { Translate } from '../../core/i18n/i18n';
import type { BulkField } from '../../design/bulk/bulk-change';

/** The word that takes a limit away. An empty field leaves it as it is. */
const NONE = 'none';
const WHOLE = /^[1-9]\d{0,9}$/;
const WHOLE_MAX = 2_147_483_647;

const BUDGETS = ['budgetDayUsd', 'budgetMonthUsd', 'budgetTotalUsd'] as const;
const RATES = ['rpm', 'tpm', 'concurrencyMax'] as const;
type Limit = (typeof BUDGETS)[number] | (typeof RATES)[number];

function textOf(control: FormControl<string>): string {
  return control.value.trim().toLowerCase();
}

function isBudget(text: string): boolean {
  return readDecimal(text) !== undefined && !text.startsWith('-');
}

function isRate(text: string): boolean {
  return WHOLE.test(text) && Number(text) <= WHOLE_MAX;
}

/** The limits of several keys: those that are filled in are set. */
export class KeyLimitsForm {
  readonly #t: Translate;
  readonly controls: Readonly<Record<Limit, FormControl<string>>>;
  readonly group: FormGroup;

  constructor(t: Translate) {
    this.#t = t;
    const control = (accepts: (text: string) => boolean, words: string) =>
      new FormControl('', {
        nonNullable: true,
        validators: ({ value }): ValidationErrors | null => {
          const text = String(value).trim().toLowerCase();
          return text === '' || text === NONE || accepts(text) ? null : { words };
        },
      });
    const budget = () => control(isBudget, t('keys.budgetFault'));
    const rate = () => control(isRate, t('keys.limitFault'));
    this.controls = {
      budgetDayUsd: budget(),
      budgetMonthUsd: budget(),
      budgetTotalUsd: budget(),
      rpm: rate(),
      tpm: rate(),
      concurrencyMax: rate(),
    };
    this.group = new FormGroup(this.controls);
    // Said at the first field: a form has no place of its own for it.
    this.controls.budgetDayUsd.addValidators(() =>
      Object.values(this.controls).every((field) => textOf(field) === '')
        ? { words: t('keys.limitsNothing') }
        : null,
    );
    const judge = (): void =>
      this.controls.budgetDayUsd.updateValueAndValidity({ emitEvent: false });
    this.group.valueChanges.subscribe(judge);
    judge();
  }

  fields(): BulkField[] {
    const t = this.#t;
    const line = { kind: 'line', optional: true } as const;
    const { budgetDayUsd, budgetMonthUsd, budgetTotalUsd, rpm, tpm, concurrencyMax } =
      this.controls;
    return [
      { ...line, control: budgetDayUsd, label: t('keys.budgetDay'), prefix: '$' },
      { ...line, control: budgetMonthUsd, label: t('keys.budgetMonth'), prefix: '$' },
      { ...line, control: budgetTotalUsd, label: t('keys.budgetTotal'), prefix: '$' },
      { ...line, control: rpm, label: t('keys.rpm') },
      { ...line, control: tpm, label: t('keys.tpm') },
      { ...line, control: concurrencyMax, label: t('keys.concurrency') },
    ];
  }

  body(): Pick<KeysBulkChange, Limit> {
    const filled = (names: readonly Limit[], read: (text: string) => unknown) =>
      names
        .filter((name) => textOf(this.controls[name]) !== '')
        .map((name) => {
          const text = textOf(this.controls[name]);
          return [name, text === NONE ? null : read(text)];
        });
    return Object.fromEntries([...filled(BUDGETS, String), ...filled(RATES, Number)]) as Pick<
      KeysBulkChange,
      Limit
    >;
  }
}
