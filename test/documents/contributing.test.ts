import { describe, expect, it } from 'vitest';
import { readSource, sourceFiles } from '../support/sources/source-files.ts';
import { interfacesOf, type InterfaceShape } from './support/interfaces.ts';
import { codeBlocks } from './support/markdown.ts';

const shown = codeBlocks(readSource('CONTRIBUTING.md'))
  .filter(({ language }) => language === 'ts')
  .flatMap(({ text }) => [...interfacesOf(text)]);
const declared = new Map(
  sourceFiles(['.ts'], ['gateway/protocols/', 'gateway/providers/', 'shared/'])
    // Parsing all of them takes seconds.
    .filter(({ text }) => shown.some(([name]) => text.includes(`interface ${name}`)))
    .flatMap(({ text }) => [...interfacesOf(text)]),
);

/** Members that must be there; those that may be absent are shown or not. */
function membersToShow({ members }: InterfaceShape, block: InterfaceShape): string[] {
  return [...members]
    .filter(([name, { optional }]) => !optional || block.members.has(name))
    .map(([, { text }]) => text);
}

describe('CONTRIBUTING', () => {
  it('shows interfaces', () => {
    expect(shown.map(([name]) => name)).toEqual(
      expect.arrayContaining(['Protocol', 'Codec', 'NeutralForm', 'Provider']),
    );
  });

  it.each(shown)('shows %s as the sources declare it', (name, block) => {
    const source = declared.get(name);
    if (source === undefined) throw new Error(`no source declares ${name}`);
    expect(block.head).toBe(source.head);
    const texts = [...block.members.values()].map(({ text }) => text);
    expect(texts).toEqual(membersToShow(source, block));
  });
});
