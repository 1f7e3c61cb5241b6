import { describe, expect, test } from 'vitest';
import { readBlocks } from './read-blocks';

function htmlOf(markdown: string): string {
  return readBlocks(markdown)
    .map((block) => (block.kind === 'html' ? block.html : `[${block.code}]`))
    .join('');
}

describe('Markdown', () => {
  test('is parted into code and the rest, so that each piece of code can be copied', () => {
    const blocks = readBlocks('Try **this**:\n\n```ts\nconst a = 1 < 2;\n```\n\nDone.');
    expect(blocks.map(({ kind }) => kind)).toEqual(['html', 'code', 'html']);
    expect(blocks[0]).toMatchObject({ html: '<p>Try <strong>this</strong>:</p>\n' });
    expect(blocks[1]).toEqual({ kind: 'code', code: 'const a = 1 < 2;', language: 'ts' });
  });

  test.each([
    ['an ordered list', '1. one\n2. two:\n\n   ```\n   code\n   ```\n3. three', 'start="3"'],
    ['a list within a list', '- one\n  - two\n\n    ```\n    code\n    ```', '<li>'],
    ['a quote', '> Look:\n>\n> ```\n> code\n> ```', 'Look:'],
  ])('finds the code in %s', (_, markdown, kept) => {
    const blocks = readBlocks(markdown);
    expect(blocks.filter(({ kind }) => kind === 'code')).toEqual([
      { kind: 'code', code: 'code', language: '' },
    ]);
    expect(htmlOf(markdown)).toContain(kept);
  });

  test('shows code that has no end yet, as it streams in', () => {
    expect(readBlocks('```py\nprint(1)')).toEqual([
      { kind: 'code', code: 'print(1)', language: 'py' },
    ]);
  });

  test('of nothing is nothing', () => {
    expect(readBlocks(' \n\n')).toEqual([]);
  });

  test.each([
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<iframe src="https://example.org"></iframe>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](data:text/html;base64,AAAA)',
    '[x](//elsewhere.example)',
    '![x](javascript:alert(1))',
    '<javascript:alert(1)>',
    '[x]: javascript:alert(1)\n\n[x]',
    '[a](https://example.org/"onclick="alert(1))',
    '```"><img src=x onerror=alert(1)>\ncode\n```',
  ])('runs nothing and leads nowhere unsafe: %s', (markdown) => {
    const html = htmlOf(markdown);
    expect(html).not.toMatch(/<(?:script|img|iframe)/i);
    expect(html).not.toMatch(/href="(?:javascript|data|\/\/)/i);
    expect(html).not.toMatch(/<[^>]*"\s*on\w+=/i);
    expect(JSON.stringify(readBlocks(markdown))).not.toContain('"language":"\\"');
  });

  test('has links that work, and pictures as links', () => {
    const outside = 'target="_blank" rel="noopener noreferrer"';
    expect(htmlOf('[us](https://example.org/?a=1&b=2)')).toContain(
      `<a href="https://example.org/?a=1&amp;b=2" ${outside}>us</a>`,
    );
    expect(htmlOf('[here](/models)')).toContain('<a href="/models">here</a>');
    expect(htmlOf('[mail](mailto:us@example.org)')).toContain('href="mailto:us@example.org"');
    expect(htmlOf('https://example.org')).toContain(`<a href="https://example.org" ${outside}>`);
    expect(htmlOf('![chart](https://example.org/a.png)')).toContain(
      `<a href="https://example.org/a.png" ${outside}>chart</a>`,
    );
  });
});
