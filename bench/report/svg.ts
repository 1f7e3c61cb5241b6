/** The few shapes that plots are made of, as SVG text. Coordinates are pixels. */

export const INK = '#1f2937';
export const GRID = '#d1d5db';
export const COLOURS: readonly string[] = ['#0f766e', '#b45309', '#4338ca', '#be123c'];

const FONT = 'font-family="system-ui, sans-serif" font-size="12"';

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export interface TextOptions {
  readonly x: number;
  readonly y: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly colour?: string;
}

export function text(
  content: string,
  { x, y, anchor = 'start', colour = INK }: TextOptions,
): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour}" ${FONT}>${escapeText(content)}</text>`;
}

export interface LineOptions {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly colour?: string;
  readonly dashed?: boolean;
}

export function line({ from, to, colour = GRID, dashed = false }: LineOptions): string {
  const dash = dashed ? ' stroke-dasharray="4 3"' : '';
  return `<line x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}" stroke="${colour}"${dash}/>`;
}

export function document(width: number, height: number, shapes: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...shapes,
    '</svg>',
    '',
  ].join('\n');
}
