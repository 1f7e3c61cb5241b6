import { computed, signal } from '@angular/core';
import type { KeyView } from '@weir/shared/keys';
import type { Pricing } from '@weir/shared/prices';
import type { ApiPort } from '../core/api/call-input';
import { Loadable } from '../core/state/loadable';
import type { FreshKeys } from '../keys/fresh-keys';

/** A temporary value is renewed when less than this is left of its hour. */
const RENEW_BEFORE_MS = 60_000;

interface TemporaryValue {
  readonly value: string;
  readonly worksUntilMs: number;
}

/**
 * Which key the playground sends with. Keys are stored nowhere in clear, so a second value that works for an
 * hour is made of the chosen one; a key that was made in this visit, or typed in, serves as it is. All of
 * them live in memory only.
 */
export class PlaygroundKey {
  readonly #api: ApiPort;
  readonly #fresh: Pick<FreshKeys, 'valueOf'>;
  readonly #now: () => number;
  readonly #temporary = new Map<string, TemporaryValue>();
  readonly keyId = signal('');
  readonly typed = signal('');
  readonly keys: Loadable<readonly KeyView[]>;
  readonly pricing: Loadable<Pricing>;

  readonly key = computed(() => this.keys.value()?.find(({ id }) => id === this.keyId()));
  /** Whether there is anything to send with. */
  readonly given = computed(() => this.keyId() !== '' || this.typed().trim() !== '');
  /**
   * Models of the key's group that the key may use; all when a key of unknown group was typed. None while the keys
   * are on their way: whoever chose one by then would send without a key.
   */
  readonly models = computed(() => {
    if (this.keys.waiting()) return [];
    const models = this.pricing.value()?.models ?? [];
    const key = this.key();
    if (key === undefined) return models;
    const allowed = key.modelAllowlist;
    return models
      .filter(({ groups }) => groups.some(({ groupId }) => groupId === key.groupId))
      .filter(({ publicId }) => allowed.length === 0 || allowed.includes(publicId));
  });

  constructor(
    api: ApiPort,
    fresh: Pick<FreshKeys, 'valueOf'>,
    now: () => number = () => Date.now(),
  ) {
    this.#api = api;
    this.#fresh = fresh;
    this.#now = now;
    this.keys = new Loadable(async () => {
      const query = { status: 'active', limit: 200 } as const;
      return (await api.call('listKeys', { query })).data;
    });
    this.pricing = new Loadable(() => api.call('getPricing'));
  }

  /** Loads, and chooses `wanted` or the first key. */
  async load(wanted: string | undefined): Promise<void> {
    await Promise.all([this.keys.load(), this.pricing.load()]);
    const keys = this.keys.value() ?? [];
    const chosen = keys.find(({ id }) => id === wanted) ?? keys[0];
    this.keyId.set(chosen?.id ?? '');
  }

  /** Prices of a model in the key's group, or its list prices when the group is not known. */
  pricesOf(publicId: string): Pricing['models'][number]['prices'] | undefined {
    const model = this.pricing.value()?.models.find((one) => one.publicId === publicId);
    const groupId = this.key()?.groupId;
    return model?.groups.find((group) => group.groupId === groupId)?.prices ?? model?.prices;
  }

  /** The value to send. */
  async value(): Promise<string> {
    const typed = this.typed().trim();
    if (typed !== '') return typed;
    const keyId = this.keyId();
    return this.#fresh.valueOf(keyId) ?? (await this.#temporaryValue(keyId));
  }

  async #temporaryValue(keyId: string): Promise<string> {
    const known = this.#temporary.get(keyId);
    if (known !== undefined && known.worksUntilMs - this.#now() > RENEW_BEFORE_MS) {
      return known.value;
    }
    const made = await this.#api.call('createTemporaryKeyValue', { params: { keyId } });
    this.#temporary.set(keyId, { value: made.value, worksUntilMs: Date.parse(made.worksUntil) });
    return made.value;
  }
}
