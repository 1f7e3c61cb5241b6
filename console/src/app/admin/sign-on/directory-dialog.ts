import { Component, inject, signal } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import { DIRECTORY_TOKENS_MAX, type DirectoryView } from '@weir/shared/people/directories';
import type { SignOnProviderView } from '@weir/shared/people/sign-on';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { Loadable } from '../../core/state/loadable';
import { CopyButton } from '../../design/code/copy-button';
import { SecretReveal } from '../../design/code/secret-reveal';
import { Dialogs, type PreventsClose } from '../../design/dialog/dialogs';
import { FailureNote } from '../../design/feedback/failure-note';
import { Note } from '../../design/feedback/note';
import { Icon } from '../../design/icon/icon';
import { Time } from '../../design/text/time';

/** The SCIM directory of a provider: where it calls, with which tokens, and what it has sent. */
@Component({
  selector: 'weir-directory-dialog',
  imports: [CopyButton, FailureNote, Icon, MatButton, MatDialogModule, Note, SecretReveal, Time],
  templateUrl: './directory-dialog.html',
})
export class DirectoryDialog implements PreventsClose {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #dialog = inject<MatDialogRef<DirectoryDialog>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  protected readonly provider = inject<SignOnProviderView>(MAT_DIALOG_DATA);
  protected readonly tokensMax = DIRECTORY_TOKENS_MAX;
  protected readonly action = new Action();
  protected readonly token = signal<string | undefined>(undefined);
  readonly #params = { signOnProviderId: this.provider.id };
  protected readonly directory = new Loadable<DirectoryView>(() =>
    this.#api.call('getDirectory', { params: this.#params }),
  );

  constructor() {
    void this.directory.load();
  }

  /** The token is shown this once. */
  preventsClose(): boolean {
    return this.token() !== undefined;
  }

  protected close(): void {
    this.#dialog.close();
  }

  protected async create(): Promise<void> {
    await this.action.run(async () => {
      const made = await this.#api.call('createDirectoryToken', { params: this.#params });
      this.token.set(made.token);
      await this.directory.load();
    });
  }

  protected async revoke({ id, prefix }: DirectoryView['tokens'][number]): Promise<void> {
    const params = { ...this.#params, directoryTokenId: id };
    const revoked = await this.#dialogs.confirm({
      heading: this.t('tokens.revokeTitle'),
      text: this.t('directory.revokeText', { name: prefix }),
      action: this.t('tokens.revoke'),
      destructive: true,
      work: () => this.#api.call('deleteDirectoryToken', { params }),
    });
    if (revoked) await this.directory.load();
  }

  protected async end(): Promise<void> {
    const ended = await this.#dialogs.confirm({
      heading: this.t('directory.endTitle'),
      text: this.t('directory.endText', { name: this.provider.name }),
      action: this.t('directory.end'),
      destructive: true,
      work: () => this.#api.call('deleteDirectory', { params: this.#params }),
    });
    if (ended) await this.directory.load();
  }
}
