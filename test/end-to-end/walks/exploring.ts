import { expect, it } from 'vitest';
import { Random } from '../../simulator/random.ts';
import { explore, type Finding } from '../../explorer/explorer.ts';
import type { VisitorOptions } from '../support/console-fixture.ts';
import { stockedConsole } from '../support/stocked-console.ts';

/** The explorer of `npm run explore` would find a console that breaks. */
export function testExploring(): void {
  it('finds a click that breaks something, and tells what led there', async () => {
    const { fixture, stock } = stockedConsole();
    const broken = {
      ...fixture,
      async visitor(options: VisitorOptions) {
        const visitor = await fixture.visitor(options);
        await visitor.context.addInitScript(
          `addEventListener('click', () => { throw new Error('planted'); })`,
        );
        return visitor;
      },
    };
    let finding: Finding | undefined;
    await explore({
      fixture: broken,
      stock,
      reader: 'user',
      random: new Random(1),
      isOver: () => finding !== undefined,
      found: (one) => {
        if (one.what.includes('planted')) finding ??= one;
      },
    });
    expect(finding?.steps[0]).toMatch(/^user opens /);
  });
}
