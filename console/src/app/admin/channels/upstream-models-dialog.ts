import { Component, inject } from '@angular/core';
import { FormGroup } from '@angular/forms';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { FormDialog } from '../../design/dialog/form-dialog';
import { Choice } from '../../design/field/choice';
import { DialogWork } from '../../design/resource/resource-dialog';
import { OfferList } from '../onboarding/offers/offer-list';
import { Sale } from '../onboarding/sale';
import { presetOf } from '../onboarding/upstream-presets';
import type { ChannelState } from './channel-state';

/** The data of the dialog. */
export interface UpstreamModelsData {
  readonly state: ChannelState;
  /** Models of the upstream that the channel does not serve. */
  readonly names: readonly string[];
}

/** Lets the channel serve more of its upstream's models, new ones with their prices. */
@Component({
  selector: 'weir-upstream-models-dialog',
  imports: [Choice, FormDialog, OfferList],
  template: `
    <weir-form-dialog
      [heading]="t('channels.fetchTitle')"
      [save]="t('channels.fetchSave', { count: sale.offers.ticked().length })"
      [group]="group"
      [action]="dialog.action"
      [disabled]="sale.offers.ticked().length === 0"
      [reveal]="reveal"
      (accepted)="add()"
    >
      <weir-choice
        [many]="true"
        [control]="sale.groupIds"
        [label]="t('onboard.groups')"
        [placeholder]="t('onboard.groupsNone')"
        [hint]="t('channels.fetchGroupsHint')"
        [options]="sale.groupOptions()"
        [madeFrom]="sale.groups"
      />
      <weir-offer-list [offers]="sale.offers" />
    </weir-form-dialog>
  `,
})
export class UpstreamModelsDialog {
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<UpstreamModelsData, number>();
  protected readonly sale = new Sale(inject(Api));
  protected readonly group = new FormGroup({
    newModels: this.sale.offers.newModels,
    groupIds: this.sale.groupIds,
  });
  /** Shows the ticked rows, because a fault may be in a hidden one. */
  protected readonly reveal = (): void => this.sale.offers.showTicked();

  constructor() {
    const { state, names } = this.dialog.data;
    const { offers } = this.sale;
    const preset = presetOf(state.channel.value()?.baseUrl ?? '');
    const providers = preset?.listNames ?? [];
    offers.fill(names, { catalog: state.addable(), providers });
    offers.tick(
      offers.all().filter(({ isSold }) => isSold),
      true,
    );
    void this.sale.load();
  }

  protected async add(): Promise<void> {
    const { offers, groupIds } = this.sale;
    await this.dialog.run(async () => {
      await this.dialog.data.state.bring({
        served: offers.served(),
        newModels: offers.body().map((model) => ({ ...model, groupIds: [...groupIds.value] })),
      });
      return offers.ticked().length;
    });
  }
}
