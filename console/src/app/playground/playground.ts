import {
  afterRenderEffect,
  Component,
  computed,
  effect,
  type ElementRef,
  inject,
  input,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { BASIS_METER_IDS } from '@weir/shared/prices/meters';
import { BreakpointObserver } from '@angular/cdk/layout';
import { toSignal } from '@angular/core/rxjs-interop';
import { map } from 'rxjs';
import { Api } from '../core/api/api';
import { failureOf, type Failure } from '../core/api/api-failure';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { meterLabel } from '../core/i18n/meter-label';
import { OwnAccount } from '../core/session/own-account';
import { Session } from '../core/session/session';
import { Site } from '../core/session/site';
import { CreditHelp } from '../billing/credit-help';
import { Field } from '../design/field/field';
import { Filter } from '../design/field/filter';
import { TextArea } from '../design/field/text-area';
import { PAGE_PARTS } from '../design/page/page-parts';
import { Markdown } from '../markdown/markdown';
import { presetModel } from '../models/preset-model';
import { FreshKeys } from '../keys/fresh-keys';
import { TemporaryKeys } from '../keys/temporary-keys';
import { CONVERSATION } from './conversation';
import { mediaKindOf } from './media/media-kind';
import { MediaPanel } from './media/media-panel';
import { SendButton } from './send-button';
import { talkProtocols, type TalkProtocol } from './dialects/dialect';
import { PlaygroundKey } from './playground-key';
import { runningCost } from './running-cost';

/** Here the conversation needs the room more than the page's intro does. */
const NARROW = '(width < 900px)';
/** So near to its end, the log is read at its end. */
const FOLLOWING_PX = 60;
/** For a key of an unknown group, whose models are not known. */
const OUTPUT_TOKENS_UNKNOWN = 1_024;

@Component({
  selector: 'weir-playground',
  imports: [CreditHelp, Field, Filter, Markdown, MediaPanel, SendButton, TextArea, PAGE_PARTS],
  templateUrl: './playground.html',
  styleUrl: './playground.scss',
})
export class Playground {
  readonly #account = inject(OwnAccount);
  protected readonly log = viewChild<ElementRef<HTMLElement>>('log');
  protected readonly t = inject(I18n).t;
  protected readonly site = inject(Site);
  protected readonly formatter = inject(Formatter);
  protected readonly talk = inject(CONVERSATION);
  protected readonly chat = this.talk.chat;
  protected readonly bill = this.talk.bill;
  readonly #session = inject(Session);
  protected readonly keys = new PlaygroundKey(
    inject(Api),
    inject(FreshKeys),
    inject(TemporaryKeys),
  );
  protected readonly settings = this.talk.settings;
  protected readonly model = this.talk.model;
  protected readonly draft = this.talk.draft;
  protected readonly narrow = toSignal(
    inject(BreakpointObserver)
      .observe(NARROW)
      .pipe(map(({ matches }) => matches)),
    { initialValue: false },
  );
  /** The end of the log is in sight: it stays there while a reply grows. */
  #following = true;
  protected readonly keyFailure = signal<Failure | undefined>(undefined);

  /** Query parameter: the key to begin with. */
  readonly key = input<string>();

  protected readonly keyOptions = computed(() =>
    (this.keys.keys.value() ?? []).map(({ id, name, groupName }) => ({
      value: id,
      label: `${name} · ${groupName}`,
    })),
  );
  /** Models that embed or rank have nothing to show here. */
  protected readonly modelOptions = computed(() =>
    this.keys
      .models()
      .filter(
        (one) =>
          one.protocols.length === 0 ||
          talkProtocols(one.protocols).length > 0 ||
          mediaKindOf(one) !== undefined,
      )
      .map(({ publicId }) => ({ value: publicId, label: publicId })),
  );
  protected readonly protocolOptions = computed(() =>
    this.#protocols().map((value) => ({ value, label: this.t(`protocol.${value}`) })),
  );
  readonly #pricedModel = computed(() =>
    this.keys.models().find(({ publicId }) => publicId === this.model()),
  );
  /** The kind that the chosen model makes; undefined if it talks, or without a key. */
  protected readonly mediaKind = computed(() => {
    const model = this.#pricedModel();
    return model === undefined || this.keyless() ? undefined : mediaKindOf(model);
  });
  /** Prices that are not for tokens. */
  protected readonly unitPrices = computed(() => {
    const extra = this.keys.pricesOf(this.model())?.extra ?? {};
    return BASIS_METER_IDS.flatMap((id) => {
      const usd = extra[id];
      return usd === undefined ? [] : [{ label: meterLabel(this.t, id), usd }];
    });
  });
  readonly #protocols = computed(() => talkProtocols(this.#pricedModel()?.protocols ?? []));
  /** The one that was chosen, where the model can be spoken to in it. */
  protected readonly protocol = computed((): TalkProtocol => {
    const chosen = this.talk.protocol();
    const possible = this.#protocols();
    return possible.includes(chosen) ? chosen : (possible[0] ?? 'openai-chat');
  });
  protected readonly keyless = computed(
    () => this.keys.keys.value()?.length === 0 && !this.keys.given(),
  );
  protected readonly ready = computed(
    () =>
      this.draft().trim() !== '' &&
      this.model() !== '' &&
      this.keys.given() &&
      this.site.settings() !== undefined,
  );
  /** The bill once there is one, a forecast until then. */
  protected readonly cost = computed(() => {
    const record = this.bill.record();
    if (record !== undefined) return { usd: record.costUsd, exact: true };
    const prices = this.keys.pricesOf(this.model());
    const { inputTokens: input, outputTokens: output } = this.chat.figures();
    if (prices === undefined || this.chat.state() === 'idle' || !this.chat.billable()) {
      return undefined;
    }
    return { usd: runningCost({ input, output }, prices), exact: false };
  });
  protected readonly tokensPerSecond = computed(() => {
    const { outputTokens, elapsedMs, firstTokenMs } = this.chat.figures();
    const streamingMs = elapsedMs - (firstTokenMs ?? elapsedMs);
    return streamingMs < 200 ? undefined : Math.round((outputTokens * 1_000) / streamingMs);
  });

  constructor() {
    this.keys.memberId.set(this.#session.membership()?.memberId);
    effect(() => {
      const wanted = this.key();
      untracked(() => void this.keys.load(wanted));
    });
    this.keys.keyId.set(this.talk.keyId());
    effect(() => this.talk.keyId.set(this.keys.keyId()));
    // A model that the key cannot use must not stay chosen.
    effect(() => {
      const models = this.keys.models();
      const wanted = this.site.settings()?.defaultModel;
      const chosen = untracked(() => this.model());
      // Before all of it is there, the one that was left here would be lost.
      if (this.keys.pricing.waiting() || this.keys.keys.waiting() || wanted === undefined) return;
      if (models.some(({ publicId }) => publicId === chosen)) return;
      const groupId = this.keys.key()?.groupId;
      this.model.set(presetModel(models, { wanted, groupId })?.publicId ?? '');
    });
    afterRenderEffect(() => {
      this.chat.messages();
      this.chat.state();
      const log = this.log()?.nativeElement;
      if (log !== undefined && this.#following) log.scrollTop = log.scrollHeight;
    });
  }

  protected onScroll(event: Event): void {
    if (!(event.target instanceof HTMLElement)) return;
    const { scrollHeight, scrollTop, clientHeight } = event.target;
    this.#following = scrollHeight - scrollTop - clientHeight < FOLLOWING_PX;
  }

  protected chooseProtocol(value: string): void {
    const chosen = this.#protocols().find((protocol) => protocol === value);
    this.talk.protocol.set(chosen ?? 'openai-chat');
  }

  protected async send(): Promise<void> {
    const site = this.site.settings();
    if (!this.ready() || site === undefined || this.chat.running()) return;
    this.settings.group.markAllAsTouched();
    if (!this.settings.group.valid) return;
    const key = await this.#keyValue();
    if (key === undefined) return;
    const text = this.draft().trim();
    this.draft.set('');
    this.bill.clear();
    this.#following = true;
    await this.chat.send(text, {
      gatewayUrl: site.gatewayUrl,
      key,
      model: this.model(),
      system: this.settings.system(),
      protocol: this.protocol(),
      parameters: this.settings.parameters(),
      modelOutputTokensMax: this.#pricedModel()?.outputTokensMax ?? OUTPUT_TOKENS_UNKNOWN,
    });
    await this.#settle();
  }

  async #keyValue(): Promise<string | undefined> {
    try {
      this.keyFailure.set(undefined);
      return await this.keys.value();
    } catch (thrown) {
      this.keyFailure.set(failureOf(thrown));
      return undefined;
    }
  }

  /** The bill replaces the forecast, and the balance in the margin follows. */
  async #settle(): Promise<void> {
    const { requestId } = this.chat.figures();
    if (requestId !== null && this.chat.billable()) {
      const record = await this.bill.await(requestId);
      if (record !== undefined) this.chat.noteBilled(requestId, record.tokens);
    }
    void this.#account.load();
  }

  protected onEnter(event: Event): void {
    if (!(event instanceof KeyboardEvent) || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void this.send();
  }

  protected type(event: Event): void {
    if (event.target instanceof HTMLTextAreaElement) this.draft.set(event.target.value);
  }

  protected typeKey(event: Event): void {
    if (event.target instanceof HTMLInputElement) this.keys.typed.set(event.target.value);
  }

  protected clear(): void {
    this.talk.clear();
    this.keyFailure.set(undefined);
  }
}
