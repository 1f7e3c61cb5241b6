import {
  Component,
  computed,
  contentChildren,
  effect,
  inject,
  input,
  signal,
  untracked,
} from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import { uuidIn } from '@weir/shared/request-ids';
import { Formatter } from '../core/format/formatter';
import { I18n, optionsOf, type PlainKey } from '../core/i18n/i18n';
import { Address } from '../core/state/address';
import { TABLE_PAGE } from '../design/page/page-parts';
import type { SubLink } from '../design/page/sub-nav';
import { Cell } from '../design/table/cell';
import type { Column } from '../design/table/column';
import { LiveBar } from '../design/table/live-bar';
import { modelOptions } from '../usage/model-options';
import { OUTCOMES, REQUEST_CODES, REQUEST_PARAMETERS, REQUEST_RANGES } from './request-filters';
import { requestTone } from './request-words';
import type { RequestRow, RequestsState } from './requests-state';

/**
 * Requests, also those that were refused or failed. The address says what they are narrowed by;
 * further filters are projected.
 */
@Component({
  selector: 'weir-request-log',
  imports: [LiveBar, TABLE_PAGE],
  templateUrl: './request-log.html',
  styles: `
    .outcome {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0 var(--weir-gap-2);
    }

    .live {
      margin-inline-start: auto;
    }
  `,
})
export class RequestLog {
  readonly #router = inject(Router);
  readonly #parameters = toSignal(inject(ActivatedRoute).queryParamMap);
  protected readonly address = inject(Address);
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

  protected readonly filters = computed(() => this.state().filters);
  protected readonly codes = REQUEST_CODES.map((value) => ({ value, label: value }));
  protected readonly ranges = optionsOf(REQUEST_RANGES, (range) => `requests.range.${range}`);
  protected readonly outcomes = optionsOf(OUTCOMES, (outcome) => `requests.outcome.${outcome}`);
  protected readonly models = modelOptions();

  constructor() {
    effect(() => {
      const parameters = this.#parameters();
      const filters = this.filters();
      untracked(() => filters.read((name) => parameters?.get(name) ?? null));
    });
    effect(() => {
      this.filters().query();
      untracked(() => void this.state().list.load());
    });
    effect(() => {
      const requestId = uuidIn(this.sought());
      if (requestId !== undefined) void this.#router.navigate(['/requests', requestId]);
    });
  }

  protected clearPeriod(): void {
    this.#leaveOut(['from', 'to']);
  }

  protected clear(): void {
    this.#leaveOut(REQUEST_PARAMETERS.filter((name) => name !== 'range'));
  }

  #leaveOut(names: readonly string[]): void {
    void this.#router.navigate([], {
      queryParams: Object.fromEntries(names.map((name) => [name, null])),
      queryParamsHandling: 'merge',
    });
  }
}
