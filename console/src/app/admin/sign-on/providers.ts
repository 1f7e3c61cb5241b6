import { Component, inject, signal } from '@angular/core';
import type { SignOnProviderTest, SignOnProviderView } from '@weir/shared/people/sign-on';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { keyIn } from '../../core/i18n/options';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';
import { Resource } from '../../design/resource/resource';
import { RESOURCE_PAGE } from '../../design/resource/resource-parts';
import type { RowAct } from '../../design/table/row-menu';
import { AccessDialog } from './access-dialog';
import { DirectoryDialog } from './directory-dialog';
import { ProviderDialog } from './provider-dialog';

type Check = SignOnProviderTest['checks'][number];

interface Tested {
  readonly id: string;
  readonly checks: readonly Check[];
}

/** Identity providers: how people log in, and what their groups lead to. */
@Component({
  selector: 'weir-providers',
  imports: [RESOURCE_PAGE],
  templateUrl: './providers.html',
})
export class Providers {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly presetKey = keyIn('preset');
  protected readonly checkKey = keyIn('check');
  protected readonly testing = signal<string | undefined>(undefined);
  protected readonly tested = signal<Tested | undefined>(undefined);
  protected readonly providers = new Resource<SignOnProviderView>({
    list: () => this.#api.call('listSignOnProviders'),
    get: (id) => this.#get(id),
    delete: (signOnProviderId) =>
      this.#api.call('deleteSignOnProvider', { params: { signOnProviderId } }),
    dialog: ProviderDialog,
    deleting: ({ name }) => ({
      heading: this.t('providers.deleteTitle'),
      text: this.t('providers.deleteText', { name }),
      action: this.t('action.delete'),
    }),
  });
  protected readonly acts: readonly RowAct<SignOnProviderView>[] = [
    { label: 'providers.access', run: (provider) => this.openAccess(provider) },
    {
      label: 'providers.directory',
      run: (provider) => this.openDirectory(provider),
      // GitHub sends its directory to no one.
      when: ({ preset }) => preset !== 'github',
    },
    { label: 'action.edit', run: (provider) => this.providers.edit(provider) },
    { label: 'action.delete', run: (provider) => this.providers.delete(provider) },
  ];

  #get(signOnProviderId: string) {
    return this.#api.callTagged('getSignOnProvider', { params: { signOnProviderId } });
  }

  protected async openAccess({ id }: SignOnProviderView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const data = await this.#get(id);
      await this.#dialogs.open(AccessDialog, { data, wide: true });
    });
    await this.providers.load();
  }

  protected async openDirectory(data: SignOnProviderView): Promise<void> {
    await this.#dialogs.open(DirectoryDialog, { data, wide: true });
    await this.providers.load();
  }

  protected async test({ id }: SignOnProviderView): Promise<void> {
    this.testing.set(id);
    this.tested.set(undefined);
    await this.#toasts.reporting(async () => {
      const params = { signOnProviderId: id };
      const { checks } = await this.#api.call('testSignOnProvider', { params });
      this.tested.set({ id, checks });
    });
    this.testing.set(undefined);
  }

  protected verdict({ passed }: Check): string {
    if (passed === null) return this.t('check.unknown');
    return this.t(passed ? 'check.passed' : 'check.failed');
  }

  protected tone({ passed }: Check): 'good' | 'warn' | 'plain' {
    if (passed === null) return 'plain';
    return passed ? 'good' : 'warn';
  }
}
