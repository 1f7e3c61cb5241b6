import { describe, expect, it } from 'vitest';
import type { UserPart } from '../../../../gateway/protocols/neutral-form/request.ts';
import { NOVA } from './support/converse.ts';
import { contentOf, MARK, PDF, POINT } from './support/messages.ts';

describe('documents', () => {
  function namesOf(...names: readonly (string | undefined)[]): string[] {
    const parts = names.map(
      (name) => ({ type: 'file', source: PDF, ...(name === undefined ? {} : { name }) }) as const,
    );
    return (contentOf(parts) as { document?: { name: string } }[]).flatMap(
      ({ document }) => document?.name ?? [],
    );
  }

  it.each([
    ["John's report #1.pdf", 'John s report 1'],
    ['テスト　資料.pdf', 'document'],
    ['a  b\tc.pdf', 'a b c'],
    ['slack-file://F0ABCD', 'slack-file F0ABCD'],
    ['.pdf', 'document'],
    ['a(1)[2]-x', 'a(1)[2]-x'],
    ['x'.repeat(300), 'x'.repeat(190)],
  ])('called %s are called %s (vercel/ai 20365)', (given, name) => {
    expect(namesOf(given)).toEqual([name]);
  });

  it('never have a name twice, in whatever case (bifrost 7003)', () => {
    expect(namesOf(undefined, undefined, 'a.pdf', 'A.PDF', 'a 2.pdf')).toEqual([
      ...['document', 'document 2', 'a', 'A 2', 'a 2 2'],
    ]);
  });

  it('come with a text, which Bedrock wants', () => {
    expect(contentOf([{ type: 'file', source: PDF }])).toEqual([
      { text: 'See the attached document.' },
      { document: { format: 'pdf', name: 'document', source: { bytes: PDF.base64 } } },
    ]);
  });

  it('that are texts are texts, which keeps their place and their cache point', () => {
    const source = { base64: Buffer.from('a,b').toString('base64'), mediaType: 'text/csv' };
    expect(contentOf([{ type: 'file', source, name: 'a.csv', cache: MARK }])).toEqual([
      { text: 'a.csv\na,b' },
      POINT,
    ]);
  });

  it('have a cache point behind them for a Claude, not for a Nova', () => {
    const parts: readonly UserPart[] = [
      { type: 'text', text: 'Read' },
      { type: 'file', source: PDF, cache: MARK },
    ];
    expect((contentOf(parts) as unknown[]).at(-1)).toEqual(POINT);
    expect((contentOf(parts, NOVA) as unknown[]).at(-1)).toHaveProperty('document');
  });
});
