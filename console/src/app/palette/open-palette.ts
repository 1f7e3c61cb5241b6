import type { Injector } from '@angular/core';
export function openPalette(_injector: Injector): void {}
