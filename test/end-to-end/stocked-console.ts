import { layConsoleGround, type ConsoleGround } from './console-ground.ts';
import { STOCK_SETTINGS, stockUp, type Stock } from './stock.ts';

interface StockedConsole {
  readonly ground: ConsoleGround;
  readonly stock: Stock;
}

let stocked: StockedConsole | undefined;

/** Before the tests of a file: it costs as much as a dozen of them, so those that can share it stand in one file. */
export async function openStockedConsole(): Promise<void> {
  const ground = await layConsoleGround(STOCK_SETTINGS);
  stocked = { ground, stock: await stockUp(ground) };
}

export async function closeStockedConsole(): Promise<void> {
  await stocked?.ground.close();
  stocked = undefined;
}

/** What the tests of the file share. */
export function stockedConsole(): StockedConsole {
  if (stocked === undefined) throw new Error('The console is not open.');
  return stocked;
}
