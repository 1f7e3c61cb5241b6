import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { isOwnJsonObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';
import { applyEdits } from '../../../platform/json/apply-edits.ts';
import type { MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { laterUsage } from '../../fields/later-usage.ts';
import { strip, type Shapes } from '../../fields/shape.ts';
import type { DeliveredOutput } from '../../sse/delivered-output.ts';
import { USAGE_FIELDS } from '../known-fields.ts';
import { ReplyFrame, type ReplyObject } from './reply-frame.ts';
import { fixUsage, readUsage, usageObject, type ReportedUsage } from '../usage.ts';

/** The content of one chunk for one choice. */
export interface ChoiceReading {
  /** The choice was changed. */
  changed: boolean;
  /** The choice reached another state: the next chunk of this shape is not treated alike. */
  turned: boolean;
  /** Something for the client: text, reasoning, a tool call, audio, an image. */
  hasContent: boolean;
  /** A tool call began, so later fragments may belong to another call. */
  callBegan: boolean;
  /** The one string that is new in the choice, when it is only one. */
  example: { readonly key: string; readonly text: string } | undefined;
}

/** Reads one choice from the chunks of a stream. */
export interface ChoiceReader {
  /** Its finish_reason has been read. */
  readonly finished: boolean;
  /** Brings a choice of a chunk into shape in place, and counts its text as output. */
  normalise(choice: OwnJsonObject, output: DeliveredOutput): ChoiceReading;
}

/** The form of an interface's chunks. */
export interface ChunkFormat {
  readonly object: ReplyObject;
  /** The known fields of a chunk. */
  readonly knownFields: Shapes;
  openChoice(index: number): ChoiceReader;
  /** The members of a choice that ends without further content. */
  ending(): OwnJsonObject;
}

export interface ChunkReaderOptions {
  /** The model ID the client sent; every chunk carries it. */
  readonly publicModel: string;
  /** The client asked for the usage chunk. */
  readonly includeUsage: boolean;
  /** Choices (`n`) the client asked for. */
  readonly choices: number;
  /** All fields pass, not the known ones alone. */
  readonly passesAll: boolean;
  readonly format: ChunkFormat;
}

/** The result of reading one chunk. */
export interface ChunkReading {
  /** Undefined: the client does not get it. */
  readonly sent: Buffer | undefined;
  readonly hasContent: boolean;
  /**
   * A tool call began: templates of earlier chunks could assign later fragments to the wrong call.
   */
  readonly callBegan: boolean;
  /** The delta's only string, when a later chunk of this shape may be treated in the same way. */
  readonly example: { readonly key: string; readonly text: string } | undefined;
}

const DROPPED: ChunkReading = {
  sent: undefined,
  hasContent: false,
  callBegan: false,
  example: undefined,
};

/**
 * Reads an upstream's chunks one after the other, keeps what billing and relay must know, and
 * brings each into the form that every tested SDK understands: its frame as ReplyFrame says, and
 * usage only in a chunk of its own and only for clients that asked for it.
 */
export class ChunkReader {
  usage: ReportedUsage | undefined;
  /** Pieces of output delivered when it came, those of its own chunk included. */
  usagePieces = 0;
  readonly #format: ChunkFormat;
  readonly #includeUsage: boolean;
  readonly #choicesAsked: number;
  readonly #passesAll: boolean;
  readonly #frame: ReplyFrame;
  readonly #output: DeliveredOutput;
  readonly #choices = new Map<number, ChoiceReader>();
  /**
   * The object from which `usage` was read. Some servers repeat it, and clients add up all that
   * they get: it is sent once, at the end.
   */
  #usageObject: OwnJsonObject | undefined;

  constructor(
    { publicModel, includeUsage, choices, passesAll, format }: ChunkReaderOptions,
    output: DeliveredOutput,
  ) {
    this.#format = format;
    this.#includeUsage = includeUsage;
    this.#choicesAsked = choices;
    this.#passesAll = passesAll;
    this.#frame = new ReplyFrame(publicModel, format.object);
    this.#output = output;
  }

  /** Every choice that began has its finish_reason. */
  get finished(): boolean {
    for (const choice of this.#choices.values()) if (!choice.finished) return false;
    return this.#choices.size > 0;
  }

  /**
   * Every choice that was asked for has its finish_reason. Some upstreams make one, however many
   * are asked for.
   */
  get whole(): boolean {
    return this.finished && this.#choices.size >= this.#choicesAsked;
  }

  /** @param data the event's data; @param chunk what it parses to, which is changed in place. */
  read(data: Buffer, chunk: OwnJsonObject): ChunkReading {
    const edits: MemberEdit[] = [];
    const choices = Array.isArray(chunk['choices']) ? (chunk['choices'] as unknown[]) : [];
    const usage = this.#usage(chunk, choices, edits);
    // Usage is sent at the end; clients of this interface cannot use any other chunk without
    // choices.
    if (choices.length === 0) {
      if (usage) this.#noteCovered();
      return DROPPED;
    }
    let changed = !this.#passesAll && this.#frame.close(chunk, this.#format.knownFields);
    // Azure's first chunk, which has an empty id, is not sent on.
    this.#frame.edit(chunk, edits);
    let hasContent = false;
    let callBegan = false;
    let example: ChunkReading['example'];
    let turned = usage || choices.length > 1;
    choices.forEach((choice, position) => {
      if (!isOwnJsonObject(choice)) return;
      const reading = this.#choice(choice, position);
      changed ||= reading.changed;
      turned ||= reading.turned;
      hasContent ||= reading.hasContent;
      callBegan ||= reading.callBegan;
      ({ example } = reading);
    });
    if (usage) this.#noteCovered();
    return {
      sent: applyEdits(data, chunk, edits, changed),
      hasContent,
      callBegan,
      example: turned ? undefined : example,
    };
  }

  /** Reads the usage alone of a chunk that came behind the end marker. */
  readLate(chunk: OwnJsonObject): void {
    if (this.#usage(chunk, [], [])) this.#noteCovered();
  }

  /**
   * The usage chunk as a whole event, with these counts or, for null, with what the upstream
   * reported last. '' when the client did not ask for it or there is nothing to report.
   */
  usageEvent(counted: TokenCounts | null): string {
    if (!this.#includeUsage) return '';
    if (counted !== null) return this.#event({ choices: [], usage: usageObject(counted) });
    const usage = this.#usageObject;
    if (usage === undefined) return '';
    fixUsage(usage, this.usage);
    return this.#event({ choices: [], usage });
  }

  /** Ends every open choice with a finish_reason; a stream without any gets its first. */
  finishEvents(reason: string): string {
    if (this.#choices.size === 0) this.#choices.set(0, this.#format.openChoice(0));
    let events = '';
    for (const [index, choice] of this.#choices) {
      if (choice.finished) continue;
      const ending: OwnJsonObject = { index, ...this.#format.ending(), finish_reason: reason };
      choice.normalise(ending, this.#output);
      events += this.#event({ choices: [ending] });
    }
    return events;
  }

  #event(fields: OwnJsonObject): string {
    return `data: ${JSON.stringify(this.#frame.around(fields))}\n\n`;
  }

  /**
   * Keeps reported usage, and takes it off chunks that carry a delta. Returns whether it counts
   * output that was not counted before.
   */
  #usage(chunk: OwnJsonObject, choices: readonly unknown[], edits: MemberEdit[]): boolean {
    const own = chunk['usage'];
    // Moonshot reports usage in each choice: with several, it would be that of one alone.
    const usage = usageIn(chunk, this.#choicesAsked === 1 ? choices[0] : undefined);
    const reported = readUsage(usage, chunk['service_tier']);
    // OpenAI sends `usage: null` on each chunk once usage is requested, as Weir does for its own
    // count: strict clients fail at a member that they did not request.
    const unasked = own === null && !this.#includeUsage;
    if (choices.length > 0 && (isOwnJsonObject(own) || unasked)) {
      edits.push({ name: 'usage', value: undefined });
    }
    if (!isOwnJsonObject(usage) || reported === undefined) return false;
    if (!this.#passesAll) strip(usage, USAGE_FIELDS);
    const before = this.usage;
    this.usage = laterUsage(before, reported);
    this.#usageObject = usage;
    if (before !== undefined && !countsAlike(this.usage, reported)) {
      this.#usageObject = { ...usage, ...usageObject(this.usage) };
    }
    return reported.output >= 1 || before === undefined;
  }

  #noteCovered(): void {
    this.usagePieces = this.#output.pieces;
  }

  #choice(choice: OwnJsonObject, position: number): ChoiceReading {
    const index = indexOf(choice, position);
    let state = this.#choices.get(index);
    if (state === undefined) {
      state = this.#format.openChoice(index);
      this.#choices.set(index, state);
    }
    const reading = state.normalise(choice, this.#output);
    if (choice['index'] === index) return reading;
    choice['index'] = index;
    return { ...reading, changed: true };
  }
}

/** The usage of a chunk: in its own place, or in Groq's or Moonshot's. */
export function usageIn({ usage, x_groq: groq }: OwnJsonObject, choice: unknown): unknown {
  if (isOwnJsonObject(usage)) return usage;
  if (isOwnJsonObject(groq)) return groq['usage'];
  return isOwnJsonObject(choice) ? choice['usage'] : undefined;
}

function indexOf({ index }: OwnJsonObject, position: number): number {
  return typeof index === 'number' ? index : position;
}

function countsAlike(one: TokenCounts, other: TokenCounts): boolean {
  return (
    one.input === other.input &&
    one.output === other.output &&
    one.cachedInput === other.cachedInput &&
    one.cacheWrite === other.cacheWrite
  );
}
