import { describe, expect, test } from 'vitest';
import { readImport } from './read-import';

const HEADER = ['publicId', 'contextTokensMax', 'outputTokensMax', 'inputUsd', 'outputUsd'];
const ROW = ['m', '128000', '16384', '1.25', '10'];
const READ = {
  kind: 'models',
  models: [
    {
      publicId: 'm',
      contextTokensMax: 128_000,
      outputTokensMax: 16_384,
      prices: { inputUsd: '1.25', outputUsd: '10' },
    },
  ],
};

function table(separator: string, ...rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.join(separator)).join('\n');
}

describe('A pasted table', () => {
  const SEPARATORS = [',', ', ', ';', '\t'];

  test.each(SEPARATORS)('may have %j between its cells', (separator) => {
    expect(readImport(table(separator, HEADER, ROW))).toEqual(READ);
    expect(readImport(table(separator, ROW))).toEqual(READ);
  });

  test('may have empty lines and empty cells', () => {
    const priceless = [{ ...READ.models[0], prices: undefined }];
    const read = readImport(`\n${table(';', HEADER, ['m', '128000', '16384', '', ''])}\n\n`);
    expect(read).toEqual({ kind: 'models', models: priceless });
  });

  test('may tell what long prompts cost', () => {
    const columns = ['AboveTokens', 'InputUsd', 'OutputUsd', 'CachedInputUsd', 'CacheWriteUsd'];
    const header = [...HEADER, ...columns.map((name) => `longContext${name}`)];
    const ofCaches = { cachedInputUsd: null, cacheWriteUsd: null };
    const longContext = { aboveTokens: 200_000, inputUsd: '2.5', outputUsd: '15', ...ofCaches };
    const priced = { ...READ.models[0], prices: { ...READ.models[0]?.prices, longContext } };
    const row = [...ROW, '200000', '2.5', '15', '', ''];
    const unlike = ['n', ...ROW.slice(1), '', '', '', '', ''];
    expect(readImport(table(',', header, row, unlike))).toEqual({
      kind: 'models',
      models: [
        priced,
        {
          ...READ.models[0],
          publicId: 'n',
          prices: { ...READ.models[0]?.prices, longContext: null },
        },
      ],
    });
    const priceless = ['p', '128000', '16384', ...header.slice(3).map(() => '')];
    expect(readImport(table(',', header, priceless))).toEqual({
      kind: 'models',
      models: [{ ...READ.models[0], publicId: 'p', prices: undefined }],
    });
    const whole = [...ROW, '', '', '', '200000', '2.5', '15', '', ''];
    const alone = { ...priced, prices: { ...priced.prices, ...ofCaches, perCallUsd: null } };
    expect(readImport(table(',', whole))).toEqual({ kind: 'models', models: [alone] });
    const halfway = [...ROW, '', '2.5', '15', '', ''];
    expect(readImport(table(',', header, halfway))).toMatchObject({ kind: 'wrong' });
  });

  test('may tell what meters cost, in long prompts too', () => {
    const columns = ['webSearchUsd', 'cacheWrite1hUsd', 'longContextCacheWrite1hUsd'];
    const long = ['longContextAboveTokens', 'longContextInputUsd', 'longContextOutputUsd'];
    const row = [...ROW, '0.01', '', '8', '200000', '2.5', '15'];
    const [model] = READ.models;
    const longContext = {
      ...{ aboveTokens: 200_000, inputUsd: '2.5', outputUsd: '15' },
      extra: { cacheWrite1h: '8' },
    };
    const extra = { webSearch: '0.01', cacheWrite1h: null };
    expect(readImport(table(',', [...HEADER, ...columns, ...long], row))).toEqual({
      kind: 'models',
      models: [{ ...model, prices: { ...model?.prices, extra, longContext } }],
    });
    const priceless = ['m', '128000', '16384', '', '', '', '', '', '', '', ''];
    expect(readImport(table(',', [...HEADER, ...columns, ...long], priceless))).toEqual({
      kind: 'models',
      models: [{ ...model, prices: undefined }],
    });
  });

  test('takes a price away by an empty cell, and says nothing of one that has no column or cell', () => {
    const header = [...HEADER, 'cachedInputUsd', 'perCallUsd', 'longContextInputUsd'];
    const [model] = READ.models;
    const read = (...cells: readonly string[]) =>
      readImport(table(',', header, [...ROW, ...cells]));
    const told = (prices: object) => ({
      kind: 'models',
      models: [{ ...model, prices: { ...model?.prices, ...prices } }],
    });
    expect(read('', '', '')).toEqual(
      told({ cachedInputUsd: null, perCallUsd: null, longContext: null }),
    );
    expect(read('0.1', '')).toEqual(told({ cachedInputUsd: '0.1', perCallUsd: null }));
    expect(read()).toEqual(READ);
  });

  // A price of 1,25 was once read as two columns: 1 for input and 25 for output.
  test.each([';', '\t'])('with a decimal comma between %j is refused', (separator) => {
    const row = ['m', '128000', '16384', '1,25', '10'];
    const wrong = { kind: 'comma', line: 2, value: '1,25' };
    expect(readImport(table(separator, HEADER, row))).toEqual(wrong);
    expect(readImport(table(separator, row))).toEqual({ ...wrong, line: 1 });
  });

  test('with a comma that may be either is refused', () => {
    const row = ['m', '128,000', '16384', '1.25', '10'];
    expect(readImport(table(';', HEADER, ROW, row))).toEqual({
      kind: 'comma',
      line: 3,
      value: '128,000',
    });
  });

  test('with more cells than columns is refused: a number was cut in two', () => {
    const row = ['m', '128000', '16384', '1,25', '10'];
    expect(readImport(table(',', HEADER, row))).toEqual({ kind: 'cells', line: 2, most: 5 });
  });

  test('may have commas in a column that the API does not know', () => {
    const read = readImport(table(';', [...HEADER, 'remarks'], [...ROW, 'cheap, quick']));
    expect(read).toEqual(READ);
  });

  test.each([
    [['model', 'input', 'output'], HEADER.slice(0, 3), ['model', 'input', 'output']],
    [['publicId', 'context', ...HEADER.slice(2)], ['contextTokensMax'], ['context']],
    [HEADER.filter((name) => name !== 'publicId'), ['publicId'], []],
  ])('with the header %j is told which columns it lacks', (header, missing, unknown) => {
    const read = readImport(table(';', header, ROW));
    expect(read).toEqual({ kind: 'header', missing, unknown });
  });

  test('without a header is not taken for one because of an empty or a wrong cell', () => {
    for (const context of ['', '128k']) {
      const read = readImport(table(';', ['m', context, '16384', '1.25', '10']));
      expect(read).toMatchObject({ kind: 'wrong', where: '/models/0/contextTokensMax' });
    }
  });

  test('with another separator than its header says what is missing', () => {
    expect(readImport(`${table(',', HEADER)}\n${table(';', ROW)}`)).toMatchObject({
      kind: 'wrong',
    });
  });
});

test('Pasted JSON is taken as the API takes it', () => {
  expect(readImport(JSON.stringify({ models: READ.models }))).toEqual(READ);
  expect(readImport('[')).toMatchObject({ kind: 'wrong', where: 'JSON' });
});
