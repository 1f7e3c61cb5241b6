import { Component, inject, input, signal } from '@angular/core';
import type { FormControl } from '@angular/forms';
import { MatButton } from '@angular/material/button';
import { LOGO_CHARACTERS_MAX } from '@weir/shared/people/settings';
import { I18n } from '../../core/i18n/i18n';

const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'];

function readAsAddress(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });
}

/** A picture from a file, kept in the settings as a data: address. */
@Component({
  selector: 'weir-logo-field',
  imports: [MatButton],
  template: `
    <p class="label">{{ t('settings.logo') }}</p>
    <div class="cluster">
      @if (control().value; as logo) {
        <img alt="" [src]="logo" />
      }
      <button matButton="outlined" type="button" (click)="file.click()">
        {{ t('settings.logoChoose') }}
      </button>
      @if (control().value) {
        <button matButton type="button" (click)="choose('')">{{ t('action.remove') }}</button>
      }
      <input
        #file
        class="unseen"
        type="file"
        tabindex="-1"
        aria-hidden="true"
        data-testid="logo-file"
        [accept]="accepted"
        (change)="take(file)"
      />
    </div>
    @if (refused()) {
      <p class="small bad" role="alert">{{ t('settings.logoRefused') }}</p>
    } @else {
      <p class="small soft">{{ t('settings.logoHint') }}</p>
    }
  `,
  styles: `
    :host {
      position: relative;
      display: flex;
      flex-direction: column;
      gap: var(--weir-gap-1);
    }

    .label {
      font-size: 0.875rem;
      font-weight: 550;
    }

    img {
      max-width: 8rem;
      height: 2.5rem;
      object-fit: contain;
    }
  `,
})
export class LogoField {
  protected readonly t = inject(I18n).t;
  protected readonly accepted = TYPES.join(',');
  protected readonly refused = signal(false);
  readonly control = input.required<FormControl<string>>();

  protected async take(input: HTMLInputElement): Promise<void> {
    const [file] = input.files ?? [];
    // The same file can be chosen again after it was changed.
    input.value = '';
    if (file === undefined) return;
    const address = await readAsAddress(file).catch(() => '');
    const fits = TYPES.includes(file.type) && address.length <= LOGO_CHARACTERS_MAX;
    this.refused.set(!fits || address === '');
    if (!this.refused()) this.choose(address);
  }

  protected choose(address: string): void {
    this.control().setValue(address);
    this.control().markAsDirty();
  }
}
