import type { NameRule } from '../../../target-profile.ts';
import type { NeutralMessage } from '../../request.ts';
import type { Fit } from '../fit-request.ts';
import { fittedName, isFitting } from './fitted-name.ts';
import { mapSame } from '../map-same.ts';

const FORM = { stem: 'call', digestLetters: 24 } as const;

/**
 * Gives calls whose ids the target refuses, or that an earlier call has already, ids of their own,
 * and their results the same. Some upstreams number the calls of each turn from 0, and vendors that
 * look at ids refuse one that comes twice; the reply gets other ids as well, for clients that do.
 * `fitResults` has put each result behind its call.
 */
export const fitCallIds: Fit = (request, profile) => {
  const ids = new CallIds(profile.callId);
  const messages = mapSame(request.messages, (message) => ids.fit(message));
  const fitted = messages === request.messages ? request : { ...request, messages };
  const { given } = ids;
  return given.size === 0
    ? { request: fitted }
    : { request: fitted, restoration: { callIds: given } };
};

/**
 * Each id depends on nothing but the calls before it: a conversation that grows keeps those that it
 * has, and with them its place in the vendor's prompt cache.
 */
class CallIds {
  /** The client's ids. */
  readonly given = new Set<string>();
  readonly #rule: NameRule;
  readonly #taken = new Set<string>();
  /** Number of replacements of each id. */
  readonly #replaced = new Map<string, number>();
  /** The fitted ids of the calls whose results have not come, by the client's ids. */
  readonly #open = new Map<string, string[]>();

  constructor(rule: NameRule) {
    this.#rule = rule;
  }

  fit(message: NeutralMessage): NeutralMessage {
    switch (message.role) {
      case 'system':
      case 'user':
        return message;
      case 'assistant': {
        const parts = mapSame(message.parts, (part) => {
          if (part.type !== 'tool_call') return part;
          const id = this.#call(part.id);
          return id === part.id ? part : { ...part, id };
        });
        return parts === message.parts ? message : { role: 'assistant', parts };
      }
      case 'tool': {
        const parts = mapSame(message.parts, (part) => {
          const callId = this.#open.get(part.callId)?.shift() ?? part.callId;
          return callId === part.callId ? part : { ...part, callId };
        });
        return parts === message.parts ? message : { role: 'tool', parts };
      }
    }
  }

  #call(id: string): string {
    const fitted = this.#distinct(id);
    this.#taken.add(fitted);
    this.given.add(id);
    const open = this.#open.get(id);
    if (open === undefined) this.#open.set(id, [fitted]);
    else open.push(fitted);
    return fitted;
  }

  #distinct(id: string): string {
    if (!this.#taken.has(id) && isFitting(id, this.#rule)) return id;
    for (;;) {
      const times = this.#replaced.get(id) ?? 0;
      this.#replaced.set(id, times + 1);
      const fitted = fittedName(times === 0 ? id : `${id}\n${times}`, this.#rule, FORM);
      if (!this.#taken.has(fitted)) return fitted;
    }
  }
}
