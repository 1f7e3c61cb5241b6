import { Component, inject, input } from '@angular/core';
import { ReactiveFormsModule, type FormControl } from '@angular/forms';
import { RouterLink } from '@angular/router';
import { I18n } from '../../core/i18n/i18n';
import { Site } from '../../core/session/site';
import { controlFault, nextFieldId } from '../../design/field/control-fault';

/**
 * Agrees to what the operator has written, each a link away; nothing where there is nothing to
 * agree to.
 */
@Component({
  selector: 'weir-consent',
  imports: [ReactiveFormsModule, RouterLink],
  template: `
    @if (site.settings(); as settings) {
      @if (settings.hasTerms || settings.hasPrivacy) {
        <label class="line">
          <input
            type="checkbox"
            data-testid="consent"
            [formControl]="control()"
            [attr.aria-describedby]="fault() ? id : null"
            [attr.aria-invalid]="fault() ? true : null"
          />
          <span>{{ t('register.agree') }}</span>
        </label>
        <p class="cluster links">
          @if (settings.hasTerms) {
            <a routerLink="/terms" target="_blank">{{ t('legal.terms') }}</a>
          }
          @if (settings.hasPrivacy) {
            <a routerLink="/privacy" target="_blank">{{ t('legal.privacy') }}</a>
          }
        </p>
        @if (fault()) {
          <p class="small bad" [id]="id">{{ fault() }}</p>
        }
      }
    }
  `,
  styles: `
    .line {
      display: flex;
      align-items: flex-start;
      gap: var(--weir-gap-2);
    }

    input {
      flex: none;
      width: 1.25rem;
      height: 1.25rem;
      margin: 0.1rem 0 0;
      accent-color: var(--weir-brand);
    }

    .links {
      gap: var(--weir-gap-1) var(--weir-gap-4);
      padding-inline-start: 1.75rem;
    }
  `,
})
export class Consent {
  protected readonly t = inject(I18n).t;
  protected readonly site = inject(Site);
  protected readonly id = nextFieldId();
  readonly control = input.required<FormControl<boolean>>();
  protected readonly fault = controlFault(this.control);
}
