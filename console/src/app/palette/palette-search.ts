import { computed, signal } from '@angular/core';
import {
  SEARCH_TEXT_CHARACTERS_MAX,
  SEARCH_TEXT_CHARACTERS_MIN,
  type SearchHit,
  type SearchKind,
} from '@weir/shared/api/search';
import { failureOf, type Failure } from '../core/api/api-failure';
import type { ApiPort } from '../core/api/call-input';
import type { PlainKey } from '../core/i18n/i18n';
import type { IconName } from '../design/icon/icon-paths';
import type { Command, CommandAct } from './commands';

/** Typing pauses before the server is asked. */
const PAUSE_MS = 200;

const KINDS: Readonly<Record<SearchKind, { readonly key: PlainKey; readonly icon: IconName }>> = {
  account: { key: 'search.account', icon: 'account' },
  key: { key: 'search.key', icon: 'key' },
  model: { key: 'search.model', icon: 'models' },
  channel: { key: 'search.channel', icon: 'channels' },
  order: { key: 'search.order', icon: 'orders' },
  code: { key: 'search.code', icon: 'codes' },
  invitation: { key: 'search.invitation', icon: 'codes' },
  request: { key: 'search.request', icon: 'usage' },
  record: { key: 'search.record', icon: 'usage' },
};

/**
 * Returns the page of a hit: for administrators that of all accounts, for others their own.
 */
function placeOf({ kind, id, find, accountId }: SearchHit, isAdmin: boolean): CommandAct {
  const go = (path: string, query: Record<string, string> = {}): CommandAct => ({
    kind: 'go',
    path,
    query,
  });
  switch (kind) {
    case 'account':
      return go(`/admin/accounts/${id}`);
    case 'key':
      return go(isAdmin ? `/admin/accounts/keys/${id}` : `/keys/${id}`);
    case 'model':
      return isAdmin ? go(`/admin/models/${id}`) : go('/models', { search: find });
    case 'channel':
      return go(`/admin/channels/${id}`);
    case 'order':
      return isAdmin
        ? go('/admin/orders', { account: accountId ?? '' })
        : go(`/billing/orders/${id}`);
    case 'code':
      return go(`/admin/codes/${id}`);
    case 'invitation':
      return go('/admin/codes/invitations');
    case 'request':
    case 'record':
      return go(`/requests/${id}`);
  }
}

/** Returns a hit as a command of the palette. */
export function hitCommand(
  hit: SearchHit,
  { t, isAdmin }: { readonly t: (key: PlainKey) => string; readonly isAdmin: boolean },
): Command {
  const { key, icon } = KINDS[hit.kind];
  return {
    id: `${hit.kind}:${hit.id}`,
    name: hit.title,
    detail: hit.detail,
    aliases: '',
    icon,
    group: 'found',
    groupName: t(key),
    act: placeOf(hit, isAdmin),
  };
}

/**
 * Looks for what was typed among customers, keys, orders, requests and the rest. An answer that was
 * overtaken by further typing is dropped.
 */
export class PaletteSearch {
  readonly #api: ApiPort;
  readonly #pause: (ms: number) => Promise<void>;
  readonly #wanted = signal('');
  readonly #answered = signal<{ readonly text: string; readonly hits: readonly SearchHit[] }>({
    text: '',
    hits: [],
  });
  readonly failure = signal<Failure | undefined>(undefined);
  /** The hits for the typed text; those of a shorter text stay until the next ones arrive. */
  readonly hits = computed(() => (this.#wanted() === '' ? [] : this.#answered().hits));
  readonly searching = computed(
    () => this.#wanted() !== this.#answered().text && this.failure() === undefined,
  );

  constructor(
    api: ApiPort,
    pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  ) {
    this.#api = api;
    this.#pause = pause;
  }

  async look(typed: string): Promise<void> {
    const text = typed.trim().length < SEARCH_TEXT_CHARACTERS_MIN ? '' : typed.trim();
    this.#wanted.set(text);
    this.failure.set(undefined);
    if (text === '') {
      this.#answered.set({ text: '', hits: [] });
      return;
    }
    await this.#pause(PAUSE_MS);
    if (this.#wanted() !== text) return;
    try {
      const { data } = await this.#api.call('search', {
        body: { text: text.slice(0, SEARCH_TEXT_CHARACTERS_MAX) },
      });
      if (this.#wanted() === text) this.#answered.set({ text, hits: data });
    } catch (thrown) {
      if (this.#wanted() !== text) return;
      this.#answered.set({ text, hits: [] });
      this.failure.set(failureOf(thrown));
    }
  }
}
