import {
  afterNextRender,
  Component,
  computed,
  DOCUMENT,
  effect,
  ElementRef,
  inject,
  Injector,
  input,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { FormGroup } from '@angular/forms';
import { MatButton } from '@angular/material/button';
import { Router } from '@angular/router';
import { CredentialCreate, type CredentialView } from '@weir/shared/catalog/channels';
import { Api } from '../../core/api/api';
import { failureOf } from '../../core/api/api-failure';
import { Formatter } from '../../core/format/formatter';
import { words, wordsOf } from '../../core/forms/controls';
import { Edits } from '../../core/forms/edits';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { FirstRows } from '../../core/state/first-rows';
import { Loadable } from '../../core/state/loadable';
import { untilIdle } from '../../core/state/until-idle';
import { Dialogs } from '../../design/dialog/dialogs';
import { FailureNote } from '../../design/feedback/failure-note';
import { Note } from '../../design/feedback/note';
import { Skeleton } from '../../design/feedback/skeleton';
import { Toasts } from '../../design/feedback/toasts';
import { Field } from '../../design/field/field';
import { Filter } from '../../design/field/filter';
import { Form } from '../../design/field/form';
import { Chip } from '../../design/text/chip';
import { Time } from '../../design/text/time';
import { watchEdits } from '../../shell/unsaved-edits';
import { ObjectPage } from '../../object/object-page';
import { operatorSource } from '../../object/object-source';
import { ObjectHistory } from '../history/object-history';
import { HEALTH_WORDS } from '../overview/overview-state';
import { ChannelFailure } from './channel-failure';
import { ChannelFields } from './channel-fields';
import { ChannelForm } from './channel-form';
import { ChannelState } from './channel-state';
import { ChannelTargets } from './targets/channel-targets';
import { UpstreamBalance } from './costs/upstream-balance';
import { UpstreamCosts } from './costs/upstream-costs';
import type { UpstreamModelsData } from './upstream-models-dialog';
import { credentialName, MODEL_REASONS, modelsAway, REASON_WORDS } from './channel-words';

@Component({
  selector: 'weir-channel',
  imports: [
    ChannelFailure,
    ChannelFields,
    ChannelTargets,
    Chip,
    FailureNote,
    Field,
    Filter,
    Form,
    MatButton,
    Note,
    ObjectHistory,
    ObjectPage,
    Skeleton,
    Time,
    UpstreamBalance,
    UpstreamCosts,
  ],
  templateUrl: './channel.html',
  styleUrl: './channel.scss',
})
export class Channel {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #router = inject(Router);
  readonly #api = inject(Api);
  readonly #document = inject(DOCUMENT);
  readonly #injector = inject(Injector);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly health = HEALTH_WORDS;
  protected readonly modelReasons = MODEL_REASONS;
  protected readonly reasonWords = REASON_WORDS;
  protected readonly modelsAway = modelsAway;
  protected readonly credentialName = credentialName;

  /** Route parameter. */
  readonly channelId = input.required<string>();

  protected readonly source = computed(() =>
    operatorSource(this.#api, { channelId: this.channelId() }),
  );
  protected readonly state = new ChannelState(this.#api, () => this.channelId());
  protected readonly groups = new Loadable(async () => (await this.#api.call('listGroups')).data);
  protected readonly form = signal<ChannelForm | undefined>(undefined);
  /** The form of the settings; there is another one for credentials. */
  protected readonly fields = viewChild<Form>('settings');
  protected readonly saving = new Action();
  protected readonly adding = new Action();
  protected readonly secret = words(CredentialCreate.properties.secret, { required: true });
  protected readonly secretGroup = new FormGroup({ secret: this.secret });
  protected readonly addable = computed(() =>
    this.state.addable().map(({ id, publicId }) => ({ value: id, label: publicId })),
  );

  /** The models to add are many, and are asked for when one is to be added. */
  protected readonly isAdding = signal(false);
  protected readonly adder = viewChild<unknown, ElementRef<HTMLElement>>('adder', {
    read: ElementRef,
  });
  protected readonly first = new FirstRows();

  #edits: Edits | undefined;
  #isDeleted = false;

  constructor() {
    watchEdits(
      () =>
        !this.#isDeleted &&
        ((this.#edits?.any() ?? false) || this.state.modelsEdited() || this.secret.value !== ''),
    );
    void untilIdle(this.#document).then(() => this.groups.load());
    effect(() => {
      this.channelId();
      untracked(() => void this.#load());
    });
  }

  async #load(): Promise<void> {
    await this.state.channel.load();
    const channel = this.state.channel.value();
    if (channel === undefined) return;
    const form = new ChannelForm(channel);
    this.form.set(form);
    this.#edits = new Edits(() => form.group.getRawValue());
  }

  protected reload(): void {
    void this.#load();
  }

  protected async save(form: ChannelForm): Promise<void> {
    const sent = this.#edits?.snapshot();
    const done = await this.saving.run(() => this.state.save(form.updateBody(this.state.models())));
    if (!done) return;
    this.#edits?.saved(sent);
    this.#toasts.info(this.t('channels.saved'));
  }

  protected beginAdding(): void {
    this.isAdding.set(true);
    // The button that had the focus is gone.
    afterNextRender(() => this.adder()?.nativeElement.querySelector('select')?.focus(), {
      injector: this.#injector,
    });
    void this.state.loadCatalog();
  }

  protected addModel(modelId: string): void {
    if (modelId === '') return;
    this.state.addModel(modelId);
    // It is the last one, and must be seen.
    this.first.showAll();
  }

  protected rename(modelId: string, event: Event): void {
    if (event.target instanceof HTMLInputElement) {
      this.state.renameModel(modelId, event.target.value.trim());
    }
  }

  protected async fetchModels(): Promise<void> {
    const { state } = this;
    const [names] = await Promise.all([state.fetchNames(), state.loadCatalog()]);
    if (state.fetching.failure() !== undefined) return;
    if (names.length === 0) {
      this.#toasts.info(this.t('channels.fetchedNone'));
      return;
    }
    await this.#toasts.reporting(async () => {
      const { UpstreamModelsDialog } = await import('./upstream-models-dialog');
      const data = { state, names };
      const count = await this.#dialogs.open<UpstreamModelsData, number>(UpstreamModelsDialog, {
        data,
        wide: true,
      });
      if (count !== undefined) this.#toasts.info(this.t('channels.fetched', { count }));
    });
  }

  protected async addCredential(): Promise<void> {
    const done = await this.adding.run(() => this.state.addCredential(wordsOf(this.secret)));
    if (done) this.secretGroup.reset();
  }

  protected async toggle(credential: CredentialView): Promise<void> {
    try {
      const status = credential.status === 'active' ? 'disabled' : 'active';
      await this.state.setCredentialStatus(credential, status);
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    }
  }

  protected async deleteCredential(credential: CredentialView): Promise<void> {
    await this.#dialogs.confirm({
      heading: this.t('channels.deleteCredentialTitle'),
      text: this.t('channels.deleteCredentialText', { hint: credentialName(credential) }),
      action: this.t('keys.delete'),
      destructive: true,
      work: () => this.state.deleteCredential(credential),
    });
  }

  protected async delete(name: string): Promise<void> {
    const deleted = await this.#dialogs.confirm({
      heading: this.t('channels.deleteTitle'),
      text: this.t('channels.deleteText'),
      action: this.t('keys.delete'),
      name,
      destructive: true,
      work: () => this.state.delete(),
    });
    if (!deleted) return;
    this.#isDeleted = true;
    await this.#router.navigateByUrl('/admin/channels');
  }
}
