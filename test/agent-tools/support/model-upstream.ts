/** An upstream's model whose turns a test writes, whatever protocol the upstream speaks. */

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /**
   * A tool whose input is a text, where the protocol has such; `input` holds it under its name
   * elsewhere.
   */
  readonly freeForm?: string;
  /** The namespace of the tool, if the protocol has any; it is a part of the name elsewhere. */
  readonly namespace?: string;
}

/**
 * The ways in which an upstream fails. A cut one breaks its connection; one that fails midway says
 * so in its stream.
 */
export type Failure =
  | 'overloaded'
  | 'rate limited'
  | 'overflow'
  | 'cut at once'
  | 'cut midway'
  | 'error midway';

export const CONTEXT_TOKENS_MAX = 200_000;
export const TOO_MANY_TOKENS = 210_000;

/** The model's reply: calls, or a text that ends its work. */
export interface Turn {
  /** `text` is what it has said when it is cut midway. */
  readonly failure?: Failure;
  /** With what only the vendor can verify, and must get back as it was. */
  readonly thought?: { readonly text: string; readonly proof: string };
  readonly text?: string;
  readonly calls?: readonly ToolCall[];
}

/** The result of a call. */
export interface ToolOutput {
  readonly callId: string;
  readonly text: string;
  readonly pictures: number;
}

/** A request for a turn, as the upstream has read it. */
export interface ModelRequest {
  readonly model: string;
  readonly toolNames: readonly string[];
  readonly outputs: readonly ToolOutput[];
  /** The proofs of thoughts in earlier turns. */
  readonly proofs: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ModelUpstream {
  /** A channel's base address. */
  readonly url: string;
  /** The credential of its channel; any if absent. */
  readonly credential?: string;
  /** The usage that it reports for every turn. */
  readonly usage: TurnUsage;
  /** True if its thoughts have proofs. */
  readonly keepsProofs: boolean;
  /** Since the last `play`. */
  readonly requests: readonly ModelRequest[];
  /** Forgets the requests, and replies to each of the next ones by this. */
  play(script: (request: ModelRequest) => Turn): void;
  close(): Promise<void>;
}

/** In tokens; `written` to the cache for five minutes. */
export interface TurnUsage {
  readonly plain: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
}

export const TURN_USAGE: TurnUsage = { plain: 1_000, cached: 200, written: 70, output: 50 };
