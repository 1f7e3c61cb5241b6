import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { Router } from '@angular/router';
import type { KeyView } from '@weir/shared/people/keys';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { Session } from '../core/session/session';
import { Loadable } from '../core/state/loadable';
import { PAGE_PARTS } from '../design/page/page-parts';
import { ObjectPage } from '../object/object-page';
import { ownKeySource } from '../object/object-source';
import { KeyActions } from './key-actions';
import { KeyFacts } from './key-facts';
import { givesValues, keyState, works } from './key-status';

/** One key of the own account. */
@Component({
  selector: 'weir-key',
  imports: [KeyFacts, ObjectPage, PAGE_PARTS],
  template: `
    @let key = state.value();
    <weir-object-page
      [heading]="key?.name ?? t('keys.theKey')"
      back="/keys"
      [backLabel]="t('keys.title')"
      [source]="source()"
    >
      @if (key) {
        <div objectAction class="cluster">
          @if (!key.login) {
            <button matButton type="button" data-testid="set-up" (click)="actions.setUp(key)">
              {{ t('keys.setUpAction') }}
            </button>
          }
          <button matButton type="button" (click)="actions.edit(key)">{{ t('keys.edit') }}</button>
          @if (isOwn(key)) {
            <button matButton type="button" (click)="actions.rotate(key)">
              {{ t('keys.rotateAction') }}
            </button>
          }
          @if (mayKeepContent && (isOwn(key) || key.contentLog !== null)) {
            <button matButton type="button" data-testid="content" (click)="actions.keep(key)">
              {{ t('content.log') }}
            </button>
          }
          <button matButton type="button" data-testid="toggle" (click)="actions.toggle(key)">
            {{ key.status === 'active' ? t('action.disable') : t('action.enable') }}
          </button>
          <button matButton type="button" data-testid="remove" (click)="remove()">
            {{ t(key.login ? 'device.logOut' : 'keys.deleteAction') }}
          </button>
          @if (works(key) && isOwn(key)) {
            <a matButton="outlined" routerLink="/playground" [queryParams]="{ key: key.id }">{{
              t('keys.try')
            }}</a>
          }
        </div>
      }
      @if (key) {
        <div objectState class="cluster">
          <weir-chip [tone]="keyState(key).tone">{{ t(keyState(key).key) }}</weir-chip>
          @if (key.contentLog !== null) {
            <weir-chip tone="warn">{{ t('content.chip') }}</weir-chip>
          }
          @if (key.login; as login) {
            <span class="soft">
              {{ t('device.loggedInFrom', { address: login.address }) }}
              <weir-time [at]="login.loggedInAt" />
            </span>
          } @else {
            <code class="soft">{{ key.prefix }}…</code>
          }
          @if (!isOwn(key)) {
            <span class="soft">{{ key.memberEmail }}</span>
          }
          <a routerLink="/requests" [queryParams]="{ range: 'month', chart: 1, key: key.id }">{{
            t('keys.usage')
          }}</a>
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
    </weir-object-page>
  `,
})
export class Key {
  readonly #api = inject(Api);
  readonly #router = inject(Router);
  readonly #session = inject(Session);
  protected readonly t = inject(I18n).t;
  protected readonly mayKeepContent = this.#session.may('setContentLog');
  protected readonly keyState = keyState;
  protected readonly works = works;

  /** Route parameter. */
  readonly keyId = input.required<string>();

  protected readonly source = computed(() => ownKeySource(this.#api, this.keyId()));
  protected readonly state = new Loadable(() =>
    this.#api.call('getKey', { params: { keyId: this.keyId() } }),
  );
  protected readonly actions = new KeyActions({
    fetch: (keyId) => this.#api.callTagged('getKey', { params: { keyId } }),
    policy: () => this.#api.call('getContentPolicy'),
    setStatus: async ({ id: keyId }, status) => {
      const call = { params: { keyId }, ifMatch: '*', body: { status } };
      this.state.set(await this.#api.call('updateKey', call));
    },
    delete: ({ id: keyId }) => this.#api.call('deleteKey', { params: { keyId } }),
    onChanged: (key) => this.state.set(key),
  });

  constructor() {
    effect(() => {
      this.keyId();
      untracked(() => void this.state.load());
    });
  }

  protected isOwn(key: KeyView): boolean {
    return givesValues(key, this.#session.membership()?.memberId);
  }

  protected async remove(): Promise<void> {
    const key = this.state.value();
    if (key === undefined || !(await this.actions.delete(key))) return;
    await this.#router.navigateByUrl('/keys');
  }
}
