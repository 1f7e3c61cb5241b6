import { Component, computed, inject, signal } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MatDialogModule } from '@angular/material/dialog';
import type { KeyCreated, KeyView } from '@weir/shared/people/keys';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { SecretReveal } from '../../design/code/secret-reveal';
import type { PreventsClose } from '../../design/dialog/dialogs';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { Note } from '../../design/feedback/note';
import { ResourceDialog } from '../../design/resource/resource-dialog';
import { usableModels } from '../../models/preset-model';
import { ToolSetups } from '../../start/setups/tool-setups-view';
import { FreshKeys } from '../fresh-keys';
import { KeyChoices } from '../key-choices';
import { KeyFields } from '../forms/key-fields';
import { KeyForm } from '../forms/key-form';
import { KeyOwnerFields } from '../forms/key-owner-fields';
import { withoutValue } from '../without-value';

/** Makes or edits a key. A new key's value stands here once, with what to do with it. */
@Component({
  selector: 'weir-key-dialog',
  imports: [
    FORM_DIALOG,
    KeyFields,
    KeyOwnerFields,
    MatButton,
    MatDialogModule,
    Note,
    SecretReveal,
    ToolSetups,
  ],
  templateUrl: './key-dialog.html',
})
export class KeyDialog implements PreventsClose {
  readonly #api = inject(Api);
  readonly #fresh = inject(FreshKeys);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new ResourceDialog<KeyView>();
  protected readonly form = new KeyForm(this.dialog.seen);
  protected readonly created = signal<KeyCreated | undefined>(undefined);
  protected readonly choices = new KeyChoices(this.#api, this.form, this.t);
  /** Those the new key can use, for the settings of tools. */
  protected readonly models = computed(() => {
    const created = this.created();
    const models = this.choices.pricing.value()?.models ?? [];
    return created === undefined ? [] : usableModels(models, created);
  });

  preventsClose(): boolean {
    return this.created() !== undefined;
  }

  protected save(): Promise<void> {
    return this.dialog.save(
      async () => {
        const created = await this.#api.call('createKey', { body: this.form.createBody() });
        this.#fresh.remember(created.id, created.value);
        this.created.set(created);
        return undefined;
      },
      ({ id: keyId }, ifMatch) =>
        this.#api.call('updateKey', { params: { keyId }, ifMatch, body: this.form.updateBody() }),
    );
  }

  protected finish(created: KeyCreated): void {
    this.dialog.close(withoutValue(created));
  }
}
