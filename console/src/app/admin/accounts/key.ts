import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { Router } from '@angular/router';
import type { KeyView } from '@weir/shared/people/keys';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { Loadable } from '../../core/state/loadable';
import { Dialogs } from '../../design/dialog/dialogs';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { KeyFacts } from '../../keys/key-facts';
import { keyState } from '../../keys/key-status';
import { ObjectPage } from '../../object/object-page';
import { operatorSource } from '../../object/object-source';
import { ObjectHistory } from '../history/object-history';

/** One key of any account, for operators. */
@Component({
  selector: 'weir-key-of-anyone',
  imports: [KeyFacts, ObjectHistory, ObjectPage, PAGE_PARTS],
  template: `
    @let key = state.value();
    <weir-object-page
      [heading]="key?.name ?? t('keys.theKey')"
      back="/admin/accounts/keys"
      [backLabel]="t('accounts.keys')"
      [source]="source()"
    >
      @if (key) {
        <div objectAction class="cluster">
          @if (session.may('deleteKeyOfAnyone')) {
            <button matButton type="button" (click)="remove(key)">
              {{ t('keys.deleteAction') }}
            </button>
          }
          @if (session.may('updateKeyOfAnyone')) {
            <button matButton="outlined" type="button" data-testid="toggle" (click)="toggle(key)">
              {{ key.status === 'active' ? t('action.disable') : t('action.enable') }}
            </button>
          }
        </div>
      }
      @if (key) {
        <div objectState class="cluster">
          <weir-chip [tone]="keyState(key).tone">{{ t(keyState(key).key) }}</weir-chip>
          <code class="soft">{{ key.prefix }}…</code>
          <a [routerLink]="['/admin/accounts', key.accountId]"
            ><weir-name [value]="key.accountName"
          /></a>
        </div>
      }
      @if (key) {
        <weir-key-facts [key]="key" />
      }
      @if (state.failure(); as failure) {
        <weir-failure-note
          objectState
          [failure]="failure"
          [retryable]="true"
          (retry)="state.load()"
        />
      }
      <weir-object-history objectHistory kind="key" [id]="keyId()" [version]="key?.updatedAt" />
    </weir-object-page>
  `,
})
export class KeyOfAnyone {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #router = inject(Router);
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  protected readonly keyState = keyState;

  /** Route parameter. */
  readonly keyId = input.required<string>();

  protected readonly source = computed(() => operatorSource(this.#api, { keyId: this.keyId() }));
  protected readonly state = new Loadable(() =>
    this.#api.call('getKeyOfAnyone', { params: { keyId: this.keyId() } }),
  );

  constructor() {
    effect(() => {
      this.keyId();
      untracked(() => void this.state.load());
    });
  }

  protected async toggle(key: KeyView): Promise<void> {
    const status = key.status === 'active' ? 'disabled' : 'active';
    const isOff = status === 'disabled';
    await this.#dialogs.confirm({
      heading: this.t(isOff ? 'keys.disableTitle' : 'keys.enableTitle'),
      text: this.t(isOff ? 'keys.disableText' : 'keys.enableText', { name: key.name }),
      action: this.t(isOff ? 'action.disable' : 'action.enable'),
      destructive: isOff,
      work: async () => {
        const call = { params: { keyId: key.id }, ifMatch: '*', body: { status } } as const;
        this.state.set(await this.#api.call('updateKeyOfAnyone', call));
      },
    });
  }

  protected async remove(key: KeyView): Promise<void> {
    const deleted = await this.#dialogs.confirm({
      heading: this.t('keys.deleteTitle'),
      text: this.t('keys.deleteText'),
      action: this.t('keys.delete'),
      name: key.name,
      destructive: true,
      work: () => this.#api.call('deleteKeyOfAnyone', { params: { keyId: key.id } }),
    });
    if (deleted) await this.#router.navigateByUrl('/admin/accounts/keys');
  }
}
