import { startOwnProcess } from '../processes/own-process.ts';
import type { DriverReply, LoadOrder, LoadResults } from './orders.ts';

/** A load driver in its own process, which stays so that its code is compiled when it matters. */
export interface Driver {
  readonly pid: number;
  /** Carries out one order; the next may be given when it has answered. */
  drive<Order extends LoadOrder>(order: Order): Promise<LoadResults[Order['kind']]>;
  stop(): Promise<void>;
}

export function startDriver(): Driver {
  const own = startOwnProcess('load/driver-process.ts');
  let waiting: ((reply: DriverReply) => void) | undefined;
  const answer = (reply: DriverReply): void => {
    waiting?.(reply);
    waiting = undefined;
  };
  own.child.on('message', (reply) => answer(reply as DriverReply));
  own.child.once('exit', () => answer({ failed: 'its process ended' }));
  return {
    pid: own.pid,
    stop: () => own.stop(),
    async drive<Order extends LoadOrder>(order: Order): Promise<LoadResults[Order['kind']]> {
      if (waiting !== undefined) throw new Error('The load driver has not answered yet.');
      const reply = await new Promise<DriverReply>((resolve) => {
        waiting = resolve;
        own.child.send(order);
      });
      if ('failed' in reply) throw new Error(`The load driver failed: ${reply.failed}`);
      // The driver answers each order with the result of its kind.
      return reply.result as LoadResults[Order['kind']];
    },
  };
}
