import { Component, effect, inject, input, signal } from '@angular/core';
import { RULE_ROLES } from '@weir/shared/people/sign-on';
import { Api } from '../../core/api/api';
import { I18n, optionsOf, type Option } from '../../core/i18n/i18n';
import { keyIn, namedOptions } from '../../core/i18n/options';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { AccountField } from '../accounts/finder/account-field';
import type { RuleRow } from './access-form';

/** One rule: a claim and its value, and the account, role and team that they lead to. */
@Component({
  selector: 'weir-rule-fields',
  imports: [AccountField, Choice, Field],
  template: `
    <weir-field [mono]="true" [control]="row().controls.claim" [label]="t('rules.claim')" />
    <weir-field
      [mono]="true"
      [control]="row().controls.value"
      [label]="t('rules.value')"
      [hint]="t('rules.valueHint')"
    />
    @if (accountName(); as name) {
      <div>
        <p class="small soft">{{ t('accounts.account') }}</p>
        <p class="strong">{{ name }}</p>
      </div>
    } @else {
      <weir-account-field [control]="row().controls.accountId" [label]="t('accounts.account')" />
    }
    <weir-choice [control]="row().controls.role" [label]="t('account.role')" [options]="roles()" />
    <weir-choice [control]="row().controls.teamId" [label]="t('teams.team')" [options]="teams()" />
  `,
  styles: `
    :host {
      display: grid;
      flex: 1;
      grid-template-columns: repeat(auto-fit, minmax(min(11rem, 100%), 1fr));
      align-items: start;
      gap: var(--weir-gap-3);
      min-width: 0;
    }
  `,
})
export class RuleFields {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  readonly row = input.required<RuleRow>();
  /** The account of a rule that is there already, which stays. */
  readonly accountName = input<string>();
  protected readonly roles = optionsOf(RULE_ROLES, keyIn('memberRole'));
  protected readonly teams = signal<readonly Option[]>([
    { value: '', label: this.t('teams.noTeam') },
  ]);

  constructor() {
    effect((onCleanup) => {
      const { accountId } = this.row().controls;
      if (accountId.value !== '') void this.#loadTeams(accountId.value);
      let known = accountId.value;
      const changes = accountId.valueChanges.subscribe((id) => {
        // A form that is submitted says every value again.
        if (id === known) return;
        known = id;
        this.row().controls.teamId.setValue('');
        if (id !== '') void this.#loadTeams(id);
      });
      onCleanup(() => changes.unsubscribe());
    });
  }

  async #loadTeams(accountId: string): Promise<void> {
    const { data } = await this.#api.call('listTeamsOfAccount', { params: { accountId } });
    this.teams.set([{ value: '', label: this.t('teams.noTeam') }, ...namedOptions(data)]);
  }
}
