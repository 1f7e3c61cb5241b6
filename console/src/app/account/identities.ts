import { Component, DOCUMENT, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import type { IdentityView, SignOnChoice } from '@weir/shared/people/sign-on';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { Loadable } from '../core/state/loadable';
import { Dialogs } from '../design/dialog/dialogs';
import { FailureNote } from '../design/feedback/failure-note';
import { Toasts } from '../design/feedback/toasts';
import { Time } from '../design/text/time';

/** The identities at providers by which the person logs in. Nothing where there are none. */
@Component({
  selector: 'weir-identities',
  imports: [FailureNote, MatButton, Time],
  template: `
    @if (state.failure(); as failure) {
      <weir-failure-note [failure]="failure" [retryable]="true" (retry)="state.load()" />
    }
    @if (state.value(); as shown) {
      @if (shown.identities.length > 0 || shown.choices.length > 0) {
        <section class="card stack" data-testid="identities">
          <h2>{{ t('identities.title') }}</h2>
          <p class="soft">{{ t('identities.intro') }}</p>
          @for (identity of shown.identities; track identity.id) {
            <div class="split">
              <div>
                <p class="strong">{{ nameOf(identity) }}</p>
                <p class="small soft">
                  {{ identity.email ?? identity.issuer }}
                  @if (identity.lastUsedAt; as at) {
                    · {{ t('identities.used') }} <weir-time [at]="at" />
                  }
                </p>
                @if (!identity.removable) {
                  <p class="small soft">{{ t('identities.kept') }}</p>
                }
              </div>
              @if (identity.removable) {
                <button
                  matButton
                  type="button"
                  [attr.aria-label]="t('identities.unlinkNamed', { name: nameOf(identity) })"
                  (click)="unlink(identity)"
                >
                  {{ t('identities.unlink') }}
                </button>
              }
            </div>
          } @empty {
            <p class="small soft">{{ t('identities.none') }}</p>
          }
          <div class="cluster">
            @for (choice of shown.choices; track choice.slug) {
              <button matButton="outlined" type="button" (click)="link(choice)">
                {{ t('identities.link', { name: choice.name }) }}
              </button>
            }
          </div>
        </section>
      }
    }
  `,
})
export class Identities {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #view = inject(DOCUMENT).defaultView;
  protected readonly t = inject(I18n).t;
  protected readonly state = new Loadable(async () => {
    const [identities, choices] = await Promise.all([
      this.#api.call('listIdentities'),
      this.#api.call('listSignOnChoices'),
    ]);
    const linked = new Set(identities.data.map(({ provider }) => provider?.slug));
    return {
      identities: identities.data,
      choices: choices.data.filter(({ slug }) => !linked.has(slug)),
    };
  });

  constructor() {
    void this.state.load();
  }

  protected nameOf({ provider }: IdentityView): string {
    return provider?.name ?? this.t('identities.gone');
  }

  protected async link({ slug }: SignOnChoice): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { url } = await this.#api.call('beginIdentityLink', { body: { provider: slug } });
      this.#view?.location.assign(url);
    });
  }

  protected async unlink(identity: IdentityView): Promise<void> {
    const params = { identityId: identity.id };
    const unlinked = await this.#dialogs.confirm({
      heading: this.t('identities.unlinkTitle'),
      text: this.t('identities.unlinkText', { name: this.nameOf(identity) }),
      action: this.t('identities.unlink'),
      destructive: true,
      work: () => this.#api.call('unlinkIdentity', { params }),
    });
    if (unlinked) await this.state.load();
  }
}
