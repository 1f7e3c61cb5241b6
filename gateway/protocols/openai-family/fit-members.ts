import type { MemberEdit } from '../../platform/json/rewrite-members.ts';
import { findMember, memberValue } from '../../platform/json/scan-members.ts';
import { isJsonObject } from '../../platform/json/json-value.ts';
import { EFFORTS, mustNotThink, nearestEffort } from '../neutral-form/fit/fit-reasoning.ts';
import type { Effort } from '../neutral-form/request.ts';
import type { TargetProfile } from '../target-profile.ts';
import type { EditableRequest } from './request-edits.ts';

type SpannedBody = Pick<EditableRequest, 'bytes' | 'members'>;

/** Members that OpenAI's models refuse while they think. */
const SAMPLING = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias'];

/** Adds edits to those of a request and notes what a target does not get. */
export class MemberFit {
  readonly leftOut: string[] = [];
  readonly #request: SpannedBody;
  readonly #edits: MemberEdit[];

  constructor(request: SpannedBody, edits: MemberEdit[]) {
    this.#request = request;
    this.#edits = edits;
  }

  /**
   * Brings the effort of a chat completion to the nearest word that the model takes, and leaves out
   * sampling that it refuses. Nothing is changed for a model of which nothing is known.
   */
  fitChat(profile: TargetProfile, hasTools: boolean): void {
    if (!profile.familyKnown) return;
    const asked = this.#effort(memberValue(this.#request, 'reasoning_effort'));
    const isOff = hasTools && mustNotThink(asked, profile);
    const fitting = isOff ? 'none' : this.#fitting(asked, profile);
    if (fitting !== asked) {
      this.#set('reasoning_effort', fitting === undefined ? undefined : JSON.stringify(fitting));
      if (asked !== undefined && (fitting ?? 'none') === 'none')
        this.leftOut.push('reasoning_effort');
    }
    this.#fitSampling(fitting, profile);
  }

  /** The same of a request for Responses, where the effort is in `reasoning`. */
  fitResponses(profile: TargetProfile): void {
    if (!profile.familyKnown) return;
    const reasoning = memberValue(this.#request, 'reasoning');
    const asked = isJsonObject(reasoning) ? this.#effort(reasoning['effort']) : undefined;
    const fitting = this.#fitting(asked, profile);
    if (isJsonObject(reasoning)) {
      if (profile.thinking === 'none') this.leaveOut('reasoning');
      else if (fitting !== asked) {
        this.#set('reasoning', JSON.stringify({ ...reasoning, effort: fitting }));
      }
    }
    if (!profile.encryptedReasoning) this.#leaveOutEncrypted();
    this.#fitSampling(fitting, profile);
  }

  leaveOut(name: string): void {
    if (this.#member(name) === -1 || this.#isEdited(name)) return;
    this.#edits.push({ name, value: undefined });
    this.leftOut.push(name);
  }

  #fitting(asked: Effort | undefined, profile: TargetProfile): Effort | undefined {
    if (asked === undefined || profile.thinking === 'none') return undefined;
    return nearestEffort(profile.efforts, asked);
  }

  #effort(value: unknown): Effort | undefined {
    return EFFORTS.find((effort) => effort === value);
  }

  #fitSampling(effort: Effort | undefined, { sampling, thinksByDefault }: TargetProfile): void {
    const thinks = effort === undefined ? thinksByDefault : effort !== 'none';
    if (sampling === 'accepted' || (sampling === 'without_thinking' && !thinks)) return;
    for (const name of SAMPLING) this.leaveOut(name);
  }

  #leaveOutEncrypted(): void {
    const include = memberValue(this.#request, 'include');
    if (!Array.isArray(include) || !include.includes(ENCRYPTED_REASONING)) return;
    const rest = include.filter((one) => one !== ENCRYPTED_REASONING);
    this.#set('include', rest.length === 0 ? undefined : JSON.stringify(rest));
  }

  #set(name: string, value: string | undefined): void {
    if (this.#isEdited(name)) return;
    if (value !== undefined || this.#member(name) !== -1) this.#edits.push({ name, value });
  }

  #member(name: string): number {
    return findMember(this.#request.bytes, this.#request.members, name);
  }

  #isEdited(name: string): boolean {
    return this.#edits.some((edit) => edit.name === name);
  }
}

const ENCRYPTED_REASONING = 'reasoning.encrypted_content';
