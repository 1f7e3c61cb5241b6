import { Component, computed, inject, input } from '@angular/core';
import type { ContentView } from '@weir/shared/watch/content-log';
import { Api } from '../core/api/api';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { Loadable } from '../core/state/loadable';
import { CodeBlock } from '../design/code/code-block';
import { PAGE_PARTS } from '../design/page/page-parts';
import { promptOf, replyOf, type Passage } from './conversation';

/**
 * The prompt and the reply of one request, where they are kept. Nothing is asked for before the
 * button is pressed: looks of operators are written into the account's audit log.
 */
@Component({
  selector: 'weir-request-content',
  imports: [CodeBlock, PAGE_PARTS],
  template: `
    <section class="card stack" data-testid="content">
      <h2>{{ t('content.title') }}</h2>
      @if (content.value(); as view) {
        @if (view.outcome !== 'kept') {
          <weir-note>{{
            t(view.outcome === 'queue_full' ? 'content.queueFull' : 'content.quota')
          }}</weir-note>
        }
        @if (view.cutAtBytes; as bytes) {
          <weir-note>{{ t('content.cut', { size: formatter.number(bytes) }) }}</weir-note>
        }
        @for (passage of passages(); track $index) {
          <div class="stack-tight">
            <h3>{{ passage.role }}</h3>
            <p class="words">{{ passage.text }}</p>
          </div>
        }
        @if (view.request; as request) {
          <details>
            <summary>{{ t('content.rawRequest') }}</summary>
            <weir-code-block [code]="request.text" />
          </details>
        }
        @if (view.reply; as reply) {
          <details>
            <summary>{{ t('content.rawReply') }}</summary>
            <weir-code-block [code]="reply.text" />
          </details>
        }
        <p class="small soft">
          {{ t('content.keptUntil') }} <weir-time [at]="view.keptUntil" as="moment" />
        </p>
      } @else {
        @if (content.failure(); as failure) {
          <weir-failure-note [failure]="failure" />
        }
        <p class="small soft">{{ t(isOperator() ? 'content.operatorHint' : 'content.hint') }}</p>
        <div>
          <button
            matButton="outlined"
            type="button"
            data-testid="show-content"
            [disabled]="content.loading()"
            (click)="content.load()"
          >
            {{ t('content.show') }}
          </button>
        </div>
      }
    </section>
  `,
  styles: `
    .words {
      overflow-wrap: anywhere;
      white-space: pre-wrap;
    }
  `,
})
export class RequestContent {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  readonly requestId = input.required<string>();
  readonly isOperator = input.required<boolean>();

  protected readonly content = new Loadable<ContentView>(() => {
    const params = { requestId: this.requestId() };
    return this.isOperator()
      ? this.#api.call('getContent', { params })
      : this.#api.call('getOwnContent', { params });
  });

  protected readonly passages = computed((): readonly Passage[] => {
    const view = this.content.value();
    if (view?.request == null || view.reply === null) return [];
    const reply = replyOf(view.reply.text);
    return [
      ...(promptOf(view.request.text) ?? []),
      ...(reply === undefined ? [] : [{ role: this.t('content.reply'), text: reply }]),
    ];
  });
}
