import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { RouterLink } from '@angular/router';
import { I18n } from '../core/i18n/i18n';
import { EmptyState } from '../design/feedback/empty-state';
import { Page } from '../design/page/page';

@Component({
  selector: 'weir-not-found',
  imports: [EmptyState, MatButton, Page, RouterLink],
  template: `
    <weir-page [heading]="t('notFound.title')">
      <div class="card">
        <weir-empty-state icon="search" [heading]="t('notFound.hint')">
          <a matButton="filled" routerLink="/">{{ t('notFound.home') }}</a>
        </weir-empty-state>
      </div>
    </weir-page>
  `,
})
export class NotFound {
  protected readonly t = inject(I18n).t;
}
