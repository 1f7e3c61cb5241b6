import { Component, computed, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import type { RequestRow } from '../requests-state';
import { placeOf, waterfallOf, type Span } from './waterfall';

/** Marks of the axis, as parts of it. */
const MARKS = [0, 0.25, 0.5, 0.75, 1];

/**
 * The steps of a request on one time axis. The bars are for people who see; each row says the same
 * in words.
 */
@Component({
  selector: 'weir-request-waterfall',
  imports: [RouterLink],
  template: `
    <ol class="spans">
      @for (span of spans(); track $index) {
        <li class="span" [attr.data-kind]="span.kind">
          <span class="name">
            @if (span.channelId) {
              <a [routerLink]="['/admin/channels', span.channelId]">{{ span.name }}</a>
            } @else {
              {{ span.name }}
            }
          </span>
          <span class="track" aria-hidden="true">
            <i class="bar" [style.left.%]="span.left" [style.width.%]="span.width"></i>
          </span>
          <span class="time numeric">{{ span.time }}</span>
        </li>
      }
    </ol>
    <div class="axis numeric small soft" aria-hidden="true">
      @for (mark of marks(); track $index) {
        <span>{{ mark }}</span>
      }
    </div>
  `,
  styles: `
    :host {
      --name: clamp(7rem, 20%, 11rem);
      --time: 5.5rem;
      display: block;
    }

    .spans {
      display: grid;
      gap: var(--weir-gap-2);
      margin: 0;
      padding: 0;
      list-style: none;
    }

    .span {
      display: grid;
      grid-template-columns: var(--name) 1fr var(--time);
      align-items: center;
      column-gap: var(--weir-gap-3);
    }

    .name {
      min-width: 0;
      overflow-wrap: anywhere;
    }

    .time {
      text-align: end;
    }

    .track {
      position: relative;
      height: 1.125rem;
      border-radius: var(--weir-radius-s, 4px);
      background: var(--weir-sunken);
    }

    .bar {
      position: absolute;
      inset-block: 0;
      min-width: 3px;
      border-radius: inherit;
      background: var(--weir-series-6);
    }

    /* Failing and waiting are told by their pattern as well, not by colour alone. */
    [data-kind='failed'] .bar {
      background: repeating-linear-gradient(
        135deg,
        var(--weir-bad) 0 6px,
        var(--weir-bad-soft) 6px 9px
      );
    }

    [data-kind='failed'] .name {
      font-weight: 600;
    }

    [data-kind='upstream'] .bar {
      background: var(--weir-brand-soft);
      border: 1px dashed var(--weir-brand);
    }

    [data-kind='reply'] .bar {
      background: var(--weir-brand);
    }

    .axis {
      display: flex;
      justify-content: space-between;
      margin-block-start: var(--weir-gap-2);
      margin-inline: calc(var(--name) + var(--weir-gap-3)) calc(var(--time) + var(--weir-gap-3));
      white-space: nowrap;
    }

    @media (width < 720px) {
      .span {
        grid-template-columns: 1fr auto;
      }

      .track {
        grid-row: 2;
        grid-column: 1 / -1;
      }

      .axis {
        margin-inline: 0;
      }

      .axis span:nth-child(even) {
        display: none;
      }
    }
  `,
})
export class RequestWaterfall {
  readonly #formatter = inject(Formatter);
  protected readonly t = inject(I18n).t;
  readonly request = input.required<RequestRow>();

  readonly #waterfall = computed(() => waterfallOf(this.request()));
  protected readonly marks = computed(() =>
    MARKS.map((part) => this.#formatter.duration(Math.round(part * this.#waterfall().totalMs))),
  );
  protected readonly spans = computed(() => {
    const { spans, totalMs } = this.#waterfall();
    return spans.map((span) => ({
      ...span,
      ...placeOf(span, totalMs),
      name: this.#nameOf(span),
      channelId: this.#channelOf(span),
      time: this.#formatter.duration(Math.max(0, span.toMs - span.fromMs)),
    }));
  });

  #nameOf({ kind, attempt }: Span): string {
    if (attempt !== null) return attempt.channelName ?? attempt.channelId;
    if (kind === 'upstream') return this.request().channelName ?? this.t('requests.span.upstream');
    return this.t(`requests.span.${kind === 'failed' ? 'upstream' : kind}`);
  }

  #channelOf({ kind, attempt }: Span): string | null {
    if (attempt !== null) return attempt.channelId;
    return kind === 'upstream' ? (this.request().channelId ?? null) : null;
  }
}
