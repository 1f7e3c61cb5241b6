import { FormArray, FormGroup, type FormControl } from '@angular/forms';
import { TIERS_MAX, TierFactor } from '@weir/shared/prices/price-fields';
import { amount, amountOf, wordsOf, words } from '../../../core/forms/controls';

const rules = TierFactor.properties;

export type TierRow = FormGroup<{
  readonly tier: FormControl<string>;
  readonly factor: FormControl<string>;
}>;

/** The factors of tiers, a row each. A tier is in one row only, as the server demands. */
export class TierRows {
  readonly rows = new FormArray<TierRow>([]);

  constructor(present: readonly TierFactor[]) {
    for (const factor of present) this.add(factor);
  }

  get isFull(): boolean {
    return this.rows.length >= TIERS_MAX;
  }

  add(present?: TierFactor): void {
    const row: TierRow = new FormGroup({
      tier: words(rules.tier, { initial: present?.tier ?? '', required: true }),
      factor: amount(rules.factor, { initial: present?.factor ?? '', required: true }),
    });
    const { tier } = row.controls;
    tier.addValidators(() => (this.#isRepeated(row) ? { repeated: true } : null));
    tier.valueChanges.subscribe(() => this.#judgeRepeated());
    this.rows.push(row);
    this.#judgeRepeated();
  }

  remove(row: TierRow): void {
    this.rows.removeAt(this.rows.controls.indexOf(row));
    this.#judgeRepeated();
  }

  /** Also where there are none: what is left out of a body stays as it is in force. */
  body(): TierFactor[] {
    return this.rows.controls.map(({ controls }) => ({
      tier: wordsOf(controls.tier),
      factor: amountOf(controls.factor),
    }));
  }

  /** The first row with a tier is right, those below it are wrong. */
  #isRepeated(row: TierRow): boolean {
    const { controls } = this.rows;
    const name = wordsOf(row.controls.tier);
    const first = controls.find((other) => wordsOf(other.controls.tier) === name);
    return name !== '' && controls.includes(row) && first !== row;
  }

  /**
   * Rows that are judged right already are left alone: judging notifies its listeners, this among
   * them.
   */
  #judgeRepeated(): void {
    for (const row of this.rows.controls) {
      const { tier } = row.controls;
      if (tier.hasError('repeated') !== this.#isRepeated(row)) tier.updateValueAndValidity();
    }
  }
}
