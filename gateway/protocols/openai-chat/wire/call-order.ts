/**
 * The order of texts and calls in a reply. Chat completions have one text and a list of calls: a
 * call that text stood before and behind would come back behind all of it, as another conversation
 * than the model has had. So such calls carry where in the text they are.
 */
import { steadyNowMs } from '../../../platform/clock/steady-clock.ts';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { ProofMemory } from '../../neutral-form/proofs/proof-memory.ts';
import type { AssistantPart, ToolCallPart } from '../../neutral-form/request.ts';

/** The calls so far, by the number of characters of text before each. */
interface CallPlaces {
  readonly value: string;
}

/** Few chat clients send `extra_content` back. */
const memory = new ProofMemory<CallPlaces>();

/** Follows a reply on its way to a client. */
export class CallOrder {
  #characters = 0;
  readonly #places: number[] = [];
  #last: { readonly id: string; readonly name: string } | undefined;

  addText(text: string): void {
    this.#characters += text.length;
  }

  /** Returns what a call carries; undefined as long as all text is before the calls. */
  addCall(call: { readonly id: string; readonly name: string }): JsonObject | undefined {
    this.#places.push(this.#characters);
    this.#last = call;
    if (this.#places[0] === this.#characters) return undefined;
    memory.remember(call, { value: this.#places.join() }, steadyNowMs());
    return { text_offsets: [...this.#places] };
  }

  /** Remembers where the calls are if text is behind the last: the client has that call already. */
  end(): void {
    const last = this.#last;
    if (last === undefined || this.#places.at(-1) === this.#characters) return;
    memory.remember(last, { value: this.#places.join() }, steadyNowMs());
  }
}

/**
 * Returns texts and calls of a message that a client sends back in the order of the reply.
 * @param sent the calls as the client has sent them
 */
export function inOrder(
  texts: readonly AssistantPart[],
  calls: readonly ToolCallPart[],
  sent: readonly JsonObject[],
): readonly AssistantPart[] {
  const [part] = texts;
  if (texts.length !== 1 || part?.type !== 'text') return [...texts, ...calls];
  const places = calls.map((call, at) => placesOf(call, sent[at]));
  const offsets = places.findLast(({ length }, at) => length === at + 1) ?? [];
  const ordered: AssistantPart[] = [];
  let from = 0;
  for (const [at, call] of calls.entries()) {
    const to = offsets[at] ?? part.text.length;
    if (to > from) ordered.push({ ...part, text: part.text.slice(from, to) });
    from = Math.max(from, to);
    ordered.push(call);
  }
  if (from < part.text.length) ordered.push({ ...part, text: part.text.slice(from) });
  return ordered;
}

function placesOf(call: ToolCallPart, sent: JsonObject | undefined): readonly number[] {
  const extra = sent?.['extra_content'];
  const own = isJsonObject(extra) ? extra['weir'] : undefined;
  const offsets: unknown = isJsonObject(own) ? own['text_offsets'] : undefined;
  if (Array.isArray(offsets)) return offsets.filter((one) => typeof one === 'number');
  const kept = memory.recall(call, steadyNowMs())?.value;
  return kept === undefined ? [] : kept.split(',').map(Number);
}
