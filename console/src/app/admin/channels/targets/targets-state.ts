import { computed } from '@angular/core';
import type { TargetView } from '@weir/shared/catalog/targets';
import type { ApiPort } from '../../../core/api/call-input';
import type { Option } from '../../../core/i18n/i18n';
import { Loadable } from '../../../core/state/loadable';

/** The models of a channel with their profiles, and what was learned of their upstream. */
export class TargetsState {
  readonly #api: ApiPort;
  readonly #channelId: () => string;
  readonly targets: Loadable<readonly TargetView[]>;
  readonly #profiles;

  /** Labels of vendors and families by id, as the parts of a profile's name are. */
  readonly labels = computed(() => {
    const { vendors = [], families = [] } = this.#profiles.value() ?? {};
    return new Map([...vendors, ...families].map(({ id, label }) => [id, label]));
  });

  constructor(api: ApiPort, channelId: () => string) {
    this.#api = api;
    this.#channelId = channelId;
    this.targets = new Loadable(async () => {
      const params = { channelId: channelId() };
      return (await api.call('listTargets', { params })).data;
    });
    this.#profiles = new Loadable(() => api.call('listTargetProfiles'));
    void this.#profiles.load();
  }

  /** `OpenAI · GPT-5.1` for `openai/gpt-5.1`, and one of the two where the other is generic. */
  labelOf(profile: string): string | undefined {
    const labels = profile.split('/').flatMap((part) => this.labels().get(part) ?? []);
    return labels.length === 0 ? undefined : labels.join(' · ');
  }

  /** Vendors, whose family is found by name, then the families at the vendor in force. */
  choices({ profile }: TargetView): readonly Option[] {
    const { vendors = [], families = [] } = this.#profiles.value() ?? {};
    const [vendor = ''] = profile.split('/');
    const inForce = this.labels().get(vendor);
    return [
      ...vendors.map(({ id, label }) => ({ value: id, label })),
      ...families.map(({ id, label }) => ({
        value: `${vendor}/${id}`,
        label: inForce === undefined ? label : `${inForce} · ${label}`,
      })),
    ];
  }

  async keep(refusalId: string, kept: boolean): Promise<void> {
    const params = { channelId: this.#channelId(), refusalId };
    await this.#api.call('updateLearnedRefusal', { params, body: { kept } });
    await this.targets.load();
  }

  async forget(refusalId: string): Promise<void> {
    const params = { channelId: this.#channelId(), refusalId };
    await this.#api.call('deleteLearnedRefusal', { params });
    await this.targets.load();
  }
}
