import { computed, signal } from '@angular/core';
import { FormControl, FormGroup } from '@angular/forms';
import {
  ChannelCreate,
  UpstreamProbeCreate,
  type ChannelView,
  type UpstreamProbeView,
} from '@weir/shared/channels';
import type { GroupView } from '@weir/shared/groups';
import type { ModelView } from '@weir/shared/models';
import type { PriceList } from '@weir/shared/price-lists/price-list';
import type { ListPriceView } from '@weir/shared/prices';
import type { ApiPort } from '../../core/api/call-input';
import { fetchAll } from '../../core/api/fetch-all';
import { extractMessage, several, words, wordsOrNothing } from '../../core/forms/controls';
import { Action } from '../../core/state/action';
import { Loadable } from '../../core/state/loadable';
import { ChannelForm } from '../channels/channel-form';
import type { Offer } from './offer';
import { Offers } from './offers';
import { nameFor, presetOf, type UpstreamPreset } from './upstream-presets';

/** A channel that is being set up: its upstream, what that has, and what of it is sold. */
export class OnboardingState {
  readonly #api: ApiPort;
  readonly access = {
    address: words(UpstreamProbeCreate.properties.address, { required: true }),
    credential: words(UpstreamProbeCreate.properties.credential),
    allowPrivate: new FormControl(false, { nonNullable: true }),
  };
  readonly accessGroup = new FormGroup(this.access);
  readonly channel = new ChannelForm();
  readonly sellInGroupIds = several(ChannelCreate.properties.sellInGroupIds);
  readonly offers = new Offers();
  readonly group;
  readonly probing = new Action();
  readonly saving = new Action();
  /** Undefined until an upstream was found. */
  readonly upstream = signal<UpstreamProbeView | undefined>(undefined);
  readonly preset = signal('');
  readonly groups: Loadable<readonly GroupView[]>;
  #catalog: readonly ModelView[] = [];
  readonly #channels: Loadable<readonly ChannelView[]>;

  /** Nobody could use new models that are in no group. */
  readonly needsGroup = computed(() => this.offers.tickedNew().length > 0);

  constructor(api: ApiPort) {
    this.#api = api;
    this.groups = new Loadable(async () => (await api.call('listGroups')).data);
    this.#channels = new Loadable(async () => (await api.call('listChannels')).data);
    this.sellInGroupIds.addValidators(({ value }) =>
      this.needsGroup() && (value as readonly string[]).length === 0 ? { required: true } : null,
    );
    this.group = new FormGroup({
      ...this.channel.controls,
      newModels: this.offers.newModels,
      sellInGroupIds: this.sellInGroupIds,
    });
  }

  async load(): Promise<void> {
    await Promise.all([
      this.groups.load(),
      this.#channels.load(),
      this.#api.call('listListPrices').then(
        ({ data }) => this.offers.useList(weirList(data)),
        // Without the list there are no proposals; everything else works.
        () => undefined,
      ),
    ]);
    const groups = (this.groups.value() ?? []).filter(({ status }) => status === 'active');
    const [first] = groups;
    if (groups.length === 1 && first !== undefined) this.sellInGroupIds.setValue([first.id]);
  }

  choose({ id, address }: UpstreamPreset): void {
    this.preset.set(id);
    this.access.address.setValue(address);
    this.access.allowPrivate.setValue(id === 'ollama');
  }

  async connect(): Promise<boolean> {
    return this.probing.run(async () => {
      const credential = wordsOrNothing(this.access.credential);
      const [found, catalog] = await Promise.all([
        this.#api.call('probeUpstream', {
          body: {
            address: extractMessage(this.access.address),
            allowPrivate: this.access.allowPrivate.value,
            ...(credential === undefined ? {} : { credential }),
            ...this.#proxy(),
          },
        }),
        this.#readCatalog(),
      ]);
      this.#catalog = catalog;
      this.#take(found, credential);
    });
  }

  #readCatalog(): Promise<ModelView[]> {
    return fetchAll((cursor) =>
      this.#api.call('listModels', {
        query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) },
      }),
    );
  }

  #proxy(): { readonly proxy?: string } {
    const proxy = wordsOrNothing(this.channel.controls.proxy);
    return proxy === undefined ? {} : { proxy };
  }

  #take(found: UpstreamProbeView, credential: string | undefined): void {
    const { controls } = this.channel;
    const { kind, baseUrl, protocols, models } = found;
    controls.kind.setValue(kind);
    controls.baseUrl.setValue(baseUrl);
    controls.protocols.setValue(protocols ?? []);
    controls.credentials.setValue(credential ?? '');
    controls.allowPrivate.setValue(this.access.allowPrivate.value);
    if (!controls.name.dirty) {
      const taken = (this.#channels.value() ?? []).map(({ name }) => name);
      controls.name.setValue(nameFor(baseUrl, taken));
    }
    this.access.address.setValue(baseUrl);
    this.#fill(models.map(({ upstreamName }) => upstreamName));
    this.upstream.set(found);
  }

  #fill(names: readonly string[]): void {
    const preset = presetOf(this.channel.controls.baseUrl.value);
    this.offers.fill(names, { catalog: this.#catalog, providers: preset?.listNames ?? [] });
  }

  /** For an upstream without a list, or a model that its list does not have. Ticked at once. */
  addNames(names: readonly string[]): void {
    const known = this.offers.all();
    this.#fill([...known.map(({ upstreamName }) => upstreamName), ...names]);
    this.offers.tick(
      this.offers.all().filter(({ upstreamName }) => names.includes(upstreamName)),
      true,
    );
  }

  /** Goes back to the address; nothing of the models is lost. */
  change(): void {
    this.upstream.set(undefined);
  }

  async tryOut(offer: Offer): Promise<void> {
    offer.test.set(undefined);
    await offer.testing.run(async () => {
      const { credentials: _credentials, ...channel } = this.channel.createBody();
      const { kind = 'openai', baseUrl } = channel;
      const {
        protocols = null,
        outputLimitField = null,
        omittedFields = [],
        proxy = null,
      } = channel;
      const credential = wordsOrNothing(this.access.credential);
      const body = {
        kind,
        baseUrl,
        protocols,
        outputLimitField,
        omittedFields,
        proxy,
        allowPrivate: channel.allowPrivate ?? false,
        upstreamName: offer.upstreamName,
        ...(credential === undefined ? {} : { credential }),
      };
      offer.test.set(await this.#api.call('testUpstream', { body }));
    });
  }

  body(): ChannelCreate {
    return {
      ...this.channel.createBody(),
      models: this.offers.served(),
      newModels: this.offers.body(),
      sellInGroupIds: [...this.sellInGroupIds.value],
    };
  }

  async save(): Promise<ChannelView | undefined> {
    let saved: ChannelView | undefined;
    await this.saving.run(async () => {
      saved = await this.#api.call('createChannel', { body: this.body() });
    });
    return saved;
  }
}

/** The list that comes with Weir, as every other list. */
export function weirList(data: readonly ListPriceView[]): PriceList {
  return {
    format: 'weir',
    models: data.map(({ publicId, vendor, prices, ...model }) => ({
      key: publicId,
      provider: vendor.toLowerCase(),
      name: publicId,
      displayName: model.displayName,
      contextTokensMax: model.contextTokensMax,
      outputTokensMax: model.outputTokensMax,
      capabilities: model.capabilities,
      prices: {
        ...prices,
        cachedInputUsd: prices.cachedInputUsd === prices.inputUsd ? null : prices.cachedInputUsd,
        cacheWriteUsd: prices.cacheWriteUsd === prices.inputUsd ? null : prices.cacheWriteUsd,
      },
      leftOut: [],
    })),
  };
}
