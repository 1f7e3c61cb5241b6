import * as Type from 'typebox';
import type { Static } from 'typebox';
import { closed, KnownPassword } from '../api/wire-values.ts';

/** Six digits of a time-based one-time password (RFC 6238). */
export const TotpCode = Type.String({ pattern: '^\\d{6}$' });

/** Begins an enrolment; it counts only once a first code has confirmed it. */
export const SecondFactorCreate = closed({ password: KnownPassword });
export type SecondFactorCreate = Static<typeof SecondFactorCreate>;

/** Shown once. */
export const SecondFactorEnrolment = closed({
  /** Base32, to be typed by hand. */
  secret: Type.String(),
  /** `otpauth://totp/…`, to be shown as a QR code. */
  uri: Type.String(),
});
export type SecondFactorEnrolment = Static<typeof SecondFactorEnrolment>;

export const SecondFactorConfirmation = closed({ code: TotpCode });
export type SecondFactorConfirmation = Static<typeof SecondFactorConfirmation>;

/** Taking the second factor away, or asking for new recovery codes, takes both factors. */
export const SecondFactorProof = closed({
  password: KnownPassword,
  /** A one-time password or a recovery code. */
  code: Type.String({ minLength: 6, maxLength: 40, writeOnly: true }),
});
export type SecondFactorProof = Static<typeof SecondFactorProof>;

/** Each works once in place of a one-time password. Shown once. */
export const RecoveryCodes = closed({ recoveryCodes: Type.Array(Type.String()) });
export type RecoveryCodes = Static<typeof RecoveryCodes>;
