import { inject } from '@angular/core';
import type { ContentPolicyView } from '@weir/shared/watch/content-log';
import type { KeyView } from '@weir/shared/people/keys';
import type { ContentLogDialogData } from '../content-log/content-log-dialog';
import type { Tagged } from '../core/api/call-input';
import { I18n } from '../core/i18n/i18n';
import { Dialogs } from '../design/dialog/dialogs';
import { Toasts } from '../design/feedback/toasts';

/** A list of keys, or the key's own page: it shows what becomes of an action. */
interface KeyOwner {
  readonly fetch: (keyId: string) => Promise<Tagged<KeyView>>;
  readonly policy: () => Promise<ContentPolicyView>;
  readonly setStatus: (key: KeyView, status: 'active' | 'disabled') => Promise<void>;
  readonly delete: (key: KeyView) => Promise<void>;
  readonly onChanged: (key: KeyView) => void;
}

/** The actions on one key, for its row and its page. Needs an injection context. */
export class KeyActions {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #t = inject(I18n).t;
  readonly #owner: KeyOwner;

  constructor(owner: KeyOwner) {
    this.#owner = owner;
  }

  async edit(key: KeyView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const [{ KeyDialog }, tagged] = await Promise.all([
        import('./dialogs/key-dialog'),
        this.#owner.fetch(key.id),
      ]);
      const updated = await this.#dialogs.open<Tagged<KeyView> | null, KeyView>(KeyDialog, {
        data: tagged,
        wide: true,
      });
      if (updated === undefined) return;
      this.#owner.onChanged(updated);
      this.#toasts.info(this.#t('keys.saved'));
    });
  }

  async setUp(key: KeyView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { KeySetupDialog } = await import('./dialogs/key-setup-dialog');
      await this.#dialogs.open<KeyView, undefined>(KeySetupDialog, { data: key, wide: true });
    });
  }

  async rotate(key: KeyView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { RotateDialog } = await import('./dialogs/rotate-dialog');
      const rotated = await this.#dialogs.open<KeyView, KeyView>(RotateDialog, { data: key });
      if (rotated !== undefined) this.#owner.onChanged(rotated);
    });
  }

  /** Switches the content log of a key. */
  async keep(key: KeyView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const [{ ContentLogDialog }, policy] = await Promise.all([
        import('../content-log/content-log-dialog'),
        this.#owner.policy(),
      ]);
      const data = { key, policy };
      const changed = await this.#dialogs.open<ContentLogDialogData, KeyView>(ContentLogDialog, {
        data,
      });
      if (changed === undefined) return;
      this.#owner.onChanged(changed);
      this.#toasts.info(this.#t('content.saved', { name: key.name }));
    });
  }

  async toggle(key: KeyView): Promise<void> {
    const status = key.status === 'active' ? 'disabled' : 'active';
    await this.#toasts.reporting(async () => {
      await this.#owner.setStatus(key, status);
      this.#toasts.info(
        this.#t(status === 'disabled' ? 'keys.nowDisabled' : 'keys.nowActive', { name: key.name }),
      );
    });
  }

  /** True once it is deleted. */
  async delete(key: KeyView): Promise<boolean> {
    const isLogin = key.login !== null;
    const deleted = await this.#dialogs.confirm({
      heading: this.#t(isLogin ? 'device.logOutTitle' : 'keys.deleteTitle'),
      text: this.#t(isLogin ? 'device.logOutText' : 'keys.deleteText'),
      action: this.#t(isLogin ? 'device.logOut' : 'keys.delete'),
      // A tool logs in again when it was a mistake: no name is typed for it.
      ...(!isLogin && { name: key.name }),
      destructive: true,
      work: () => this.#owner.delete(key),
    });
    if (deleted) {
      const done = isLogin ? 'device.loggedOut' : 'keys.deleted';
      this.#toasts.info(this.#t(done, { name: key.name }));
    }
    return deleted;
  }
}
