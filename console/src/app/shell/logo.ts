import { Component, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Site } from '../core/session/site';
import { Icon } from '../design/icon/icon';

@Component({
  selector: 'weir-logo',
  imports: [Icon, RouterLink],
  template: `
    <a routerLink="/" class="logo">
      @if (site.settings()?.logo; as logo) {
        <img class="picture" alt="" [src]="logo" />
      } @else {
        <span class="mark"><weir-icon name="logo" /></span>
      }
      <span class="clip">{{ site.settings()?.siteName ?? 'Weir' }}</span>
    </a>
  `,
  styles: `
    :host {
      display: block;
      min-width: 0;
    }

    .logo {
      display: flex;
      align-items: center;
      gap: var(--weir-gap-2);
      color: var(--weir-text);
      font-size: 1.0625rem;
      font-weight: 680;
      letter-spacing: -0.02em;
      text-decoration: none;
    }

    /* In the bar, a name that has no room goes as a whole: of a part, no one can read anything. */
    :host-context(.bar) .logo {
      flex-wrap: wrap;
      max-height: 1.875rem;
      overflow: hidden;
    }

    .picture {
      flex: none;
      max-width: 6rem;
      height: 1.875rem;
      border-radius: 6px;
      object-fit: contain;
    }

    .mark {
      display: grid;
      flex: none;
      place-items: center;
      width: 1.875rem;
      height: 1.875rem;
      border-radius: 8px;
      background: var(--weir-brand);
      color: var(--weir-on-brand);
    }
  `,
})
export class Logo {
  protected readonly site = inject(Site);
}
