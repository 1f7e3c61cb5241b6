import { Component, computed, inject, signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { FormControl } from '@angular/forms';
import { MatButton } from '@angular/material/button';
import { MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import type { ModelImport, ModelImportReport } from '@weir/shared/catalog/models';
import type { ListedModel, PriceList } from '@weir/shared/prices/price-lists/price-list';
import { readPriceList } from '@weir/shared/prices/price-lists/read-price-list';
import { Api } from '../../../core/api/api';
import { fetchAll } from '../../../core/api/fetch-all';
import { I18n } from '../../../core/i18n/i18n';
import { flag } from '../../../core/forms/controls';
import { Action } from '../../../core/state/action';
import type { PreventsClose } from '../../../design/dialog/dialogs';
import { FailureNote } from '../../../design/feedback/failure-note';
import { IntoView } from '../../../design/feedback/into-view';
import { Note } from '../../../design/feedback/note';
import { Field } from '../../../design/field/field';
import { Switch } from '../../../design/field/switch';
import { TextArea } from '../../../design/field/text-area';
import { Icon } from '../../../design/icon/icon';
import { LeftOutNote } from '../../price-lists/left-out';
import { isMarkup } from '../../price-lists/markup';
import { PriceChanges } from '../../price-lists/price-changes';
import { weirList } from '../../price-lists/weir-list';
import { importFromList } from './list-prices-import';
import { readImport, type ReadImport } from './read-import';
import { factorOf } from '../prices/scale-price';

const EXAMPLE = `publicId, contextTokensMax, outputTokensMax, inputUsd, outputUsd
example-model, 128000, 16384, 1.25, 10`;

interface Source {
  readonly name: string;
  readonly text: string;
  /** The list that comes with Weir. */
  readonly list?: PriceList;
}

/**
 * Many models at once, or their prices from a list: paste or choose a file, see what would happen,
 * do it. All or none.
 */
@Component({
  selector: 'weir-import-dialog',
  imports: [
    FailureNote,
    Field,
    Icon,
    IntoView,
    LeftOutNote,
    MatButton,
    MatDialogModule,
    Note,
    PriceChanges,
    Switch,
    TextArea,
  ],
  templateUrl: './import-dialog.html',
})
export class ImportDialog implements PreventsClose {
  readonly #api = inject(Api);
  readonly #dialog = inject<MatDialogRef<ImportDialog, boolean>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  protected readonly example = EXAMPLE;
  protected readonly text = new FormControl('', { nonNullable: true });
  protected readonly markup = new FormControl('0', {
    nonNullable: true,
    validators: ({ value }) =>
      isMarkup(String(value)) ? null : { words: this.t('onboard.markupFault') },
  });
  protected readonly file = signal<Source | undefined>(undefined);
  protected readonly action = new Action();
  protected readonly wrong = signal('');
  protected readonly report = signal<ModelImportReport | undefined>(undefined);
  protected readonly listed = signal<readonly ListedModel[]>([]);
  /** Models of the last try that would be free, each with whether that is meant. */
  protected readonly free = signal<
    readonly { readonly name: string; readonly meant: FormControl<boolean> }[]
  >([]);
  readonly #typed = toSignal(this.text.valueChanges, { initialValue: '' });
  readonly #tried = signal<string | undefined>(undefined);

  readonly #source = computed(() => this.file()?.text ?? this.#typed());
  /** Undefined where the text is no price list but models of one's own. */
  protected readonly list = computed((): PriceList | undefined => {
    const own = this.file()?.list;
    if (own !== undefined) return own;
    const text = this.#source();
    if (!/^\s*\{/.test(text)) return undefined;
    const list = readPriceList(text);
    return 'kind' in list ? undefined : list;
  });
  protected readonly changes = computed(() =>
    (this.report()?.changes ?? []).map(({ publicId, before, after }) => ({
      name: publicId,
      source: '',
      before,
      after,
    })),
  );

  preventsClose(): boolean {
    return this.report()?.dryRun === false;
  }

  /** Only what was tried may be run. */
  protected tried(): boolean {
    return this.#tried() === this.#state() && !this.action.busy();
  }

  #state(): string {
    return JSON.stringify([this.markup.value, this.#source()]);
  }

  protected async take(input: HTMLInputElement): Promise<void> {
    const [file] = input.files ?? [];
    input.value = '';
    if (file === undefined) return;
    this.report.set(undefined);
    this.file.set({ name: file.name, text: await file.text() });
    await this.run(true);
  }

  /** The list that comes with Weir; its name says where it is from. */
  protected async takeOwn(): Promise<void> {
    this.report.set(undefined);
    const isRead = await this.action.run(async () => {
      const { source, data } = await this.#api.call('listListPrices');
      const name = this.t('import.ownList', { ...source });
      this.file.set({ name, text: name, list: weirList(data) });
    });
    if (isRead) await this.run(true);
  }

  protected async run(dryRun: boolean): Promise<void> {
    const state = this.#state();
    this.report.set(undefined);
    this.wrong.set('');
    const done = await this.action.run(async () => {
      const models = await this.#models();
      if (models === undefined) return;
      const body = dryRun ? { models, dryRun } : this.#decided(models);
      if (body === undefined) return;
      const report = await this.#api.call('importModels', { body });
      this.report.set(report);
      if (dryRun) this.free.set(report.free.map((name) => ({ name, meant: flag() })));
      else this.free.set([]);
    });
    this.#tried.set(done && dryRun && this.report() !== undefined ? state : undefined);
  }

  /** Without the models that would be free and were not confirmed. */
  #decided(models: ModelImport['models']): ModelImport | undefined {
    const asked = this.free();
    const freeModels = asked.filter(({ meant }) => meant.value).map(({ name }) => name);
    const left = new Set(asked.filter(({ meant }) => !meant.value).map(({ name }) => name));
    const decided = models.filter(({ publicId }) => !left.has(publicId));
    if (decided.length > 0) return { models: decided, freeModels };
    this.wrong.set(this.t('import.onlyFree'));
    return undefined;
  }

  async #models(): Promise<ModelImport['models'] | undefined> {
    const list = this.list();
    if (list !== undefined) return this.#modelsOfList(list);
    this.listed.set([]);
    const read = readImport(this.#source());
    if (read.kind === 'models') return read.models;
    this.wrong.set(this.#wrongWords(read));
    return undefined;
  }

  async #modelsOfList(list: PriceList): Promise<ModelImport['models'] | undefined> {
    this.markup.markAsTouched();
    if (this.markup.invalid) return undefined;
    const catalog = await fetchAll((cursor) =>
      this.#api.call('listModels', {
        query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) },
      }),
    );
    const { models, listed } = importFromList(list, catalog, factorOf(this.markup.value.trim()));
    this.listed.set(listed);
    if (models.length > 0) return models;
    this.wrong.set(this.t('import.noneListed'));
    return undefined;
  }

  #wrongWords(read: Exclude<ReadImport, { readonly kind: 'models' }>): string {
    switch (read.kind) {
      case 'comma':
        return this.t('import.comma', { line: read.line, value: read.value });
      case 'cells':
        return this.t('import.cells', { line: read.line, count: read.most });
      case 'header': {
        const missing = this.t('import.missing', {
          columns: read.missing.join(', '),
          count: read.missing.length,
        });
        if (read.unknown.length === 0) return missing;
        const columns = read.unknown.join(', ');
        return `${missing} ${this.t('import.unknown', { columns, count: read.unknown.length })}`;
      }
      case 'wrong':
        return this.t('import.wrong', { where: read.where, why: read.why });
    }
  }

  protected close(): void {
    this.#dialog.close(true);
  }
}
