import { computed, DOCUMENT, inject, type Signal } from '@angular/core';
import { Api } from '../core/api/api';
import type { Option } from '../core/i18n/i18n';
import { Loadable } from '../core/state/loadable';
import { untilIdle } from '../core/state/until-idle';

/**
 * The models to choose from, asked for when the browser is idle. Needs an injection context.
 */
export function modelOptions(): Signal<readonly Option[]> {
  const api = inject(Api);
  const models = new Loadable(async () =>
    (await api.call('listModelNames')).data.map(({ publicId: id }) => ({ value: id, label: id })),
  );
  void untilIdle(inject(DOCUMENT)).then(() => models.load());
  return computed(() => models.value() ?? []);
}
