import { Component, computed, inject, input } from '@angular/core';
import {
  isOpenaiLike,
  OUTPUT_LIMIT_FIELDS,
  hasLocations,
  hasOmittedFields,
  UPSTREAM_KINDS,
} from '@weir/shared/catalog/channels';
import { CHANNEL_PROTOCOLS } from '@weir/shared/catalog/protocols';
import type { GroupView } from '@weir/shared/catalog/groups';
import { BALANCE_API_CHOICES } from '@weir/shared/prices/upstream-balances';
import { I18n } from '../../core/i18n/i18n';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { Switch } from '../../design/field/switch';
import { TextArea } from '../../design/field/text-area';
import type { ChannelForm } from './channel-form';
import { KIND_WORDS } from './channel-words';

/** The fields of a channel, for a new one and for a change. */
@Component({
  selector: 'weir-channel-fields',
  imports: [Choice, Field, Switch, TextArea],
  template: `
    <div class="fields">
      @let kind = words[form().kind()];
      @if (!isRest()) {
        <weir-field [control]="form().controls.name" [label]="t('keys.name')" />
      }
      <weir-choice
        [control]="form().controls.kind"
        [label]="t('channels.kind')"
        [hint]="t(kind.hint)"
        [options]="kinds()"
      />
      <weir-choice
        [control]="form().controls.status"
        [label]="t('keys.status')"
        [options]="statuses()"
      />
      <weir-field
        class="whole"
        [placeholder]="kind.example"
        [mono]="true"
        [control]="form().controls.baseUrl"
        [label]="t('channels.baseUrl')"
        [hint]="t(kind.baseUrlHint)"
      />
      @if (form().isNew && !isRest()) {
        <weir-text-area
          class="whole"
          [mono]="true"
          [rows]="2"
          [optional]="true"
          [control]="form().controls.credentials"
          [label]="t('channels.credentials')"
          [hint]="t(kind.credentialHint ?? 'channels.credentialsHint')"
        />
      }
      <weir-field
        inputmode="numeric"
        [control]="form().controls.priority"
        [label]="t('channels.priority')"
        [hint]="t('channels.priorityHint')"
      />
      <weir-field
        inputmode="numeric"
        [control]="form().controls.weight"
        [label]="t('channels.weight')"
        [hint]="t('channels.weightHint')"
      />
      <weir-field
        inputmode="numeric"
        [control]="form().controls.concurrencyMax"
        [label]="t('keys.concurrency')"
        [hint]="t('channels.concurrencyHint')"
        [placeholder]="t('field.none')"
      />
      @if (isOpenaiLike(form().kind())) {
        <weir-choice
          class="whole"
          [control]="form().controls.outputLimitField"
          [label]="t('channels.outputLimit')"
          [hint]="t('channels.outputLimitHint')"
          [options]="outputLimits()"
        />
        <weir-choice
          class="whole"
          [many]="true"
          [control]="form().controls.protocols"
          [label]="t('channels.protocols')"
          [placeholder]="t('channels.protocolsAny')"
          [hint]="t('channels.protocolsHint')"
          [options]="protocols()"
        />
      }
      @if (hasOmittedFields(form().kind())) {
        <weir-text-area
          class="whole"
          placeholder="stream_options"
          [mono]="true"
          [rows]="2"
          [optional]="true"
          [control]="form().controls.omittedFields"
          [label]="t('channels.omittedFields')"
          [hint]="t('channels.omittedFieldsHint')"
        />
      }
      @if (hasLocations(form().kind())) {
        <weir-text-area
          class="whole"
          placeholder="us-east5"
          [mono]="true"
          [rows]="2"
          [optional]="true"
          [control]="form().controls.locations"
          [label]="t('channels.locations')"
          [hint]="t('channels.locationsHint')"
        />
      }
      @if (isOpenaiLike(form().kind())) {
        <weir-switch
          class="whole"
          [control]="form().controls.storesResponses"
          [label]="t('channels.storesResponses')"
          [hint]="t('channels.storesResponsesHint')"
        />
      }
      <weir-choice
        class="whole"
        [control]="form().controls.fieldPolicy"
        [label]="t('channels.fieldPolicy')"
        [hint]="t('channels.fieldPolicyHint')"
        [options]="fieldPolicies()"
      />
      <weir-field
        class="whole"
        placeholder="http://proxy.example:3128"
        [control]="form().controls.proxy"
        [label]="t('channels.proxy')"
        [hint]="t('channels.proxyHint')"
      />
      <weir-choice
        class="whole"
        [control]="form().controls.balanceApi"
        [label]="t('channels.balanceApi')"
        [hint]="t('channels.balanceApiHint')"
        [options]="balanceApis()"
      />
      <weir-choice
        class="whole"
        [many]="true"
        [control]="form().controls.groupIds"
        [label]="t('channels.groups')"
        [placeholder]="t('channels.everyGroup')"
        [options]="groupOptions()"
      />
      <details class="whole">
        <summary>{{ t('channels.timeouts') }}</summary>
        <div class="fields">
          <weir-field
            suffix="ms"
            inputmode="numeric"
            [control]="form().controls.connectTimeoutMs"
            [label]="t('channels.connectTimeout')"
          />
          <weir-field
            suffix="ms"
            inputmode="numeric"
            [control]="form().controls.firstByteTimeoutMs"
            [label]="t('channels.firstByteTimeout')"
          />
          <weir-field
            suffix="ms"
            inputmode="numeric"
            [control]="form().controls.idleTimeoutMs"
            [label]="t('channels.idleTimeout')"
          />
          <weir-field
            suffix="ms"
            inputmode="numeric"
            [control]="form().controls.totalTimeoutMs"
            [label]="t('channels.totalTimeout')"
          />
        </div>
      </details>
      <weir-switch
        class="whole"
        [control]="form().controls.allowPrivate"
        [label]="t('channels.allowPrivate')"
        [hint]="t('channels.allowPrivateHint')"
      />
    </div>
  `,
  styles: `
    summary {
      padding: var(--weir-gap-1) 0 var(--weir-gap-3);
      font-weight: 600;
      cursor: pointer;
    }
  `,
})
export class ChannelFields {
  protected readonly t = inject(I18n).t;
  readonly form = input.required<ChannelForm>();
  readonly groups = input.required<readonly GroupView[]>();
  /** Without the name and the credentials, which are asked for elsewhere. */
  readonly isRest = input(false);
  protected readonly groupOptions = computed(() =>
    this.groups().map(({ id, name }) => ({ value: id, label: name })),
  );
  protected readonly words = KIND_WORDS;
  protected readonly isOpenaiLike = isOpenaiLike;
  protected readonly hasLocations = hasLocations;
  protected readonly hasOmittedFields = hasOmittedFields;
  /** The demo is what it is. */
  protected readonly kinds = computed(() =>
    (this.form().kind() === 'demo' ? (['demo'] as const) : UPSTREAM_KINDS).map((kind) => ({
      value: kind,
      label: this.t(KIND_WORDS[kind].name),
    })),
  );
  protected readonly protocols = computed(() =>
    CHANNEL_PROTOCOLS.map((id) => ({ value: id, label: this.t(`protocol.${id}`) })),
  );
  protected readonly statuses = computed(() => [
    { value: 'active', label: this.t('state.active') },
    { value: 'disabled', label: this.t('state.disabled') },
  ]);
  protected readonly fieldPolicies = computed(() => [
    { value: 'known', label: this.t('channels.fieldPolicyKnown') },
    { value: 'all', label: this.t('channels.fieldPolicyAll') },
  ]);

  protected readonly balanceApis = computed(() => [
    { value: '', label: this.t('channels.balanceApi.auto') },
    ...BALANCE_API_CHOICES.map((value) => ({
      value,
      label: this.t(`channels.balanceApi.${value}`),
    })),
  ]);
  protected readonly outputLimits = computed(() => [
    { value: '', label: this.t('channels.outputLimitAny') },
    ...OUTPUT_LIMIT_FIELDS.map((name) => ({ value: name, label: name })),
  ]);
}
