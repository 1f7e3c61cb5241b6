import { Component, input } from '@angular/core';

/** The shape of what is coming, as high as it will be, so that nothing moves when it arrives. */
@Component({
  selector: 'weir-skeleton',
  host: { 'aria-hidden': 'true', '[style.width]': 'width()', '[style.height]': 'height()' },
  template: '',
  styles: `
    :host {
      display: inline-block;
      border-radius: var(--weir-radius-s);
      background: linear-gradient(
        90deg,
        var(--weir-sunken) 25%,
        var(--weir-line) 50%,
        var(--weir-sunken) 75%
      );
      background-size: 300% 100%;
      animation: shimmer 1.8s ease-in-out infinite;
      vertical-align: middle;
    }

    @keyframes shimmer {
      from {
        background-position: 100% 0;
      }

      to {
        background-position: 0 0;
      }
    }
  `,
})
export class Skeleton {
  readonly width = input('100%');
  readonly height = input('1em');
}
