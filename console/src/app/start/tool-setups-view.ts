import { Component, computed, inject, input, signal } from '@angular/core';
import { I18n } from '../core/i18n/i18n';
import { Site } from '../core/session/site';
import { CodeBlock } from '../design/code/code-block';
import { CopyButton } from '../design/code/copy-button';
import { FailureNote } from '../design/feedback/failure-note';
import { Skeleton } from '../design/feedback/skeleton';
import { Pills } from '../design/field/pills';
import type { SetupPart, ToolId } from './tool-setup';
import { toolSetups } from './tool-setups';

const KEY_PLACEHOLDER = 'sk-…';
const MODEL_PLACEHOLDER = 'model-id';

/** Choose your tool, copy its settings. */
@Component({
  selector: 'weir-tool-setups',
  imports: [CodeBlock, CopyButton, FailureNote, Pills, Skeleton],
  template: `
    @if (site.failure(); as failure) {
      <weir-failure-note [failure]="failure" [retryable]="true" (retry)="site.reload()" />
    }
    @if (setup(); as setup) {
      <weir-pills [label]="t('tools.choose')" [options]="options()" [(value)]="chosen" />
      @for (part of setup.parts; track $index) {
        @if (part.kind === 'code') {
          <weir-code-block [label]="labelOf(part)" [code]="part.code" />
        }
      }
      @if (boxes().length > 0) {
        <dl class="boxes">
          @for (box of boxes(); track box.name) {
            <div>
              <dt class="small soft">{{ box.name }}</dt>
              <dd>
                <code>{{ box.value }}</code>
                <weir-copy-button [text]="box.value" [what]="box.name" />
              </dd>
            </div>
          }
        </dl>
      }
      @if (setup.remark; as remark) {
        <p class="small soft">{{ t(remark) }}</p>
      }
    } @else if (site.failure() === undefined) {
      <weir-skeleton height="9rem" />
    }
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      gap: var(--weir-gap-4);
      min-width: 0;
    }

    .boxes {
      border: 1px solid var(--weir-line);
      border-radius: var(--weir-radius-m);
    }

    .boxes > div {
      padding: var(--weir-gap-2) var(--weir-gap-4);
    }

    .boxes > div + div {
      border-top: 1px solid var(--weir-line);
    }

    .boxes dd {
      display: flex;
      align-items: center;
      justify-content: space-between;
      gap: var(--weir-gap-2);
    }
  `,
})
export class ToolSetups {
  protected readonly t = inject(I18n).t;
  protected readonly site = inject(Site);
  protected readonly chosen = signal<ToolId>('curl');

  /** The key's value when it is known; a placeholder stands in for it otherwise. */
  readonly keyValue = input<string>();
  readonly model = input<string>();

  /**
   * None before the gateway's address is known: settings without it would be copied and fail
   * elsewhere.
   */
  protected readonly setups = computed(() => {
    const site = this.site.settings();
    if (site === undefined) return [];
    return toolSetups({
      gatewayUrl: site.gatewayUrl,
      key: this.keyValue() ?? KEY_PLACEHOLDER,
      model: this.model() ?? MODEL_PLACEHOLDER,
    });
  });
  protected readonly options = computed(() =>
    this.setups().map(({ id, name }) => ({ value: id, label: name })),
  );
  protected readonly setup = computed(() => this.setups().find(({ id }) => id === this.chosen()));
  protected readonly boxes = computed(() =>
    (this.setup()?.parts ?? []).filter((part) => part.kind === 'box'),
  );

  protected labelOf(part: Extract<SetupPart, { kind: 'code' }>): string {
    return typeof part.label === 'string' ? this.t(part.label) : part.label.file;
  }
}
