/**
 * The load driver, in a process of its own: carries out one order after another and answers each.
 */
import { holdStreams, letGo } from './hold-streams.ts';
import { openLoop } from './open-loop.ts';
import type { DriverReply, LoadOrder, LoadResults } from './orders.ts';
import { readStreams } from './read-streams.ts';
import { saturate } from './saturate.ts';
import { speak } from './speak.ts';
import { upload } from './upload.ts';

function carryOut(order: LoadOrder): Promise<LoadResults[keyof LoadResults]> {
  switch (order.kind) {
    case 'saturate':
      return saturate(order);
    case 'open_loop':
      return openLoop(order);
    case 'read_streams':
      return readStreams(order);
    case 'hold_streams':
      return holdStreams(order);
    case 'speak':
      return speak(order);
    case 'upload':
      return upload(order);
    case 'let_go':
      letGo();
      return Promise.resolve(null);
  }
}

function answer(reply: DriverReply): void {
  process.send?.(reply);
}

process.on('message', (order) => {
  carryOut(order as LoadOrder).then(
    (result) => answer({ result }),
    (error: unknown) =>
      answer({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));
