/** Something a roster may hold; it keeps its own place there, and may be in one roster only. */
export interface Rostered {
  /** Set by the roster; -1 when in none. */
  place: number;
}

/**
 * What is under way right now, in no order; joining and leaving cost the same however many there are.
 *
 * A `Set` would do, were it not for V8's garbage collector: a Set that is filled and emptied all the time gets a new table
 * every so many entries, and each table it leaves keeps what was in it and points to the next. Once one of them lies in the
 * old generation, all that were ever in its successors live until the old generation is collected. For requests that meant
 * most of them, with everything that hangs on them: a quarter of the CPU went into copying it.
 */
export class Roster<T extends Rostered> {
  readonly #members: T[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: T): void {
    if (member.place !== -1) throw new Error('The member is in a roster already');
    member.place = this.#members.length;
    this.#members.push(member);
  }

  /** False when the member was not there. */
  remove(member: T): boolean {
    const { place } = member;
    if (place === -1) return false;
    member.place = -1;
    const last = this.#members.pop();
    if (last !== undefined && last !== member) {
      this.#members[place] = last;
      last.place = place;
    }
    return true;
  }

  /** Calls for each member; members may leave, and new ones join, meanwhile. */
  forEach(call: (member: T) => void): void {
    // From the back: who takes the place of one that leaves has been called already.
    for (let place = this.#members.length - 1; place >= 0; place -= 1) {
      const member = this.#members[place];
      if (member !== undefined) call(member);
    }
  }
}
