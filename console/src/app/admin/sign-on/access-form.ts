import { FormArray, FormGroup, type FormControl } from '@angular/forms';
import {
  SignOnProviderCreate,
  type RuleRole,
  type SignOnProviderUpdate,
  type SignOnProviderView,
} from '@weir/shared/people/sign-on';
import { SIGN_ON_PRESET_FACTS } from '@weir/shared/people/sign-on-presets';
import { chosen, flag, option, words, wordsOf } from '../../core/forms/controls';

const rule = SignOnProviderCreate.properties.rules.items.properties;
const domainRule = SignOnProviderCreate.properties.domains.items.properties;

export type RuleRow = FormGroup<{
  readonly claim: FormControl<string>;
  readonly value: FormControl<string>;
  readonly accountId: FormControl<string>;
  readonly role: FormControl<RuleRole>;
  readonly teamId: FormControl<string>;
}>;

export type DomainRow = FormGroup<{
  readonly domain: FormControl<string>;
  readonly onlySignOn: FormControl<boolean>;
}>;

/** The rules and domains of a provider. Both lists replace the former ones. */
export class AccessForm {
  readonly rules = new FormArray<RuleRow>([]);
  readonly domains = new FormArray<DomainRow>([]);
  readonly group = new FormGroup({ rules: this.rules, domains: this.domains });
  readonly #claim: string;
  readonly #accountNames = new Map<RuleRow, string>();

  constructor({ preset, rules, domains }: SignOnProviderView) {
    this.#claim = SIGN_ON_PRESET_FACTS[preset].groupsClaim;
    for (const present of rules) this.addRule(present);
    for (const present of domains) this.addDomain(present);
  }

  addRule(present?: SignOnProviderView['rules'][number]): void {
    const row: RuleRow = new FormGroup({
      claim: words(rule.claim, { initial: present?.claim ?? this.#claim, required: true }),
      value: words(rule.value, { initial: present?.value ?? '', required: true }),
      accountId: chosen(rule.accountId, { initial: present?.accountId ?? '', required: true }),
      role: option<RuleRole>(present?.role ?? 'member'),
      teamId: chosen(rule.teamId, { initial: present?.teamId ?? '' }),
    });
    if (present !== undefined) this.#accountNames.set(row, present.accountName);
    this.rules.push(row);
  }

  /** The account of a rule that is there already, which stays. */
  accountNameOf(row: RuleRow): string | undefined {
    return this.#accountNames.get(row);
  }

  addDomain(present?: SignOnProviderView['domains'][number]): void {
    this.domains.push(
      new FormGroup({
        domain: words(domainRule.domain, { initial: present?.domain ?? '', required: true }),
        onlySignOn: flag(present?.onlySignOn ?? false),
      }),
    );
  }

  removeRule(row: RuleRow): void {
    this.rules.removeAt(this.rules.controls.indexOf(row));
  }

  removeDomain(row: DomainRow): void {
    this.domains.removeAt(this.domains.controls.indexOf(row));
  }

  body(): SignOnProviderUpdate {
    return {
      rules: this.rules.controls.map(({ controls }) => ({
        claim: wordsOf(controls.claim),
        value: wordsOf(controls.value),
        accountId: controls.accountId.value,
        role: controls.role.value,
        teamId: controls.teamId.value === '' ? null : controls.teamId.value,
      })),
      domains: this.domains.controls.map(({ controls }) => ({
        domain: wordsOf(controls.domain),
        onlySignOn: controls.onlySignOn.value,
      })),
    };
  }
}
