/**
 * Proof that the audit log was consulted. Only this file creates one, so a handler that forgets its
 * entry does not compile.
 */
class Receipt {
  readonly #cause: string;

  constructor(cause: string) {
    this.#cause = cause;
  }

  toString(): string {
    return this.#cause;
  }
}

export type AuditReceipt = Receipt;

/** The entry was written in the transaction of the act. */
export const WRITTEN: AuditReceipt = new Receipt('written');

/** A user who is no administrator changed their own credentials. */
export const NO_ADMIN_ACT: AuditReceipt = new Receipt('no admin act');

/** The request was carried out earlier, and its entry was written then. */
export const WRITTEN_EARLIER: AuditReceipt = new Receipt('written earlier');

/** The request changed nothing. */
export const NOTHING_CHANGED: AuditReceipt = new Receipt('nothing changed');
