import { computed, inject, type Signal } from '@angular/core';
import { MEMBER_ROLES, type MemberRole } from '@weir/shared/api/permissions';
import { Api } from '../../core/api/api';
import { I18n, type Option } from '../../core/i18n/i18n';
import { fetchOptions, keyIn } from '../../core/i18n/options';
import { Session } from '../../core/session/session';

/** The teams of the account to choose from, with none of them first. Needs an injection context. */
export function teamOptions(): Signal<readonly Option[]> {
  const api = inject(Api);
  const { t } = inject(I18n);
  const teams = fetchOptions(() => api.call('listTeams'));
  return computed(() => [{ value: '', label: t('teams.noTeam') }, ...(teams.value() ?? [])]);
}

/** The roles that this member may give: owners are made by owners. Needs an injection context. */
export function roleOptions(): Signal<readonly Option<MemberRole>[]> {
  const session = inject(Session);
  const { t } = inject(I18n);
  const words = keyIn('memberRole');
  const hints = keyIn('memberRoleHint');
  return computed(() =>
    MEMBER_ROLES.filter((role) => role !== 'owner' || session.permits('owners.manage')).map(
      (role) => ({ value: role, label: t(words(role)), note: `· ${t(hints(role))}` }),
    ),
  );
}
