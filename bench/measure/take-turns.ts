import type { Measurement, Pending } from './measurement.ts';

/** One of the things that are compared: measured once per round. */
export interface Lane<Result> {
  readonly name: string;
  readonly measure: (round: number) => Promise<Pending<Result>>;
}

export interface Turns {
  readonly rounds: number;
  /**
   * True lets the costs that come after a load pass while the next lane runs, and settles up at the
   * end of a round: quicker, and right as long as a round is shorter than the drain's delay of two
   * and a half seconds.
   */
  readonly settleUpLate: boolean;
}

/**
 * Measures lanes in turn, A B B A A B …: what slows the machine down for a while, or warms it,
 * falls on all of them alike. Answers every lane's measurements in the order of the rounds.
 */
export async function takeTurns<Result>(
  lanes: readonly Lane<Result>[],
  { rounds, settleUpLate }: Turns,
): Promise<Map<string, Measurement<Result>[]>> {
  const measured = new Map<string, Measurement<Result>[]>(lanes.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 || settleUpLate ? lanes : lanes.toReversed();
    const pending: (readonly [string, Pending<Result>])[] = [];
    for (const { name, measure } of order) {
      const load = await measure(round);
      if (settleUpLate) pending.push([name, load]);
      else measured.get(name)?.push(await load.settleUp());
    }
    for (const [name, load] of pending) measured.get(name)?.push(await load.settleUp());
  }
  return measured;
}
