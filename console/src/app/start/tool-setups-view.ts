import { Component, computed, inject, input, signal } from '@angular/core';
import { I18n } from '../core/i18n/i18n';
import { Site } from '../core/session/site';
import { CodeBlock } from '../design/code/code-block';
import { CopyButton } from '../design/code/copy-button';
import { Note } from '../design/feedback/note';
import { Pills } from '../design/field/pills';
import type { SetupPart, ToolId } from './tool-setup';
import { SERVED_PROTOCOLS, toolSetups } from './tool-setups';

const KEY_PLACEHOLDER = 'sk-…';
const MODEL_PLACEHOLDER = 'model-id';

/** Choose your tool, copy its settings. */
@Component({
  selector: 'weir-tool-setups',
  imports: [CodeBlock, CopyButton, Note, Pills],
  template: `
    <weir-pills [label]="t('tools.choose')" [options]="options()" [(value)]="chosen" />
    @if (setup(); as setup) {
      @if (!served()) {
        <weir-note tone="warn">{{ t('tools.notServed', { tool: setup.name }) }}</weir-note>
      }
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
  readonly #site = inject(Site);
  protected readonly t = inject(I18n).t;
  protected readonly chosen = signal<ToolId>('curl');

  /** The key's value when it is known; a placeholder stands in for it otherwise. */
  readonly keyValue = input<string>();
  readonly model = input<string>();

  protected readonly setups = computed(() =>
    toolSetups({
      gatewayUrl: this.#site.settings()?.gatewayUrl ?? '',
      key: this.keyValue() ?? KEY_PLACEHOLDER,
      model: this.model() ?? MODEL_PLACEHOLDER,
    }),
  );
  protected readonly options = computed(() =>
    this.setups().map(({ id, name }) => ({ value: id, label: name })),
  );
  protected readonly setup = computed(() => this.setups().find(({ id }) => id === this.chosen()));
  protected readonly served = computed(() => {
    const setup = this.setup();
    return setup === undefined || SERVED_PROTOCOLS.includes(setup.protocol);
  });
  protected readonly boxes = computed(() =>
    (this.setup()?.parts ?? []).filter((part) => part.kind === 'box'),
  );

  protected labelOf(part: Extract<SetupPart, { kind: 'code' }>): string {
    return typeof part.label === 'string' ? this.t(part.label) : part.label.file;
  }
}
