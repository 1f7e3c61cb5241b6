import { signal } from '@angular/core';
import { FormControl, FormGroup } from '@angular/forms';
import {
  UpstreamProbeCreate,
  type ChannelCreate,
  type ChannelView,
  type UpstreamProbeView,
} from '@weir/shared/catalog/channels';
import type { ModelView } from '@weir/shared/catalog/models';
import type { ApiPort } from '../../core/api/call-input';
import { fetchAll } from '../../core/api/fetch-all';
import { wordsOf, words, wordsOrNothing } from '../../core/forms/controls';
import { Action } from '../../core/state/action';
import { Loadable } from '../../core/state/loadable';
import { ChannelForm } from '../channels/channel-form';
import type { Offer } from './offers/offer';
import { Sale } from './sale';
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
  readonly sale;
  readonly group;
  readonly probing = new Action();
  readonly saving = new Action();
  /** Undefined until an upstream was found. */
  readonly upstream = signal<UpstreamProbeView | undefined>(undefined);
  readonly preset = signal('');
  #catalog: readonly ModelView[] = [];
  readonly #channels: Loadable<readonly ChannelView[]>;

  constructor(api: ApiPort) {
    this.#api = api;
    this.sale = new Sale(api);
    this.#channels = new Loadable(async () => (await api.call('listChannels')).data);
    this.group = new FormGroup({
      ...this.channel.controls,
      newModels: this.sale.offers.newModels,
      sellInGroupIds: this.sale.groupIds,
    });
  }

  async load(): Promise<void> {
    await Promise.all([this.sale.load(), this.#channels.load()]);
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
            address: wordsOf(this.access.address),
            allowPrivate: this.access.allowPrivate.value,
            ...(credential === undefined ? {} : { credential }),
            ...this.#proxy(),
          },
        }),
        this.#readCatalog(),
      ]);
      this.#catalog = catalog;
      this.#take(found);
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

  #take(found: UpstreamProbeView): void {
    const { controls } = this.channel;
    const { kind, baseUrl, protocols, models } = found;
    controls.kind.setValue(kind);
    controls.baseUrl.setValue(baseUrl);
    controls.protocols.setValue(protocols ?? []);
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
    this.sale.offers.fill(names, { catalog: this.#catalog, providers: preset?.listNames ?? [] });
  }

  /** For an upstream without a list, or a model that its list does not have. Ticked at once. */
  addNames(names: readonly string[]): void {
    const known = this.sale.offers.all();
    this.#fill([...known.map(({ upstreamName }) => upstreamName), ...names]);
    this.sale.offers.tick(
      this.sale.offers.all().filter(({ upstreamName }) => names.includes(upstreamName)),
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
    const credential = wordsOrNothing(this.access.credential);
    return {
      ...this.channel.createBody(),
      // A file is one credential, whatever spaces it has.
      credentials: credential === undefined ? [] : [credential],
      models: this.sale.offers.served(),
      newModels: this.sale.offers.body(),
      sellInGroupIds: [...this.sale.groupIds.value],
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
