import { afterRenderEffect, Directive, ElementRef, inject, input, output } from '@angular/core';

/** Distance from the view, in pixels. */
const NEAR_PX = 600;

/**
 * Reports that the end of a list comes near the view, so that more rows are there before they are
 * seen. Observed again after each change of `weirNear`: an observer reports changes only, and an
 * end that was in view and still is would be waited for in vain.
 */
@Directive({ selector: '[weirNear]' })
export class Near {
  /** Any value that changes when the list has more rows. */
  readonly weirNear = input.required<unknown>();
  readonly near = output();

  constructor() {
    const host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
    afterRenderEffect((onCleanup) => {
      this.weirNear();
      const observer = new IntersectionObserver(
        (entries) => {
          // A busy page gets several changes at once; the last one holds.
          if (entries.at(-1)?.isIntersecting === true) this.near.emit();
        },
        { rootMargin: `${String(NEAR_PX)}px` },
      );
      observer.observe(host);
      onCleanup(() => observer.disconnect());
    });
  }
}
