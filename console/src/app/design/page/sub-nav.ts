import { Component, type ElementRef, inject, input, viewChild } from '@angular/core';
import { RouterLink, RouterLinkActive } from '@angular/router';
import { I18n, type PlainKey } from '../../core/i18n/i18n';

export interface SubLink {
  readonly path: string;
  readonly label: PlainKey;
}

/** The parts of an area, each a page with an address of its own. */
@Component({
  selector: 'weir-sub-nav',
  imports: [RouterLink, RouterLinkActive],
  template: `
    <nav #nav [attr.aria-label]="label()">
      @for (link of links(); track link.path) {
        <a
          [routerLink]="link.path"
          routerLinkActive="active"
          ariaCurrentWhenActive="page"
          [routerLinkActiveOptions]="{ exact: true }"
          (isActiveChange)="show($event)"
          >{{ t(link.label) }}</a
        >
      }
    </nav>
  `,
  styles: `
    nav {
      display: flex;
      gap: var(--weir-gap-5);
      overflow-x: auto;
      border-bottom: 1px solid var(--weir-line);
      scrollbar-width: none;
    }

    a {
      padding: var(--weir-gap-2) 2px;
      border-bottom: 2px solid transparent;
      color: var(--weir-text-soft);
      font-weight: 550;
      text-decoration: none;
      white-space: nowrap;
    }

    a:hover {
      color: var(--weir-text);
    }

    a:focus-visible {
      outline-offset: -2px;
    }

    .active {
      border-color: var(--weir-brand);
      color: var(--weir-text);
    }
  `,
})
export class SubNav {
  protected readonly t = inject(I18n).t;
  readonly label = input.required<string>();
  readonly links = input.required<readonly SubLink[]>();
  protected readonly nav = viewChild.required<ElementRef<HTMLElement>>('nav');

  /** Scrolls a narrow page's links to the active one, which would be out of sight. */
  protected show(isActive: boolean): void {
    if (!isActive) return;
    const nav = this.nav().nativeElement;
    const link = nav.querySelector<HTMLElement>('.active');
    if (link === null) return;
    nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.clientWidth) / 2;
  }
}
