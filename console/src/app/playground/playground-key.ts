import { computed, signal } from '@angular/core';
import type { KeyView } from '@weir/shared/people/keys';
import { PAGE_LIMIT_MAX } from '@weir/shared/api/pages';
import type { Pricing } from '@weir/shared/prices/prices';
import type { ApiPort } from '../core/api/call-input';
import { fetchAll } from '../core/api/fetch-all';
import { Loadable } from '../core/state/loadable';
import type { FreshKeys } from '../keys/fresh-keys';
import { givesValues, works } from '../keys/key-status';
import type { TemporaryKeys } from '../keys/temporary-keys';

export type KeyRefusal = 'disabled' | 'expired' | 'gone' | 'group';

/**
 * The key of the playground's requests. Keys are stored nowhere in clear, so a second value that
 * works for an hour is made of the chosen one; a key that was made in this visit, or typed in,
 * serves as it is. All of them live in memory only.
 */
export class PlaygroundKey {
  readonly #fresh: Pick<FreshKeys, 'valueOf'>;
  readonly #temporary: Pick<TemporaryKeys, 'valueOf'>;
  #wanted: string | undefined;
  /** The key that is chosen or wanted, whether it can be used or not. */
  readonly keyId = signal('');
  /** The member who sends: no one sends with the keys of others. */
  readonly memberId = signal<string | undefined>(undefined);
  readonly typed = signal('');
  /** Those that cannot be used, too: why has to be said. */
  readonly all = signal<readonly KeyView[]>([]);
  readonly keys: Loadable<readonly KeyView[]>;
  readonly pricing: Loadable<Pricing>;

  readonly key = computed(() => this.keys.value()?.find(({ id }) => id === this.keyId()));
  /** True if there is a key to send with. */
  readonly given = computed(() => this.key() !== undefined || this.typed().trim() !== '');
  /**
   * The key that is wanted is none of those that can be used. Another one must be chosen knowingly:
   * it pays.
   */
  readonly refused = computed(
    () => this.keyId() !== '' && this.keys.value() !== undefined && !this.given(),
  );
  /** The reason why the chosen key cannot be used. */
  readonly refusal = computed((): { why: KeyRefusal; name: string } | undefined => {
    if (!this.refused()) return undefined;
    const key = this.all().find(({ id }) => id === this.keyId());
    if (key === undefined) return { why: 'gone', name: '' };
    if (key.status === 'disabled') return { why: 'disabled', name: key.name };
    return { why: key.groupState === 'open' ? 'expired' : 'group', name: key.name };
  });
  /**
   * Models of the key's group that the key may use; all when a key of unknown group was typed. None
   * while the keys are on their way: a user who chose one by then would send without a key.
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
    temporary: Pick<TemporaryKeys, 'valueOf'>,
  ) {
    this.#fresh = fresh;
    this.#temporary = temporary;
    this.keys = new Loadable(async () => {
      const query = { limit: PAGE_LIMIT_MAX } as const;
      const keys = await fetchAll((cursor) =>
        api.call('listKeys', { query: cursor === undefined ? query : { ...query, cursor } }),
      );
      const own = keys.filter((key) => givesValues(key, this.memberId()));
      this.all.set(own);
      return own.filter((key) => works(key));
    });
    this.pricing = new Loadable(() => api.call('getPricing'));
  }

  /**
   * Loads, and chooses `wanted` or the first key. Whatever else was chosen by then stays, also when
   * it is tried again.
   */
  async load(wanted: string | undefined): Promise<void> {
    if (wanted !== undefined && wanted !== this.#wanted) this.keyId.set(wanted);
    this.#wanted = wanted;
    await Promise.all([this.#loadKeys(), this.pricing.load()]);
  }

  async #loadKeys(): Promise<void> {
    await this.keys.load();
    if (this.keyId() === '') this.keyId.set(this.keys.value()?.[0]?.id ?? '');
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
    return this.#fresh.valueOf(keyId) ?? (await this.#temporary.valueOf(keyId));
  }
}
