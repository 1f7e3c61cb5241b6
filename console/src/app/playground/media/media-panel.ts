import { Component, computed, inject, input, type OnDestroy, signal } from '@angular/core';
import { Api } from '../../core/api/api';
import { failureOf, type Failure } from '../../core/api/api-failure';
import { I18n } from '../../core/i18n/i18n';
import { OwnAccount } from '../../core/session/own-account';
import { Site } from '../../core/session/site';
import { CreditHelp } from '../../billing/credit-help';
import { Filter } from '../../design/field/filter';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { SendButton } from '../send-button';
import { Bill } from '../../usage/bill';
import type { PlaygroundKey } from '../playground-key';
import { ReplyBill } from '../reply-bill';
import type { MediaKind } from './media-kind';
import { mediaRequest } from './media-request';
import { MediaRun } from './media-run';

/** Voices that all of OpenAI's speech models have, and servers with its paths. */
const VOICES = ['alloy', 'ash', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer'];
const SIZES = ['1024x1024', '1536x1024', '1024x1536'];
const QUALITIES = ['low', 'medium', 'high'];

const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

/** The playground of models that make images, speech or transcripts, with the bill. */
@Component({
  selector: 'weir-media-panel',
  imports: [Bill, CreditHelp, Filter, SendButton, PAGE_PARTS],
  templateUrl: './media-panel.html',
  styleUrl: './media-panel.scss',
})
export class MediaPanel implements OnDestroy {
  readonly #account = inject(OwnAccount);
  protected readonly t = inject(I18n).t;
  readonly #site = inject(Site);
  readonly kind = input.required<MediaKind>();
  readonly model = input.required<string>();
  readonly keys = input.required<PlaygroundKey>();
  protected readonly run = new MediaRun({
    fetch: (...request) => fetch(...request),
    addresses: URL,
  });
  protected readonly bill = new ReplyBill(inject(Api));
  protected readonly keyFailure = signal<Failure | undefined>(undefined);
  protected readonly text = signal('');
  protected readonly file = signal<File | undefined>(undefined);
  protected readonly voice = signal('alloy');
  protected readonly size = signal('');
  protected readonly quality = signal('');
  protected readonly voices = optionsOf(VOICES);
  protected readonly sizes = optionsOf(SIZES);
  protected readonly qualities = optionsOf(QUALITIES);
  protected readonly textLabel = computed(() =>
    this.t(this.kind() === 'speech' ? 'playground.speech.text' : 'playground.image.text'),
  );
  protected readonly ready = computed(() => {
    const isFilled =
      this.kind() === 'transcript' ? this.file() !== undefined : this.text().trim() !== '';
    return isFilled && this.keys().given() && this.#site.settings() !== undefined;
  });

  ngOnDestroy(): void {
    this.run.stop();
    this.run.clear();
    this.bill.clear();
  }

  protected async send(): Promise<void> {
    const site = this.#site.settings();
    if (!this.ready() || site === undefined || this.run.running()) return;
    const key = await this.#keyValue();
    if (key === undefined) return;
    this.bill.clear();
    const request = mediaRequest(this.kind(), {
      model: this.model(),
      text: this.text().trim(),
      file: this.file(),
      voice: this.voice(),
      size: this.size(),
      quality: this.quality(),
    });
    await this.run.send(this.kind(), request, { gatewayUrl: site.gatewayUrl, key });
    const requestId = this.run.requestId();
    if (requestId !== null && this.run.state() !== 'failed') await this.bill.await(requestId);
    void this.#account.load();
  }

  async #keyValue(): Promise<string | undefined> {
    try {
      this.keyFailure.set(undefined);
      return await this.keys().value();
    } catch (thrown) {
      this.keyFailure.set(failureOf(thrown));
      return undefined;
    }
  }

  protected type(event: Event): void {
    if (event.target instanceof HTMLTextAreaElement) this.text.set(event.target.value);
  }

  protected take({ files }: HTMLInputElement): void {
    this.file.set(files?.[0]);
  }
}
