import { afterRenderEffect, Component, ElementRef, inject, input, output } from '@angular/core';
import { RouterLink } from '@angular/router';
import { I18n } from '../../core/i18n/i18n';
import { Icon } from '../../design/icon/icon';
import { leadsTo, type NavLink } from './nav-links';

@Component({
  selector: 'weir-nav-list',
  imports: [Icon, RouterLink],
  template: `
    @if (heading()) {
      <p class="heading">{{ heading() }}</p>
    }
    <ul>
      @for (link of links(); track link.path) {
        <li>
          <a
            [routerLink]="link.path"
            [class.active]="leadsTo(link, url())"
            [attr.aria-current]="leadsTo(link, url()) ? 'page' : null"
            (click)="followed.emit()"
          >
            <weir-icon [name]="link.icon" />{{ t(link.key) }}
          </a>
        </li>
      }
    </ul>
  `,
  styles: `
    :host {
      display: block;
    }

    .heading {
      padding: var(--weir-gap-3) var(--weir-gap-3) var(--weir-gap-1);
      color: var(--weir-text-soft);
      font-size: 0.75rem;
      font-weight: 600;
    }

    ul {
      padding: 0;
      list-style: none;
    }

    a {
      display: flex;
      align-items: center;
      gap: var(--weir-gap-3);
      min-height: 2.125rem;
      padding: 0.125rem var(--weir-gap-3);
      border-radius: var(--weir-radius-m);
      color: var(--weir-text-soft);
      font-weight: 500;
      text-decoration: none;
    }

    a:hover {
      background: var(--weir-sunken);
      color: var(--weir-text);
    }

    a.active {
      background: var(--weir-brand-soft);
      color: var(--weir-on-brand-soft);
      font-weight: 600;
    }
  `,
})
export class NavList {
  protected readonly t = inject(I18n).t;
  protected readonly leadsTo = leadsTo;
  readonly url = input.required<string>();
  readonly links = input.required<readonly NavLink[]>();
  readonly heading = input('');
  readonly followed = output();

  constructor() {
    const host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
    // A menu that does not fit may hide the entry of the page that is shown. The observer reports
    // it after the layout of the frame; `scrollIntoView` by itself forces one before the page is
    // there.
    afterRenderEffect((onCleanup) => {
      this.url();
      const active = host.querySelector('.active');
      if (active === null) return;
      const observer = new IntersectionObserver((entries) => {
        observer.disconnect();
        if ((entries.at(-1)?.intersectionRatio ?? 1) < 1)
          active.scrollIntoView({ block: 'nearest' });
      });
      observer.observe(active);
      onCleanup(() => observer.disconnect());
    });
  }
}
