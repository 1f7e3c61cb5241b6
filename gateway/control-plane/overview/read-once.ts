import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import type { AdminContext } from '../api/context.ts';

export type Cache<Value> = WeakMap<
  AdminContext,
  { readonly untilMs: number; readonly value: Promise<Value> }
>;

/** Reads something once for all callers within a time. */
export function readOnce<Value>(
  cache: Cache<Value>,
  context: AdminContext,
  { cacheMs, read }: { readonly cacheMs: number; readonly read: () => Promise<Value> },
): Promise<Value> {
  const known = cache.get(context);
  if (known !== undefined && known.untilMs >= steadyNowMs()) return known.value;
  const value = read();
  cache.set(context, { untilMs: steadyNowMs() + cacheMs, value });
  // A failure is returned to those who wait for it and not remembered.
  value.catch(() => cache.delete(context));
  return value;
}
