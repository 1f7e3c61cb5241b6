import { signal } from '@angular/core';
import { FormGroup } from '@angular/forms';
import {
  ChannelCreate,
  hasLocations,
  hasOmittedFields,
  isOpenaiLike,
  type ChannelKind,
  type ChannelUpdate,
  type ChannelModel,
  type ChannelView,
  type FieldPolicy,
  type OutputLimitField,
  type UpstreamKind,
} from '@weir/shared/catalog/channels';
import { CHANNEL_PROTOCOLS } from '@weir/shared/catalog/protocols';
import type { BalanceApiChoice } from '@weir/shared/prices/upstream-balances';
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
  wordsOrNothing,
  wordsOf,
} from '../../core/forms/controls';

const rules = ChannelCreate.properties;

/** The server's defaults, shown so that no one has to guess. */
const DEFAULTS = {
  priority: 0,
  weight: 1,
  connectTimeoutMs: 5_000,
  firstByteTimeoutMs: 600_000,
  idleTimeoutMs: 600_000,
  totalTimeoutMs: 900_000,
} as const;

/**
 * A channel's settings. Its models are chosen on the same page; credentials go in at creation or
 * one by one later.
 */
export class ChannelForm {
  readonly controls;
  readonly group;
  readonly isNew: boolean;
  /** The kind as it is chosen now; the demo has no other. */
  readonly kind;

  constructor(channel?: ChannelView) {
    this.isNew = channel === undefined;
    const from = channel ?? DEFAULTS;
    const number = (name: keyof typeof DEFAULTS) =>
      whole(rules[name], { initial: String(from[name]), required: true });
    this.controls = {
      name: words(rules.name, { initial: channel?.name ?? '', required: true }),
      kind: option<ChannelKind>(channel?.kind ?? 'openai'),
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
      locations: lines(rules.locations, { initial: channel?.locations.join('\n') ?? '' }),
      protocols: several(rules.protocols, channel?.protocols ?? []),
      fieldPolicy: option<FieldPolicy>(channel?.fieldPolicy ?? 'known'),
      proxy: words(rules.proxy, { initial: channel?.proxy ?? '' }),
      storesResponses: flag(channel?.storesResponses ?? false),
      balanceApi: option<BalanceApiChoice | ''>(channel?.balanceApi ?? ''),
      allowPrivate: flag(channel?.allowPrivate ?? false),
      groupIds: several(rules.groupIds, channel?.groupIds ?? []),
    };
    this.group = new FormGroup(this.controls);
    const kind = signal(this.controls.kind.value);
    this.controls.kind.valueChanges.subscribe((chosen) => {
      kind.set(chosen);
    });
    this.kind = kind.asReadonly();
  }

  #settings(): Omit<ChannelUpdate, 'models' | 'status'> {
    const { controls } = this;
    const kind = upstreamKindOf(controls.kind.value);
    return {
      name: wordsOf(controls.name),
      ...(kind !== undefined && { kind }),
      baseUrl: wordsOf(controls.baseUrl),
      priority: wholeOf(controls.priority),
      weight: wholeOf(controls.weight),
      connectTimeoutMs: wholeOf(controls.connectTimeoutMs),
      firstByteTimeoutMs: wholeOf(controls.firstByteTimeoutMs),
      idleTimeoutMs: wholeOf(controls.idleTimeoutMs),
      totalTimeoutMs: wholeOf(controls.totalTimeoutMs),
      concurrencyMax: wholeOrNull(controls.concurrencyMax),
      ...this.#openaiSettings(),
      locations: hasLocations(controls.kind.value) ? linesOf(controls.locations) : [],
      fieldPolicy: controls.fieldPolicy.value,
      proxy: wordsOrNothing(controls.proxy) ?? null,
      balanceApi: controls.balanceApi.value === '' ? null : controls.balanceApi.value,
      allowPrivate: controls.allowPrivate.value,
      groupIds: [...controls.groupIds.value],
    };
  }

  /** Returns the settings of OpenAI's kinds; those hidden for another kind are not sent. */
  #openaiSettings(): Pick<
    ChannelUpdate,
    'outputLimitField' | 'omittedFields' | 'protocols' | 'storesResponses'
  > {
    const { kind, outputLimitField, protocols, storesResponses } = this.controls;
    const omittedFields = hasOmittedFields(kind.value) ? linesOf(this.controls.omittedFields) : [];
    if (!isOpenaiLike(kind.value)) {
      return {
        outputLimitField: null,
        omittedFields,
        protocols: null,
        storesResponses: false,
      };
    }
    const chosen = protocols.value;
    return {
      outputLimitField: outputLimitField.value === '' ? null : outputLimitField.value,
      omittedFields,
      storesResponses: storesResponses.value,
      protocols:
        chosen.length === 0
          ? null
          : chosen.flatMap((id) => CHANNEL_PROTOCOLS.filter((known) => known === id)),
    };
  }

  createBody(): ChannelCreate {
    return {
      ...this.#settings(),
      name: wordsOf(this.controls.name),
      baseUrl: wordsOf(this.controls.baseUrl),
      status: this.controls.status.value,
      credentials: linesOf(this.controls.credentials),
    };
  }

  updateBody(models: readonly ChannelModel[]): ChannelUpdate {
    return { ...this.#settings(), status: this.controls.status.value, models: [...models] };
  }
}

function upstreamKindOf(kind: ChannelKind): UpstreamKind | undefined {
  return kind === 'demo' ? undefined : kind;
}
