/**
 * The commands between gateway and script (lua/batch.lua), as text formats. `<field>` is a number,
 * `<field 36>` text of that length, and `…` repeats what precedes it. A test compares encode.ts,
 * decode.ts and the Lua files with this table.
 */
export interface Command {
  /** File of lua/ and, with underscores, its function. */
  readonly lua: string;
  /** Letter and fields in one string. */
  readonly head: string;
  /** Strings that follow the head; payer.lua and the file of the command describe them. */
  readonly arguments: readonly string[];
  /** Every command may also reply "N", something is not loaded, and "E<message>", it has failed. */
  readonly replies: readonly string[];
}

export const COMMANDS = {
  hold: {
    lua: 'hold',
    head: 'h<request 36><amount>,<minimum>,<tokens>,<ttlMs>',
    arguments: ['payer'],
    replies: ['h', 'h<held>', 'e<held>', 'R<number>,<retryAfterMs>,<affordable>'],
  },
  extend: {
    lua: 'extend',
    head: 'e<request 36><extension>,<amount>,<minimum>,<ttlMs>',
    arguments: ['payer'],
    replies: ['x<held>', 'e<held>', 'f', 'c', 'b<affordable>', 'k<number>,<affordable>'],
  },
  settle: {
    lua: 'settle',
    head: 's<request 36><actual>,<tokens>,<epoch>',
    arguments: ['payer', 'record'],
    // <charge> is "<balance>,<subscription>,<uncollected>" and, for each subscription that has
    // paid, ";<id>,<startedAt>,<amount>".
    replies: [
      's<epoch>',
      'S<epoch>,<charge>',
      'l<epoch>,<charge>',
      'e<epoch>,<charge>',
      'e<epoch>s',
      'e<epoch>u',
      'c',
      'd<epoch>',
    ],
  },
  release: {
    lua: 'release',
    head: 'r<request 36>',
    arguments: ['account'],
    replies: ['r', 'e', 'f', 'c'],
  },
  expire: {
    lua: 'expire',
    head: 'x<partition 2><limit>',
    arguments: [],
    replies: ['x<closed>,<looked>,<more>'],
  },
  credit: {
    lua: 'credit',
    head: 'c<sequence>,<amount>,<hold 36>',
    arguments: ['account'],
    replies: ['c<sequence>', 'e<sequence>', 'o<sequence>', 'n'],
  },
  load: {
    lua: 'load',
    head: 'l<epoch>,<sequence>,<balance>',
    arguments: ['rows'],
    replies: ['l', 'p', 'd<epoch>', 't'],
  },
  accountState: {
    lua: 'account-state',
    head: 'a',
    arguments: ['account'],
    replies: ['a<available>,<held>,<owed>,<creditSequence>,<inFlight>'],
  },
  probe: {
    lua: 'probe',
    head: 'p<partition 2><request 36>',
    arguments: [],
    replies: ['p', 'n'],
  },
  watch: {
    lua: 'watch',
    head: 'w<partition 2>…',
    arguments: [],
    replies: ['w<epoch>,<drainedMs>,<records>,<entered>…'],
  },
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof COMMANDS;

/** A text of that format; the compiler checks the number and the kind of its fields. */
export type TextOf<Format extends string> = Format extends '…'
  ? string
  : Format extends `${infer Before}<${infer Field}>${infer After}`
    ? `${Before}${Field extends `${string} ${number}` ? string : number}${TextOf<After>}`
    : Format;

export type HeadOf<Name extends CommandName> = TextOf<(typeof COMMANDS)[Name]['head']>;
