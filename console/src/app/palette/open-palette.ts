import type { Injector } from '@angular/core';
import { MatDialog } from '@angular/material/dialog';
import { I18n } from '../core/i18n/i18n';
import { Palette } from './palette';

const PALETTE_ID = 'weir-palette';

/** Opens the palette, unless it is open. */
export function openPalette(injector: Injector): void {
  const dialogs = injector.get(MatDialog);
  if (dialogs.getDialogById(PALETTE_ID) !== undefined) return;
  dialogs.open(Palette, {
    id: PALETTE_ID,
    position: { top: 'min(6rem, 8dvh)' },
    width: 'min(36rem, calc(100vw - 2rem))',
    panelClass: 'weir-palette',
    ariaLabel: injector.get(I18n).t('palette.title'),
  });
}
