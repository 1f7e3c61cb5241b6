import { expect, it } from 'vitest';
import { Random } from '../simulator/random.ts';
import { wander, type Finding } from '../wanderer/wanderer.ts';
import type { VisitorOptions } from './console-ground.ts';
import { stockedConsole } from './stocked-console.ts';

/** The wanderer of `npm run wander` would find a console that breaks. */
export function testWandering(): void {
  it('finds a click that breaks something, and tells what led there', async () => {
    const { ground, stock } = stockedConsole();
    const broken = {
      ...ground,
      async visitor(options: VisitorOptions) {
        const visitor = await ground.visitor(options);
        await visitor.context.addInitScript(
          `addEventListener('click', () => { throw new Error('planted'); })`,
        );
        return visitor;
      },
    };
    let finding: Finding | undefined;
    await wander({
      ground: broken,
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
