import { Component, computed, DestroyRef, effect, inject, output } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { RouterLink } from '@angular/router';
import type { KeyView } from '@weir/shared/people/keys';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { OwnAccount } from '../core/session/own-account';
import { CreditHelp } from '../billing/credit-help';
import { Site } from '../core/session/site';
import { FreshKeys } from '../keys/fresh-keys';
import { KeyDialog } from '../keys/dialogs/key-dialog';
import { RedeemDialog } from '../billing/redeem-dialog';
import { Dialogs } from '../design/dialog/dialogs';
import { FailureNote } from '../design/feedback/failure-note';
import { Icon } from '../design/icon/icon';
import { Meter } from '../design/text/meter';
import { Money } from '../design/text/money';
import { Step } from './step';
import { StartState } from './start-state';
import { ToolSetups } from './setups/tool-setups-view';

/** While the page is open the first request is waited for. */
const LOOK_AGAIN_MS = 4_000;

/**
 * The newcomer's steps to a first reply and their progress; on the dashboard until then, and on
 * a page of its own.
 */
@Component({
  selector: 'weir-first-steps',
  imports: [CreditHelp, FailureNote, Icon, MatButton, Meter, Money, RouterLink, Step, ToolSetups],
  templateUrl: './first-steps.html',
  host: { class: 'stack-loose' },
})
export class FirstSteps {
  readonly #dialogs = inject(Dialogs);
  readonly #account = inject(OwnAccount);
  protected readonly t = inject(I18n).t;
  protected readonly site = inject(Site);
  readonly #fresh = inject(FreshKeys);
  protected readonly account = this.#account;
  protected readonly state = new StartState(inject(Api));
  /** Known if the newest key was made in this visit. */
  protected readonly freshValue = computed(() => {
    const key = this.state.firstKey();
    return key && this.#fresh.valueOf(key.id);
  });
  /** The first request has arrived while this was open. */
  readonly sent = output();
  #awaited = false;

  constructor() {
    effect(() => {
      const progress = this.state.progress.value();
      if (progress?.request === true && this.#awaited) this.sent.emit();
      this.#awaited = progress?.request === false;
    });
    void this.state.progress.load();
    const timer = setInterval(() => {
      const visible = document.visibilityState === 'visible';
      if (visible && this.state.done() < 3) void this.state.progress.loadWhenIdle();
    }, LOOK_AGAIN_MS);
    inject(DestroyRef).onDestroy(() => clearInterval(timer));
  }

  protected async redeem(): Promise<void> {
    const redeemed = await this.#dialogs.open<null, boolean>(RedeemDialog, { data: null });
    if (redeemed === true) await Promise.all([this.state.progress.load(), this.#account.load()]);
  }

  protected async createKey(): Promise<void> {
    const created = await this.#dialogs.open<null, KeyView>(KeyDialog, {
      data: null,
      wide: true,
    });
    if (created !== undefined) await this.state.progress.load();
  }
}
