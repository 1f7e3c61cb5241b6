import { Component, computed, inject, input } from '@angular/core';
import { encode } from 'uqr';
import { I18n } from '../../core/i18n/i18n';

/** Quiet modules around the code; scanners want some. */
const MARGIN = 2;

/** A QR code as one path: dark on white in both themes, because scanners expect that. */
@Component({
  selector: 'weir-qr-code',
  template: `
    <svg role="img" [attr.aria-label]="t('secondFactor.qr')" [attr.viewBox]="viewBox()">
      <rect width="100%" height="100%" fill="#fff" />
      <path fill="#000" [attr.d]="path()" />
    </svg>
  `,
  styles: `
    svg {
      display: block;
      width: 11rem;
      height: 11rem;
      border-radius: var(--weir-radius-m);
    }
  `,
})
export class QrCode {
  protected readonly t = inject(I18n).t;
  readonly text = input.required<string>();
  readonly #code = computed(() => encode(this.text(), { border: MARGIN, ecc: 'M' }));
  protected readonly viewBox = computed(() => {
    const { size } = this.#code();
    return `0 0 ${String(size)} ${String(size)}`;
  });
  protected readonly path = computed(() =>
    this.#code()
      .data.flatMap((row, y) =>
        row.flatMap((dark, x) => (dark ? [`M${String(x)} ${String(y)}h1v1h-1z`] : [])),
      )
      .join(''),
  );
}
