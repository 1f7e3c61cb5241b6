import { computed, signal } from '@angular/core';
import type {
  ChannelModel,
  ChannelTestView,
  ChannelUpdate,
  ChannelView,
  CredentialView,
} from '@weir/shared/catalog/channels';
import type { ModelView } from '@weir/shared/catalog/models';
import type { UpstreamPricesView, UpstreamPriceView } from '@weir/shared/prices/upstream-prices';
import type { ApiPort } from '../../core/api/call-input';
import { fetchAll } from '../../core/api/fetch-all';
import { Action } from '../../core/state/action';
import { Loadable } from '../../core/state/loadable';

/** Models of the upstream that the channel is to serve in addition. */
export interface BroughtModels {
  /** The models of the catalog. */
  readonly served: readonly ChannelModel[];
  readonly newModels: NonNullable<ChannelUpdate['newModels']>;
}

function nameOf({ modelId, publicId }: UpstreamPriceView): readonly [string, string] {
  return [modelId, publicId];
}

/** One channel: settings, the models it serves, its credentials, and trying it out. */
export class ChannelState {
  readonly #api: ApiPort;
  readonly #channelId: () => string;
  #etag = '*';
  readonly channel: Loadable<ChannelView>;
  /** All models, once one of them is to be added: they are many. */
  readonly catalog: Loadable<readonly ModelView[]>;
  /** The models as they are in the form, by model id. */
  readonly models = signal<readonly ChannelModel[]>([]);
  /** True if they differ from the saved ones; fetched ones do until they are saved. */
  readonly modelsEdited = computed(() => {
    const saved = this.channel.value()?.models;
    return saved !== undefined && JSON.stringify(saved) !== JSON.stringify(this.models());
  });
  readonly testing = new Action();
  readonly test = signal<ChannelTestView | undefined>(undefined);
  readonly fetching = new Action();

  /** The costs of the models at the upstream, which name those that the channel serves. */
  readonly costs: Loadable<UpstreamPricesView>;
  readonly modelNames = computed(
    () =>
      new Map([
        ...(this.costs.value()?.models ?? []).map(nameOf),
        ...(this.catalog.value() ?? []).map(({ id, publicId }) => [id, publicId] as const),
      ]),
  );
  /**
   * Models of the catalog that the channel does not serve yet: none before it has said which it
   * serves.
   */
  readonly addable = computed(() => {
    if (this.channel.value() === undefined) return [];
    const served = new Set(this.models().map(({ modelId }) => modelId));
    return (this.catalog.value() ?? []).filter(({ id }) => !served.has(id));
  });

  constructor(api: ApiPort, channelId: () => string) {
    this.#api = api;
    this.#channelId = channelId;
    this.channel = new Loadable(async () => {
      const { value, etag } = await api.callTagged('getChannel', {
        params: { channelId: channelId() },
      });
      this.#take(value, etag);
      this.models.set(value.models);
      return value;
    });
    this.costs = new Loadable(() =>
      api.call('getUpstreamPrices', { params: { channelId: channelId() } }),
    );
    this.catalog = new Loadable(() =>
      fetchAll((cursor) =>
        api.call('listModels', {
          query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) },
        }),
      ),
    );
  }

  /** Loads the catalog unless it is there. */
  async loadCatalog(): Promise<void> {
    if (this.catalog.value() === undefined) await this.catalog.load();
  }

  #take(channel: ChannelView, etag: string): void {
    this.#etag = etag;
    this.test.set(channel.health.lastTest ?? undefined);
  }

  /**
   * Refused when someone else changed the channel since it was loaded. Models that were edited
   * before the answer came stay as they were edited, for the next time.
   */
  async save(body: ChannelUpdate): Promise<void> {
    const sent = this.models();
    const { value, etag } = await this.#api.callTagged('updateChannel', {
      params: { channelId: this.#channelId() },
      ifMatch: this.#etag,
      body,
    });
    this.#take(value, etag);
    if (this.models() === sent) this.models.set(value.models);
    this.channel.set(value);
  }

  addModel(modelId: string): void {
    const upstreamName = this.modelNames().get(modelId);
    if (upstreamName === undefined) return;
    this.models.update((models) => [...models, { modelId, upstreamName }]);
  }

  removeModel(modelId: string): void {
    this.models.update((models) => models.filter((model) => model.modelId !== modelId));
  }

  renameModel(modelId: string, upstreamName: string): void {
    this.models.update((models) =>
      models.map((model) => (model.modelId === modelId ? { ...model, upstreamName } : model)),
    );
  }

  /** The profile as it is chosen in the form; null: by rule. */
  profileOf(modelId: string): string | null {
    return this.models().find((model) => model.modelId === modelId)?.profile ?? null;
  }

  chooseProfile(modelId: string, profile: string | null): void {
    this.models.update((models) =>
      models.map((model) => (model.modelId === modelId ? { ...model, profile } : model)),
    );
  }

  /** Names of the upstream, asked for now, that the channel serves nothing by. */
  async fetchNames(): Promise<readonly string[]> {
    const names: string[] = [];
    await this.fetching.run(async () => {
      const { data } = await this.#api.call('listUpstreamModels', {
        params: { channelId: this.#channelId() },
      });
      const served = [...this.#saved(), ...this.models()];
      const ids = new Set<string | null>(served.map(({ modelId }) => modelId));
      const known = new Set(served.map(({ upstreamName }) => upstreamName));
      for (const { modelId, upstreamName } of data) {
        if (!ids.has(modelId) && !known.has(upstreamName)) names.push(upstreamName);
      }
    });
    return names;
  }

  /** Saved at once; what else was edited meanwhile stays as it is in the form. */
  async bring({ served, newModels }: BroughtModels): Promise<void> {
    const saved = this.#saved();
    const wasEdited = this.modelsEdited();
    const { value, etag } = await this.#api.callTagged('updateChannel', {
      params: { channelId: this.#channelId() },
      ifMatch: this.#etag,
      body: { models: [...saved, ...served], newModels: [...newModels] },
    });
    this.#take(value, etag);
    this.channel.set(value);
    const before = new Set(saved.map(({ modelId }) => modelId));
    const added = value.models.filter(({ modelId }) => !before.has(modelId));
    this.models.update((models) => (wasEdited ? [...models, ...added] : value.models));
    await this.catalog.load();
  }

  #saved(): readonly ChannelModel[] {
    return this.channel.value()?.models ?? [];
  }

  async tryOut(choice: { modelId?: string; credentialId?: string } = {}): Promise<void> {
    await this.testing.run(async () => {
      const test = await this.#api.call('testChannel', {
        params: { channelId: this.#channelId() },
        body: choice,
      });
      this.test.set(test);
      await this.#reload('health');
    });
  }

  async addCredential(secret: string): Promise<void> {
    const params = { channelId: this.#channelId() };
    await this.#api.call('createCredential', { params, body: { secret } });
    await this.#reload('credentials');
  }

  async setCredentialStatus(
    credential: CredentialView,
    status: 'active' | 'disabled',
  ): Promise<void> {
    const params = { channelId: this.#channelId(), credentialId: credential.id };
    await this.#api.call('updateCredential', { params, body: { status } });
    await this.#reload('credentials');
  }

  async deleteCredential(credential: CredentialView): Promise<void> {
    const params = { channelId: this.#channelId(), credentialId: credential.id };
    await this.#api.call('deleteCredential', { params });
    await this.#reload('credentials');
  }

  /** Only that part: what is in the form meanwhile must not be lost. */
  async #reload(part: 'credentials' | 'health'): Promise<void> {
    const { value } = await this.#api.callTagged('getChannel', {
      params: { channelId: this.#channelId() },
    });
    const shown = this.channel.value();
    if (shown !== undefined) this.channel.set({ ...shown, [part]: value[part] });
  }

  async delete(): Promise<void> {
    await this.#api.call('deleteChannel', { params: { channelId: this.#channelId() } });
  }
}
