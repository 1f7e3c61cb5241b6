/** The secret that was minted for one credential; it crosses threads. */
export interface MintedEntry {
  /** Replaces the credential in the catalog of the HTTP threads. */
  readonly reference: string;
  /** Null while there is none. */
  readonly secret: string | null;
  /** The reason for a missing secret; null while the first is being minted. */
  readonly failure: string | null;
}

/** No credential that is sent as it is has a space: see `CredentialSecret`. */
const PREFIX = 'minted ';

export function referenceTo(digest: string): string {
  return PREFIX + digest;
}

export function isReference(credential: string): boolean {
  return credential.startsWith(PREFIX);
}
