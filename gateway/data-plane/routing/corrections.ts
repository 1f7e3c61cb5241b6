import { ADVISORY_FIELDS } from '../../protocols/fields/advisory-fields.ts';
import { ScannedBody } from '../../protocols/fields/field-path.ts';
import { refusedAdvice } from '../../protocols/fields/refused-advice.ts';
import { refusedFields } from '../../providers/refusals/refused-fields.ts';
import type { Verdict } from '../../providers/verdict.ts';
import type { LearnedFields } from './learned-fields.ts';
import { isRefitted, noteRefitted } from './refitted-routes.ts';
import type { ServedRoute } from './served-routes.ts';

/** A route and the credential that a request is sent with. */
export interface Way {
  readonly route: ServedRoute;
  readonly credential: string | null;
}

/** The words in which an upstream refused a body. */
export interface RefusalWords {
  /** The status of the upstream's reply; 2xx where the error came as the reply. */
  readonly status: number;
  readonly sent: Buffer;
  readonly error: Buffer;
  /** The error's message, for the operator. */
  readonly message: string;
}

/** An attempt that failed before the client saw anything. */
export interface FailedAttempt {
  readonly verdict: Verdict;
  readonly words: RefusalWords | undefined;
  /** It was sent without proofs of another account. */
  readonly withoutProofs: boolean;
  /** Reports whether a fit that has not been made yet would change the request. */
  readonly isChangedByFit: () => boolean;
}

/**
 * Times that one request is sent again without what was refused by name: an upstream may name one
 * field at a time. The last time, all advice is left out.
 */
const FIELD_RETRIES_MAX = 6;
/** The statuses of refusals of a field or its value; 500 only where its words blame the request. */
const FIELD_STATUSES: ReadonlySet<number> = new Set([400, 422]);
const FIT_STATUSES: ReadonlySet<number> = new Set([...FIELD_STATUSES, 500]);
/** A prompt that is too long, or that was flagged, is so in every form. */
const FIT_CODES: ReadonlySet<string> = new Set([
  'upstream_rejected',
  'unsupported_parameter',
  'unsupported_value',
]);

/**
 * The corrections of one request after its upstream has refused it: without fields that were
 * refused by name, without proofs of another account, fitted as a whole. The corrected request is
 * sent to the same upstream, whatever was corrected before.
 */
export class Corrections {
  readonly #learned: LearnedFields;
  readonly #accountId: string;
  /** The route that the fields and the fit are for. */
  #route: ServedRoute | undefined;
  #fields: { readonly field: string; readonly message: string }[] = [];
  #fieldRetries = 0;
  #fitsWhole = false;
  #withoutProofs = false;
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

  /** An upstream could not verify what another account has signed. */
  get withoutProofs(): boolean {
    return this.#withoutProofs;
  }

  /** Reports whether the request is fitted to the route as a whole. */
  fitsWhole(route: ServedRoute): boolean {
    const isRefused = this.#route === route && this.#fitsWhole;
    return isRefused || isRefitted(route.healthKey, this.#accountId);
  }

  /** Returns the fields that the route is not sent. */
  without(route: ServedRoute): readonly string[] {
    const learned = this.#learned.of(route, this.#accountId);
    if (this.#route !== route) return learned;
    if (this.#fieldRetries === FIELD_RETRIES_MAX) {
      return Object.keys(ADVISORY_FIELDS[route.codec.upstreamProtocol]);
    }
    return [...learned, ...this.#fields.map(({ field }) => field)];
  }

  /** Returns whether the request is to be sent the same way once more, corrected. */
  correct(way: Way, failed: FailedAttempt): boolean {
    if (this.#route !== way.route) {
      this.#route = way.route;
      this.#fields = [];
      this.#fitsWhole = false;
    }
    const isAgain =
      this.#leavesFieldsOut(way, failed) || this.#leavesProofsOut(failed) || this.#fits(failed);
    this.#again = isAgain ? way : undefined;
    if (isAgain) this.#times += 1;
    return isAgain;
  }

  /** Remembers the corrections with which the upstream has taken the request. */
  taken(route: ServedRoute): void {
    if (this.#route !== route) return;
    const accountId = this.#accountId;
    this.#learned.learn(
      route,
      this.#fields.map((refusal) => ({ ...refusal, accountId })),
    );
    if (this.#fitsWhole) noteRefitted(route.healthKey, accountId);
    this.#route = undefined;
  }

  /** The status says whose fault it is, unless the words name a field. */
  #leavesFieldsOut({ route }: Way, { verdict, words }: FailedAttempt): boolean {
    if (words === undefined) return false;
    const { status, message } = words;
    const mayName = FIELD_STATUSES.has(status) || verdict.scope === 'request';
    const fields = mayName ? advisoryFields(route, words) : [];
    if (fields.length === 0) {
      // The same words again: they only quoted what was left out.
      this.#fields = this.#fields.filter((refused) => refused.message !== message);
      return false;
    }
    if (this.#fieldRetries === FIELD_RETRIES_MAX) return false;
    this.#fields.push(...fields.map((field) => ({ field, message })));
    this.#fieldRetries += 1;
    return true;
  }

  #leavesProofsOut({ verdict, withoutProofs }: FailedAttempt): boolean {
    if (verdict.proofsRefused !== true || withoutProofs) return false;
    this.#withoutProofs = true;
    return true;
  }

  #fits({ verdict, words, isChangedByFit }: FailedAttempt): boolean {
    if (words === undefined || verdict.scope !== 'request' || this.#fitsWhole) return false;
    const { status } = words;
    const mayHelp =
      verdict.proofsRefused !== true &&
      FIT_CODES.has(verdict.refusal.refused) &&
      (status < 300 || FIT_STATUSES.has(status));
    if (!mayHelp || !isChangedByFit()) return false;
    this.#fitsWhole = true;
    return true;
  }
}

/** Returns the fields that an upstream's error names and the body can do without. */
function advisoryFields({ codec }: ServedRoute, { sent, error }: RefusalWords): readonly string[] {
  const named = refusedFields(error);
  return named.length === 0
    ? []
    : refusedAdvice(new ScannedBody(sent), codec.upstreamProtocol, named);
}
