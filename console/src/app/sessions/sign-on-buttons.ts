import { Component, DOCUMENT, inject, input } from '@angular/core';
import { MatButton } from '@angular/material/button';
import type { SignOnChoice, SignOnFlowCreate } from '@weir/shared/people/sign-on';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { Action } from '../core/state/action';
import { FailureNote } from '../design/feedback/failure-note';

/** The terms that a sign-on is begun with, besides the provider. */
export type SignOnTerms = Omit<SignOnFlowCreate, 'provider' | 'language'>;

/** Buttons that lead to identity providers. */
@Component({
  selector: 'weir-sign-on-buttons',
  imports: [FailureNote, MatButton],
  template: `
    @if (choices().length > 0) {
      @if (separated()) {
        <p class="or small soft">{{ t('signOn.or') }}</p>
      }
      @if (action.failure(); as failure) {
        <weir-failure-note [failure]="failure" />
      }
      @for (choice of choices(); track choice.slug) {
        <button
          [matButton]="filled() ? 'filled' : 'outlined'"
          type="button"
          data-testid="sign-on"
          [disabled]="action.busy()"
          (click)="begin(choice)"
        >
          {{ t('signOn.with', { name: choice.name }) }}
        </button>
      }
    }
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      gap: var(--weir-gap-2);
    }

    :host:empty {
      display: none;
    }

    .or {
      text-align: center;
    }
  `,
})
export class SignOnButtons {
  readonly #api = inject(Api);
  readonly #i18n = inject(I18n);
  readonly #view = inject(DOCUMENT).defaultView;
  protected readonly t = this.#i18n.t;
  protected readonly action = new Action();
  readonly choices = input.required<readonly SignOnChoice[]>();
  readonly terms = input<() => SignOnTerms>(() => ({}));
  readonly filled = input(false);
  /** They come after a form that does the same. */
  readonly separated = input(true);

  protected async begin({ slug }: SignOnChoice): Promise<void> {
    const body = { ...this.terms()(), provider: slug, language: this.#i18n.language() };
    await this.action.run(async () => {
      const { url } = await this.#api.call('beginSignOn', { body });
      this.#view?.location.assign(url);
    });
  }
}
