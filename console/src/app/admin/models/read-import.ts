import { ModelImport } from '@weir/shared/models';
import { Check, Errors } from 'typebox/value';

type Models = ModelImport['models'];

export type ReadImport =
  | { readonly kind: 'models'; readonly models: Models }
  | { readonly kind: 'wrong'; readonly where: string; readonly why: string };

const COLUMNS = [
  'publicId',
  'contextTokensMax',
  'outputTokensMax',
  'inputUsd',
  'outputUsd',
  'cachedInputUsd',
  'cacheWriteUsd',
  'perCallUsd',
] as const;

/** A line of the table as an object of the API; empty cells are left out. */
function fromCells(cells: readonly string[], header: readonly string[]): unknown {
  const cell = (name: string): string | undefined => {
    const value = cells[header.indexOf(name)]?.trim();
    return value === '' ? undefined : value;
  };
  const prices = Object.fromEntries(
    COLUMNS.filter((name) => name.endsWith('Usd')).flatMap((name) => {
      const value = cell(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return {
    publicId: cell('publicId') ?? '',
    contextTokensMax: Number(cell('contextTokensMax')),
    outputTokensMax: Number(cell('outputTokensMax')),
    ...(Object.keys(prices).length === 0 ? {} : { prices }),
  };
}

function fromTable(text: string): unknown {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.split(/[,\t;]/).map((cell) => cell.trim()))
    .filter((cells) => cells.some((cell) => cell !== ''));
  const [first = []] = lines;
  const hasHeader = first.includes('publicId');
  const header = hasHeader ? first : COLUMNS;
  return lines.slice(hasHeader ? 1 : 0).map((cells) => fromCells(cells, header));
}

function fromJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed === 'object' && parsed !== null && 'models' in parsed) return parsed.models;
  return parsed;
}

/**
 * Reads pasted models: JSON as the API takes it, or a table with a line each. What is wrong is named with
 * its place, before anything is sent.
 */
export function readImport(text: string): ReadImport {
  let models: unknown;
  try {
    models = /^\s*[[{]/.test(text) ? fromJson(text) : fromTable(text);
  } catch (thrown) {
    return { kind: 'wrong', where: 'JSON', why: thrown instanceof Error ? thrown.message : '' };
  }
  const body: unknown = { models };
  if (Check(ModelImport, body)) return { kind: 'models', models: body.models };
  const [first] = Errors(ModelImport, body);
  return { kind: 'wrong', where: first?.instancePath ?? '', why: first?.message ?? '' };
}
