import { layConsoleGround, type ConsoleGround } from './console-ground.ts';
import { startFakeUpstream, type FakeUpstream } from '../support/fake-upstream.ts';
import { STOCK_SETTINGS, stockUp, type Stock } from './stock.ts';

interface StockedConsole {
  readonly ground: ConsoleGround;
  readonly stock: Stock;
  /** Serves every model of the installation. */
  readonly upstream: FakeUpstream;
}

let stocked: StockedConsole | undefined;

/**
 * Before the tests of a file: it costs as much as a dozen of them, so those that can share it stand
 * in one file.
 */
export async function openStockedConsole(): Promise<void> {
  const upstream = await startFakeUpstream();
  const ground = await layConsoleGround({
    ...STOCK_SETTINGS,
    UPSTREAM_BASE_URL: upstream.url,
    ALLOW_PRIVATE_UPSTREAMS: 'false',
  });
  stocked = { ground, upstream, stock: await stockUp(ground) };
}

export async function closeStockedConsole(): Promise<void> {
  await stocked?.ground.close();
  await stocked?.upstream.close();
  stocked = undefined;
}

/** What the tests of the file share. */
export function stockedConsole(): StockedConsole {
  if (stocked === undefined) throw new Error('The console is not open.');
  return stocked;
}
