import { afterNextRender, Directive, ElementRef, inject } from '@angular/core';

/**
 * Scrolls to what appears after a click: on a phone it may be below the fold of a dialog, where it
 * is not seen.
 */
@Directive({ selector: '[weirIntoView]' })
export class IntoView {
  constructor() {
    const { nativeElement } = inject<ElementRef<HTMLElement>>(ElementRef);
    afterNextRender(() => nativeElement.scrollIntoView({ block: 'nearest' }));
  }
}
