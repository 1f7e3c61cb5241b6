/** A secret that is valid for a while. */
export interface MintedSecret {
  readonly secret: string;
  /** From the reply of its issuer on, in milliseconds. */
  readonly lifetimeMs: number;
}

/** Why there is none, in words for the operator and without secrets. */
export interface MintFailure {
  readonly failed: string;
}

/** One request to an issuer of secrets. */
export interface TokenRequest {
  readonly url: string;
  /** Sent as `application/x-www-form-urlencoded`. Without this and `json` the request is a GET. */
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: object;
  /** Names and values in turn. */
  readonly headers?: readonly string[];
  /** The issuer is the machine's own: no proxy, and a private address is expected. */
  readonly isLocal?: boolean;
}

export interface TokenReply {
  readonly status: number;
  readonly body: Buffer;
}

export interface MintContext {
  readonly ask: (request: TokenRequest) => Promise<TokenReply | MintFailure>;
  /** The time of day, epoch milliseconds. */
  readonly nowMs: number;
}

/** Exchanges one credential for a secret that requests carry. */
export type Mint = (context: MintContext) => Promise<MintedSecret | MintFailure>;

/** A credential that a person has entered. */
export interface EnteredCredential {
  /** As it is kept. */
  readonly secret: string;
  /** Identifies it to people and discloses nothing; undefined: its last characters do. */
  readonly hint?: string;
}

/**
 * Credentials that are exchanged for short-lived secrets, such as the key of a service account. The
 * main thread does that, never a request.
 */
export interface Minting {
  /**
   * How a credential is exchanged, or why it cannot be; undefined of one that is sent as it is.
   * @param baseUrl of the channel that the secret goes to
   */
  mintOf(credential: string, baseUrl: string): Mint | MintFailure | undefined;
  /** Checks what a person has entered; `mistake` is a sentence for them. */
  read(text: string): EnteredCredential | { readonly mistake: string };
}
