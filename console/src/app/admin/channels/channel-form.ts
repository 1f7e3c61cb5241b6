import { FormGroup } from '@angular/forms';
import {
  ChannelCreate,
  type ChannelUpdate,
  type ChannelModel,
  type ChannelView,
  type OutputLimitField,
} from '@weir/shared/channels';
import {
  flag,
  lines,
  linesOf,
  option,
  several,
  whole,
  wholeOf,
  wholeOrNull,
  words,
  extractMessage,
} from '../../core/forms/controls';

const rules = ChannelCreate.properties;

/** What the server takes when nothing is said, shown so that nobody has to guess. */
const DEFAULTS = {
  priority: 0,
  weight: 1,
  connectTimeoutMs: 5_000,
  firstByteTimeoutMs: 120_000,
  idleTimeoutMs: 120_000,
  totalTimeoutMs: 900_000,
} as const;

/** A channel's settings. Its models are chosen beside it; credentials go in at creation or one by one later. */
export class ChannelForm {
  readonly controls;
  readonly group;
  readonly isNew: boolean;

  constructor(channel?: ChannelView) {
    this.isNew = channel === undefined;
    const from = channel ?? DEFAULTS;
    const number = (name: keyof typeof DEFAULTS) =>
      whole(rules[name], { initial: String(from[name]), required: true });
    this.controls = {
      name: words(rules.name, { initial: channel?.name ?? '', required: true }),
      baseUrl: words(rules.baseUrl, { initial: channel?.baseUrl ?? '', required: true }),
      credentials: lines(rules.credentials),
      status: option<'active' | 'disabled'>(channel?.status ?? 'active'),
      priority: number('priority'),
      weight: number('weight'),
      connectTimeoutMs: number('connectTimeoutMs'),
      firstByteTimeoutMs: number('firstByteTimeoutMs'),
      idleTimeoutMs: number('idleTimeoutMs'),
      totalTimeoutMs: number('totalTimeoutMs'),
      concurrencyMax: whole(rules.concurrencyMax, {
        initial: channel?.concurrencyMax == null ? '' : String(channel.concurrencyMax),
      }),
      outputLimitField: option<OutputLimitField | ''>(channel?.outputLimitField ?? ''),
      omittedFields: lines(rules.omittedFields, {
        initial: channel?.omittedFields.join('\n') ?? '',
      }),
      allowPrivate: flag(channel?.allowPrivate ?? false),
      groupIds: several(rules.groupIds, channel?.groupIds ?? []),
    };
    this.group = new FormGroup(this.controls);
  }

  #settings(): Omit<ChannelUpdate, 'models' | 'status'> {
    const { controls } = this;
    return {
      name: extractMessage(controls.name),
      baseUrl: extractMessage(controls.baseUrl),
      priority: wholeOf(controls.priority),
      weight: wholeOf(controls.weight),
      connectTimeoutMs: wholeOf(controls.connectTimeoutMs),
      firstByteTimeoutMs: wholeOf(controls.firstByteTimeoutMs),
      idleTimeoutMs: wholeOf(controls.idleTimeoutMs),
      totalTimeoutMs: wholeOf(controls.totalTimeoutMs),
      concurrencyMax: wholeOrNull(controls.concurrencyMax),
      outputLimitField:
        controls.outputLimitField.value === '' ? null : controls.outputLimitField.value,
      omittedFields: linesOf(controls.omittedFields),
      allowPrivate: controls.allowPrivate.value,
      groupIds: [...controls.groupIds.value],
    };
  }

  createBody(): ChannelCreate {
    return {
      ...this.#settings(),
      name: extractMessage(this.controls.name),
      baseUrl: extractMessage(this.controls.baseUrl),
      status: this.controls.status.value,
      credentials: linesOf(this.controls.credentials),
    };
  }

  updateBody(models: readonly ChannelModel[]): ChannelUpdate {
    return { ...this.#settings(), status: this.controls.status.value, models: [...models] };
  }
}
