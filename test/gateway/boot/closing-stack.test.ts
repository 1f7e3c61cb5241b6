import { pino } from 'pino';
import { expect, it } from 'vitest';
import { ClosingStack } from '../../../gateway/boot/closing-stack.ts';

it('closes what was opened last first, whatever fails or hangs', async () => {
  const log: string[] = [];
  const closed: string[] = [];
  const closing = new ClosingStack();
  closing.push('first', () => {
    closed.push('first');
    return undefined;
  });
  closing.push('hanging', () => new Promise(() => closed.push('hanging')), 20);
  closing.push('failing', () => {
    closed.push('failing');
    return Promise.reject(new Error('broken'));
  });
  await closing.close(pino({}, { write: (line) => log.push(line) }));
  expect(closed).toEqual(['failing', 'hanging', 'first']);
  expect(log.join('')).toMatch(/failing did not close properly[^]*hanging did not close within 20/);
});
