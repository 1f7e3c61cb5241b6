/** Takes all turns of a count at once; tells how often it would have let others go first. */
export function takeTurns<T>(count: Generator<undefined, T>): {
  readonly value: T;
  readonly turns: number;
} {
  for (let turns = 0; ; turns += 1) {
    const turn = count.next();
    if (turn.done === true) return { value: turn.value, turns };
  }
}
