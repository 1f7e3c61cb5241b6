import { Component, inject } from '@angular/core';
import { I18n } from '../core/i18n/i18n';
import { Page } from '../design/page/page';
import { FirstSteps } from './first-steps';

@Component({
  selector: 'weir-start',
  imports: [FirstSteps, Page],
  template: `
    <weir-page [heading]="t('start.title')" [intro]="t('start.intro')">
      <weir-first-steps />
    </weir-page>
  `,
})
export class Start {
  protected readonly t = inject(I18n).t;
}
