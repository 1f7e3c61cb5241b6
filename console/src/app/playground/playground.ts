import {
  Component,
  computed,
  DestroyRef,
  effect,
  type ElementRef,
  inject,
  input,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { MatButton } from '@angular/material/button';
import { RouterLink } from '@angular/router';
import { Api } from '../core/api/api';
import { failureOf, type Failure } from '../core/api/api-failure';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { OwnAccount } from '../core/session/own-account';
import { Site } from '../core/session/site';
import { EmptyState } from '../design/feedback/empty-state';
import { FailureNote } from '../design/feedback/failure-note';
import { Note } from '../design/feedback/note';
import { Field } from '../design/field/field';
import { Filter } from '../design/field/filter';
import { TextArea } from '../design/field/text-area';
import { Icon } from '../design/icon/icon';
import { Page } from '../design/page/page';
import { Money } from '../design/text/money';
import { FreshKeys } from '../keys/fresh-keys';
import { TemporaryKeys } from '../keys/temporary-keys';
import { Chat } from './chat';
import { ChatSettings } from './chat-settings';
import { PlaygroundKey } from './playground-key';
import { ReplyBill } from './reply-bill';
import { runningCost } from './running-cost';

@Component({
  selector: 'weir-playground',
  imports: [
    EmptyState,
    FailureNote,
    Field,
    Filter,
    Icon,
    MatButton,
    Money,
    Note,
    Page,
    RouterLink,
    TextArea,
  ],
  templateUrl: './playground.html',
  styleUrl: './playground.scss',
})
export class Playground {
  readonly #account = inject(OwnAccount);
  protected readonly log = viewChild<ElementRef<HTMLElement>>('log');
  protected readonly t = inject(I18n).t;
  protected readonly site = inject(Site);
  protected readonly formatter = inject(Formatter);
  protected readonly chat = new Chat({
    fetch: (...request) => fetch(...request),
    now: () => performance.now(),
  });
  protected readonly bill = new ReplyBill(inject(Api));
  protected readonly keys = new PlaygroundKey(
    inject(Api),
    inject(FreshKeys),
    inject(TemporaryKeys),
  );
  protected readonly settings = new ChatSettings();
  protected readonly model = signal('');
  protected readonly draft = signal('');
  protected readonly keyFailure = signal<Failure | undefined>(undefined);

  /** Query parameter: the key to begin with. */
  readonly key = input<string>();

  protected readonly keyOptions = computed(() =>
    (this.keys.keys.value() ?? []).map(({ id, name, groupName }) => ({
      value: id,
      label: `${name} · ${groupName}`,
    })),
  );
  protected readonly modelOptions = computed(() =>
    this.keys.models().map(({ publicId }) => ({ value: publicId, label: publicId })),
  );
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
    effect(() => {
      const wanted = this.key();
      untracked(() => void this.keys.load(wanted));
    });
    // A model that the key cannot use must not stay chosen.
    effect(() => {
      const models = this.keys.models();
      const chosen = untracked(() => this.model());
      if (models.some(({ publicId }) => publicId === chosen)) return;
      this.model.set(models[0]?.publicId ?? '');
    });
    effect(() => {
      this.chat.messages();
      const log = this.log()?.nativeElement;
      if (log !== undefined) log.scrollTop = log.scrollHeight;
    });
    inject(DestroyRef).onDestroy(() => this.chat.stop());
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
    await this.chat.send(text, {
      gatewayUrl: site.gatewayUrl,
      key,
      model: this.model(),
      system: this.settings.system(),
      parameters: this.settings.body(),
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
    if (requestId !== null && this.chat.billable()) await this.bill.await(requestId);
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
    this.chat.clear();
    this.bill.clear();
  }
}
