import { ScannedBody } from '../../protocols/fields/field-path.ts';
import { refusedAdvice } from '../../protocols/fields/refused-advice.ts';
import type { UpstreamProtocolId } from '../../protocols/protocol.ts';
import { refusedFields } from '../../providers/refusals/refused-fields.ts';
import type { LearnedFields } from './learned-fields.ts';
import type { ServedRoute } from './served-routes.ts';

/** A route and the credential that a request is sent with. */
export interface Way {
  readonly route: ServedRoute;
  readonly credential: string | null;
}

/** Fields that an upstream has refused by name, and its words. */
export interface RefusedFields {
  readonly fields: readonly string[];
  readonly message: string;
}

/** An upstream may name one field at a time. A request is sent at most so many times more. */
const AGAIN_MAX = 6;

/**
 * The fields of one request that its upstreams refuse by name.
 *
 * A request that can do without the fields is sent once more without them, to the same upstream.
 * Only what it takes then is learned: a refusal that merely quotes a field stays what it is.
 */
export class FieldRefusals {
  readonly #learned: LearnedFields;
  readonly #accountId: string;
  #refused: { readonly field: string; readonly message: string }[] = [];
  #refusedBy: ServedRoute | undefined;
  #again: Way | undefined;
  #times = 0;

  constructor(learned: LearnedFields, accountId: string) {
    this.#learned = learned;
    this.#accountId = accountId;
  }

  /** The way that the request is sent again by; undefined: any. */
  get again(): Way | undefined {
    return this.#again;
  }

  /** The number of times that the request was sent again. */
  get times(): number {
    return this.#times;
  }

  /** Returns the fields that the route is not sent. */
  without(route: ServedRoute): readonly string[] {
    const learned = this.#learned.of(route, this.#accountId);
    if (this.#refusedBy !== route) return learned;
    return [...learned, ...this.#refused.map(({ field }) => field)];
  }

  /** Returns whether the request is to be sent once more, without what was refused. */
  refused(way: Way, { fields, message }: RefusedFields): boolean {
    this.#again = undefined;
    if (fields.length === 0 || this.#times === AGAIN_MAX) return false;
    if (this.#refusedBy !== way.route) this.#refused = [];
    this.#refused.push(...fields.map((field) => ({ field, message })));
    this.#refusedBy = way.route;
    this.#again = way;
    this.#times += 1;
    return true;
  }

  /** The upstream has taken the request, from which nothing else was changed meanwhile. */
  taken(): void {
    if (this.#again === undefined) return;
    const accountId = this.#accountId;
    const refusals = this.#refused.map((refusal) => ({ ...refusal, accountId }));
    this.#learned.learn(this.#again.route, refusals);
    this.#again = undefined;
  }
}

/** Returns the fields that an upstream's error names and the body can do without. */
export function advisoryFields(
  protocol: UpstreamProtocolId,
  { sent, error }: { readonly sent: Buffer; readonly error: Buffer },
): readonly string[] {
  const named = refusedFields(error);
  return named.length === 0 ? [] : refusedAdvice(new ScannedBody(sent), protocol, named);
}
