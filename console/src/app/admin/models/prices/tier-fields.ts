import {
  afterNextRender,
  Component,
  computed,
  ElementRef,
  inject,
  Injector,
  input,
  viewChild,
} from '@angular/core';
import { MatButton, MatIconButton } from '@angular/material/button';
import { I18n } from '../../../core/i18n/i18n';
import { controlFault } from '../../../design/field/control-fault';
import { Field } from '../../../design/field/field';
import { Icon } from '../../../design/icon/icon';
import type { TierRow, TierRows } from './tier-rows';

/** The factors of tiers, folded away where there are none. For a grid of fields. */
@Component({
  selector: 'weir-tier-fields',
  imports: [Field, Icon, MatButton, MatIconButton],
  template: `
    <details data-testid="tiers" [open]="hadAny()">
      <summary>{{ t('prices.tiers') }}</summary>
      <div class="stack">
        <p class="small soft">{{ t('prices.tiersHint') }}</p>
        @for (row of tiers().rows.controls; track row) {
          <div class="row" role="group" [attr.aria-label]="t('prices.tier')">
            <weir-field
              placeholder="priority"
              [mono]="true"
              [control]="row.controls.tier"
              [label]="t('prices.tier')"
            />
            <weir-field
              prefix="×"
              inputmode="decimal"
              [control]="row.controls.factor"
              [label]="t('prices.factor')"
            />
            <button
              matIconButton
              type="button"
              [attr.aria-label]="t('prices.removeTier', { tier: row.controls.tier.value })"
              (click)="remove(row)"
            >
              <weir-icon name="trash" />
            </button>
          </div>
        }
        @if (fault()) {
          <p class="small bad" role="alert">{{ fault() }}</p>
        }
        <div>
          <button
            #adder
            matButton="outlined"
            type="button"
            [disabled]="tiers().isFull"
            (click)="tiers().add()"
          >
            <weir-icon matButtonIcon name="plus" />{{ t('prices.addTier') }}
          </button>
        </div>
      </div>
    </details>
  `,
  styles: `
    :host {
      display: contents;
    }

    details {
      grid-column: 1 / -1;
    }

    summary {
      padding: var(--weir-gap-1) 0 var(--weir-gap-3);
      font-weight: 600;
      cursor: pointer;
    }

    .row {
      display: grid;
      grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) auto;
      align-items: start;
      gap: var(--weir-gap-3);
    }

    .row > button {
      margin-top: 1.5rem;
    }

    .bad {
      color: var(--weir-bad);
    }
  `,
})
export class TierFields {
  readonly #injector = inject(Injector);
  protected readonly t = inject(I18n).t;
  protected readonly adder = viewChild<string, ElementRef<HTMLButtonElement>>('adder', {
    read: ElementRef,
  });
  readonly tiers = input.required<TierRows>();

  /** The initial state: rows come and go without opening or closing the user's fold. */
  protected readonly hadAny = computed(() => this.tiers().rows.length > 0);
  protected readonly fault = controlFault(computed(() => this.tiers().rows));

  /** The button that had the focus goes with its row. */
  protected remove(row: TierRow): void {
    this.tiers().remove(row);
    afterNextRender(() => this.adder()?.nativeElement.focus(), { injector: this.#injector });
  }
}
