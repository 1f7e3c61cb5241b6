import { Component, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Icon } from '../icon/icon';

/** The way up from a page about one thing. */
@Component({
  selector: 'weir-back-link',
  imports: [Icon, RouterLink],
  template: `<a [routerLink]="to()"><weir-icon name="arrowLeft" />{{ label() }}</a>`,
  styles: `
    a {
      display: inline-flex;
      align-items: center;
      gap: var(--weir-gap-1);
      margin-bottom: var(--weir-gap-2);
      color: var(--weir-text-soft);
      font-size: 0.875rem;
      text-decoration: none;
    }

    a:hover {
      color: var(--weir-brand);
    }
  `,
})
export class BackLink {
  readonly to = input.required<string>();
  readonly label = input.required<string>();
}
