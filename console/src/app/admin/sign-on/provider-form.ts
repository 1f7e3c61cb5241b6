import { FormGroup } from '@angular/forms';
import {
  SignOnProviderCreate,
  type SignOnProviderUpdate,
  type SignOnProviderView,
  type SignUp,
} from '@weir/shared/people/sign-on';
import { SIGN_ON_PRESET_FACTS, type SignOnPreset } from '@weir/shared/people/sign-on-presets';
import { flag, option, words, wordsOf, wordsOrNothing } from '../../core/forms/controls';

const rules = SignOnProviderCreate.properties;

/** An identity provider. A secret that is not entered stays. */
export class ProviderForm {
  readonly controls;
  readonly group;

  constructor(provider?: SignOnProviderView) {
    const preset = provider?.preset ?? 'oidc';
    this.controls = {
      preset: option<SignOnPreset>(preset),
      name: words(rules.name, { initial: provider?.name ?? '', required: true }),
      slug: words(rules.slug, { initial: provider?.slug ?? preset, required: true }),
      issuer: words(rules.issuer, {
        initial: provider?.issuer ?? SIGN_ON_PRESET_FACTS[preset].issuer,
        required: true,
      }),
      clientId: words(rules.clientId, { initial: provider?.clientId ?? '', required: true }),
      clientSecret: words(rules.clientSecret),
      scopes: words(rules.scopes, { initial: provider?.scopes ?? '' }),
      signUp: option<SignUp>(provider?.signUp ?? 'mapped'),
      shownOnLogIn: flag(provider?.shownOnLogIn ?? true),
      trustsSecondFactor: flag(provider?.trustsSecondFactor ?? false),
      allowPrivate: flag(provider?.allowPrivate ?? false),
      status: option<SignOnProviderView['status']>(provider?.status ?? 'active'),
    };
    this.group = new FormGroup(this.controls);
  }

  /** Fills in what is known of a kind of provider, as far as nothing else was entered. */
  choosePreset(preset: SignOnPreset, name: string): void {
    const { controls } = this;
    const values = { slug: preset, issuer: SIGN_ON_PRESET_FACTS[preset].issuer, name };
    for (const [field, value] of Object.entries(values)) {
      const control = controls[field as keyof typeof values];
      if (!control.dirty) control.setValue(value);
    }
  }

  body(): SignOnProviderCreate {
    const { controls } = this;
    return {
      preset: controls.preset.value,
      slug: wordsOf(controls.slug),
      ...this.#common(),
    };
  }

  update(): SignOnProviderUpdate {
    return this.#common();
  }

  #common() {
    const { controls } = this;
    const clientSecret = wordsOrNothing(controls.clientSecret);
    return {
      name: wordsOf(controls.name),
      issuer: wordsOf(controls.issuer),
      clientId: wordsOf(controls.clientId),
      ...(clientSecret === undefined ? {} : { clientSecret }),
      scopes: wordsOf(controls.scopes),
      signUp: controls.signUp.value,
      shownOnLogIn: controls.shownOnLogIn.value,
      trustsSecondFactor: controls.trustsSecondFactor.value,
      allowPrivate: controls.allowPrivate.value,
      status: controls.status.value,
    };
  }
}
