import {
  Component,
  computed,
  contentChildren,
  effect,
  inject,
  input,
  output,
  signal,
  untracked,
} from '@angular/core';
import { uuidIn } from '@weir/shared/request-ids';
import { Formatter } from '../core/format/formatter';
import { I18n, optionsOf, type PlainKey } from '../core/i18n/i18n';
import { Address } from '../core/state/address';
import { Dialogs } from '../design/dialog/dialogs';
import { Toasts } from '../design/feedback/toasts';
import { TABLE_PAGE } from '../design/page/page-parts';
import type { SubLink } from '../design/page/sub-nav';
import { Cell } from '../design/table/cell';
import type { Column } from '../design/table/column';
import { modelOptions } from '../usage/model-options';
import { OUTCOMES, REQUEST_CODES, REQUEST_RANGES } from './request-filters';
import { RequestDialog } from './request-dialog';
import { requestTone } from './request-words';
import type { RequestRow, RequestsState } from './requests-state';

/** Requests, also those that were refused or failed: what they are narrowed by is projected. */
@Component({
  selector: 'weir-request-log',
  imports: [TABLE_PAGE],
  templateUrl: './request-log.html',
  styles: `
    .outcome {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0 var(--weir-gap-2);
    }
  `,
})
export class RequestLog {
  readonly #address = inject(Address);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly toneOf = requestTone;
  protected readonly sought = signal('');
  /** Ids are only found whole. */
  protected readonly isPart = computed(
    () => this.sought() !== '' && uuidIn(this.sought()) === undefined,
  );
  readonly heading = input.required<PlainKey>();
  readonly intro = input.required<PlainKey>();
  /** The request log and the bills: two views of what was asked. */
  readonly links = input.required<readonly SubLink[]>();
  readonly columns = input.required<readonly Column[]>();
  protected readonly cells = contentChildren<Cell<RequestRow>>(Cell);
  readonly state = input.required<RequestsState>();
  /** A request to open, by its id. */
  readonly request = input<string>();
  readonly code = output<string>();
  readonly cleared = output();

  protected readonly filters = computed(() => this.state().filters);
  protected readonly codes = REQUEST_CODES.map((value) => ({ value, label: value }));
  protected readonly ranges = optionsOf(REQUEST_RANGES, (range) => `requests.range.${range}`);
  protected readonly outcomes = optionsOf(OUTCOMES, (outcome) => `requests.outcome.${outcome}`);
  protected readonly models = modelOptions();

  constructor() {
    effect(() => {
      this.filters().query();
      untracked(() => void this.state().list.load());
    });
    effect(() => {
      const requestId = uuidIn(this.request() ?? this.sought());
      if (requestId !== undefined) untracked(() => void this.#openById(requestId));
    });
  }

  protected refresh(): void {
    void this.state().list.load();
  }

  protected async show(request: RequestRow): Promise<void> {
    await this.#dialogs.open(RequestDialog, { data: request, wide: true });
  }

  async #openById(requestId: string): Promise<void> {
    await this.#toasts.reporting(async () => this.show(await this.state().fetch(requestId)));
    await this.#address.forget('request');
    this.sought.set('');
  }
}
