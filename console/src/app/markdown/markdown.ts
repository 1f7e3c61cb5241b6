import { Component, computed, DOCUMENT, inject, input, signal } from '@angular/core';
import { untilIdle } from '../core/state/until-idle';
import { CodeBlock } from '../design/code/code-block';
import type { Block } from './read-blocks';

/**
 * Loaded behind the page that shows the first text: it can be read as it is, and a first visit must
 * stay small.
 */
const reader = signal<((markdown: string) => Block[]) | undefined>(undefined);

async function loadReader(document: Document): Promise<void> {
  await untilIdle(document);
  const { readBlocks } = await import('./read-blocks');
  reader.set(readBlocks);
}

/**
 * A text in Markdown, by the operator or a model. Angular sanitises what is bound to `innerHTML`.
 * Until the library is there, or if it cannot be loaded, the text is shown as it is.
 */
@Component({
  selector: 'weir-markdown',
  imports: [CodeBlock],
  template: `
    @if (blocks(); as blocks) {
      @for (block of blocks; track $index) {
        @if (block.kind === 'code') {
          <weir-code-block [code]="block.code" [label]="block.language" />
        } @else {
          <!-- A wide table can be scrolled with the keyboard. -->
          <div
            class="prose"
            [attr.tabindex]="block.html.includes('<table') ? 0 : null"
            [innerHTML]="block.html"
          ></div>
        }
      }
    } @else {
      <div class="plain">{{ text() }}</div>
    }
  `,
  styleUrl: './markdown.scss',
})
export class Markdown {
  readonly text = input.required<string>();
  protected readonly blocks = computed(() => reader()?.(this.text()));

  constructor() {
    if (reader() === undefined) void loadReader(inject(DOCUMENT)).catch(() => undefined);
  }
}
