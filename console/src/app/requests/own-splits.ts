import { computed, DOCUMENT, inject, type Signal } from '@angular/core';
import { Api } from '../core/api/api';
import { I18n, type Option } from '../core/i18n/i18n';
import { Session } from '../core/session/session';
import { Loadable } from '../core/state/loadable';
import { untilIdle } from '../core/state/until-idle';

/** The parts that a chart of the account's usage can be split into. */
export type OwnSplit = 'model' | 'key' | 'member' | 'team';

const WORDS = {
  model: 'usage.byModel',
  key: 'usage.byKey',
  member: 'usage.byMember',
  team: 'usage.byTeam',
} as const;

/**
 * The parts to choose from: members and teams where the account has several, for a person who sees
 * the usage of all. They are asked for when the browser is idle. Needs an injection context.
 */
export function ownSplits(): Signal<readonly Option<OwnSplit>[]> {
  const api = inject(Api);
  const session = inject(Session);
  const { t } = inject(I18n);
  const shared = new Loadable(async (): Promise<OwnSplit[]> => {
    const members = await api.call('listMembers', { query: { limit: 2 } });
    const teams = await api.call('listTeams');
    return [
      ...(members.data.length > 1 ? (['member'] as const) : []),
      ...(teams.data.length > 0 ? (['team'] as const) : []),
    ];
  });
  if (session.permits('usage.all') && session.permits('members.read')) {
    void untilIdle(inject(DOCUMENT)).then(() => shared.load());
  }
  return computed(() =>
    (['model', 'key', ...(shared.value() ?? [])] as const).map((value) => ({
      value,
      label: t(WORDS[value]),
    })),
  );
}
