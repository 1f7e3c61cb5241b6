import { inject } from '@angular/core';
import type { ModelView } from '@weir/shared/catalog/models';
import type { Tagged } from '../../core/api/call-input';
import { I18n } from '../../core/i18n/i18n';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';

/** The list of models, or the model's own page: it shows what becomes of an action. */
interface ModelOwner {
  readonly fetch: (modelId: string) => Promise<Tagged<ModelView>>;
  readonly delete: (model: ModelView) => Promise<void>;
  readonly onChanged: (model: ModelView) => void;
}

/** The actions on one model, for its row and its page. Needs an injection context. */
export class ModelActions {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #t = inject(I18n).t;
  readonly #owner: ModelOwner;

  constructor(owner: ModelOwner) {
    this.#owner = owner;
  }

  /** Opens the form: with a model to change it, without one for a new one. */
  async open(data: Tagged<ModelView> | null): Promise<ModelView | undefined> {
    const { ModelDialog } = await import('./model-dialog');
    return this.#dialogs.open<Tagged<ModelView> | null, ModelView>(ModelDialog, {
      data,
      wide: true,
    });
  }

  async edit(model: ModelView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const saved = await this.open(await this.#owner.fetch(model.id));
      if (saved === undefined) return;
      this.#owner.onChanged(saved);
      this.#toasts.info(this.#t('catalog.saved', { name: saved.publicId }));
    });
  }

  async prices(model: ModelView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { PricesDialog } = await import('./prices/prices-dialog');
      await this.#dialogs.open<ModelView, undefined>(PricesDialog, { data: model, wide: true });
      const { value } = await this.#owner.fetch(model.id);
      this.#owner.onChanged(value);
    });
  }

  /** True once it is deleted. */
  delete(model: ModelView): Promise<boolean> {
    return this.#dialogs.confirm({
      heading: this.#t('catalog.deleteModelTitle'),
      text: this.#t('catalog.deleteModelText'),
      action: this.#t('keys.delete'),
      name: model.publicId,
      destructive: true,
      work: () => this.#owner.delete(model),
    });
  }
}
