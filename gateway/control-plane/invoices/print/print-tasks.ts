import { readFileSync } from 'node:fs';
import { create, type Font } from 'fontkit';
import type { IssuedInvoice } from '../invoice-document.ts';
import { drawInvoice } from './draw-invoice.ts';

/** Read once per thread. See font/README.md for what it contains and where it comes from. */
const fontBytes = readFileSync(new URL('./font/documents.ttf', import.meta.url));
let font: Font | undefined;

export function printInvoice(invoice: IssuedInvoice): Promise<Uint8Array> {
  return drawInvoice(invoice, fontBytes);
}

export function unprintable(text: string): string {
  font ??= create(fontBytes) as Font;
  const known = font;
  const missing = [...new Set(text)].filter(
    (character) => character !== '\n' && !known.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
  );
  return missing.join(' ');
}
