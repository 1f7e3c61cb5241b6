import { METER_IDS, TOKEN_METER_IDS } from '@weir/shared/prices/meters';
import { ModelImport } from '@weir/shared/catalog/models';
import { Check, Errors } from 'typebox/schema';

type Models = ModelImport['models'];
type Names = readonly string[];

export type ReadImport =
  | { readonly kind: 'models'; readonly models: Models }
  | { readonly kind: 'wrong'; readonly where: string; readonly why: string }
  /**
   * A first line of names that lacks columns no model can be without; those it has instead are most
   * likely meant.
   */
  | { readonly kind: 'header'; readonly missing: Names; readonly unknown: Names }
  /**
   * A comma in a number, though cells have another mark between them: decimals or thousands, nobody
   * can know.
   */
  | { readonly kind: 'comma'; readonly line: number; readonly value: string }
  /**
   * More cells than columns: most likely a comma within a number was taken for one between cells.
   */
  | { readonly kind: 'cells'; readonly line: number; readonly most: number };

type Doubt = Extract<ReadImport, { readonly line: number }>;

const LONG_CONTEXT = 'longContext';

const COLUMNS: Names = [
  'publicId',
  'contextTokensMax',
  'outputTokensMax',
  'inputUsd',
  'outputUsd',
  'cachedInputUsd',
  'cacheWriteUsd',
  'perCallUsd',
  'longContextAboveTokens',
  'longContextInputUsd',
  'longContextOutputUsd',
  'longContextCachedInputUsd',
  'longContextCacheWriteUsd',
  ...METER_IDS.map((meter) => `${meter}Usd`),
  ...TOKEN_METER_IDS.map((meter) => longContextColumn(`${meter}Usd`)),
];

/** Every other column may be left out. */
const COLUMNS_NEEDED = COLUMNS.slice(0, 3);

function longContextColumn(name: string): string {
  return `${LONG_CONTEXT}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const PRICE_FIELDS = ['inputUsd', 'outputUsd', 'cachedInputUsd', 'cacheWriteUsd', 'perCallUsd'];

/** Returns the text in a column: null if the cell is empty, undefined if the line has none. */
type Cell = (name: string) => string | null | undefined;

/** An empty cell takes its price away, and where there is no column it stays, as in the API. */
function pricesFrom(cell: Cell): object {
  const extra = cellsOf(METER_IDS, (meter) => cell(`${meter}Usd`));
  const ofMeters = Object.keys(extra).length === 0 ? {} : { extra };
  return { ...cellsOf(PRICE_FIELDS, cell), ...ofMeters };
}

/** Those that the line has. */
function cellsOf(names: Names, cell: Cell): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = cell(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function isEmpty(values: object): boolean {
  return Object.values(values).every(
    (value: unknown) => value === null || (typeof value === 'object' && isEmpty(value)),
  );
}

/**
 * From columns named like the prices, `longContextInputUsd` and so on. Nothing is said about long
 * prompts where the line has none of these; where it has, and they are empty, they are to cost what
 * others do.
 */
function longContextFrom(cell: Cell): object | null | undefined {
  const aboveTokens = cell(`${LONG_CONTEXT}AboveTokens`);
  const longContext = {
    ...(aboveTokens === undefined ? {} : { aboveTokens: aboveTokens && Number(aboveTokens) }),
    ...pricesFrom((name) => cell(longContextColumn(name))),
  };
  if (Object.keys(longContext).length === 0) return undefined;
  return isEmpty(longContext) ? null : longContext;
}

/** The prices of a line; undefined where it has none. */
function allPricesFrom(cell: Cell): object | undefined {
  const longContext = longContextFrom(cell);
  const prices = {
    ...pricesFrom(cell),
    ...(longContext === undefined ? {} : { longContext }),
  };
  return isEmpty(prices) ? undefined : prices;
}

/** A line of the table as an object of the API. */
function fromCells(cells: readonly string[], header: readonly string[]): unknown {
  const cell: Cell = (name) => {
    const value = cells[header.indexOf(name)];
    return value === '' ? null : value;
  };
  const prices = allPricesFrom(cell);
  return {
    publicId: cell('publicId') ?? '',
    contextTokensMax: Number(cell('contextTokensMax') ?? NaN),
    outputTokensMax: Number(cell('outputTokensMax') ?? NaN),
    ...(prices === undefined ? {} : { prices }),
  };
}

interface Line {
  readonly line: number;
  readonly cells: readonly string[];
}

function linesOf(text: string, separator: string): Line[] {
  return text
    .split(/\r?\n/)
    .map((shown, index) => ({
      line: index + 1,
      cells: shown.split(separator).map((cell) => cell.trim()),
    }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
}

/**
 * The first line decides for all: if `;` or tabs separate cells, a comma is part of a
 * number.
 */
function separatorOf(text: string): string {
  const [first = ''] = text.trim().split('\n', 1);
  return ['\t', ';'].find((mark) => first.includes(mark)) ?? ',';
}

function isNumber(column: string | undefined): boolean {
  return column !== 'publicId' && COLUMNS.some((name) => name === column);
}

/** Names of columns have no digit, and the second cell of a model is a number. */
function isHeader(cells: readonly string[]): boolean {
  return cells.includes('publicId') || /^\D+$/.test(cells[1] ?? '');
}

function headerFault(header: readonly string[]): ReadImport | undefined {
  const missing = COLUMNS_NEEDED.filter((name) => !header.includes(name));
  if (missing.length === 0) return undefined;
  const unknown = header.filter((name) => name !== '' && !COLUMNS.some((known) => known === name));
  return { kind: 'header', missing, unknown };
}

function doubtsIn({ line, cells }: Line, header: readonly string[]): Doubt[] {
  if (cells.slice(header.length).some((cell) => cell !== '')) {
    return [{ kind: 'cells', line, most: header.length }];
  }
  return cells
    .filter((cell, index) => isNumber(header[index]) && cell.includes(','))
    .map((value) => ({ kind: 'comma', line, value }));
}

function judged(models: unknown): ReadImport {
  const body: unknown = { models };
  if (Check(ModelImport, body)) return { kind: 'models', models: body.models };
  const [, [first]] = Errors(ModelImport, body);
  return { kind: 'wrong', where: first?.instancePath ?? '', why: first?.message ?? '' };
}

function readTable(text: string): ReadImport {
  const lines = linesOf(text, separatorOf(text));
  const first = lines[0]?.cells ?? [];
  const hasHeader = isHeader(first);
  const rows = lines.slice(hasHeader ? 1 : 0);
  const most = Math.max(...rows.map(({ cells }) => cells.length));
  const header = hasHeader ? first : COLUMNS.slice(0, most);
  const fault = hasHeader ? headerFault(header) : undefined;
  if (fault !== undefined) return fault;
  const [doubt] = rows.flatMap((row) => doubtsIn(row, header));
  return doubt ?? judged(rows.map(({ cells }) => fromCells(cells, header)));
}

function readJson(text: string): ReadImport {
  try {
    const parsed: unknown = JSON.parse(text);
    const hasName = typeof parsed === 'object' && parsed !== null && 'models' in parsed;
    return judged(hasName ? parsed.models : parsed);
  } catch (thrown) {
    return { kind: 'wrong', where: 'JSON', why: thrown instanceof Error ? thrown.message : '' };
  }
}

/**
 * Reads pasted models: JSON as the API takes it, or a table with a line each. What is wrong is
 * named with its place, before anything is sent.
 */
export function readImport(text: string): ReadImport {
  return /^\s*[[{]/.test(text) ? readJson(text) : readTable(text);
}
