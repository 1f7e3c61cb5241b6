import { createConsoleFixture, type ConsoleFixture } from './console-fixture.ts';
import { startFakeUpstream, type FakeUpstream } from '../../support/upstreams/fake-upstream.ts';
import { STOCK_SETTINGS, stockUp, type Stock } from './stock.ts';

interface StockedConsole {
  readonly fixture: ConsoleFixture;
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
  const fixture = await createConsoleFixture({
    ...STOCK_SETTINGS,
    UPSTREAM_BASE_URL: upstream.url,
    ALLOW_PRIVATE_UPSTREAMS: 'false',
  });
  stocked = { fixture, upstream, stock: await stockUp(fixture) };
}

export async function closeStockedConsole(): Promise<void> {
  await stocked?.fixture.close();
  await stocked?.upstream.close();
  stocked = undefined;
}

/** The objects that the tests of a file share. */
export function stockedConsole(): StockedConsole {
  if (stocked === undefined) throw new Error('The console is not open.');
  return stocked;
}
