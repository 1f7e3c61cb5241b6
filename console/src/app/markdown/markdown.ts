import { Component, computed, input, signal } from '@angular/core';
import { CodeBlock } from '../design/code/code-block';
import type { Block } from './read-blocks';

/** Loaded with the first text: pages without one stay small. */
const reader = signal<((markdown: string) => Block[]) | undefined>(undefined);
const failed = signal(false);

async function loadReader(): Promise<void> {
  try {
    const { readBlocks } = await import('./read-blocks');
    reader.set(readBlocks);
  } catch {
    failed.set(true);
  }
}

/** Characters that mean something in Markdown, or the beginning of a list. */
const MARKS = /[*_`#>[\]|~<]|^\s*(?:[-+]|\d+[.)])\s/m;

/**
 * A text in Markdown, by the operator or a model. Angular sanitises what is bound to `innerHTML`.
 * Until the library is there a text with marks keeps its place and is not shown: raw marks would
 * flash. If the library cannot be loaded, the text is shown as it is.
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
      <div class="plain" [class.unread]="waits()">{{ text() }}</div>
    }
  `,
  styleUrl: './markdown.scss',
})
export class Markdown {
  readonly text = input.required<string>();
  protected readonly blocks = computed(() => reader()?.(this.text()));

  protected readonly waits = computed(() => !failed() && MARKS.test(this.text()));

  constructor() {
    if (reader() === undefined) void loadReader();
  }
}
