/** A member keeps its own index, and may be in one list at a time. */
export interface SwapRemoveMember {
  /** Set by the list; -1 when in none. */
  place: number;
}

/**
 * An unordered list with constant-time insertion and removal: the last member fills the gap.
 *
 * A `Set` retains garbage under churn. V8 replaces its table every so many insertions, and each old
 * table keeps its entries and points to the next. Once one of them is in the old generation, all
 * entries of its successors live until that is collected. For requests this took a quarter of the
 * CPU for copying.
 */
export class SwapRemoveList<T extends SwapRemoveMember> {
  readonly #members: T[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: T): void {
    if (member.place !== -1) throw new Error('The member is in a list already');
    member.place = this.#members.length;
    this.#members.push(member);
  }

  /** Returns false when the member was not in the list. */
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
    // Backwards: the member that fills a gap has been called already.
    for (let place = this.#members.length - 1; place >= 0; place -= 1) {
      const member = this.#members[place];
      if (member !== undefined) call(member);
    }
  }
}
