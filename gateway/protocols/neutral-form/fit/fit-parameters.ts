import { createHash } from 'node:crypto';
import type { TargetProfile } from '../../target-profile.ts';
import type { NeutralField, NeutralRequest } from '../request.ts';
import type { FitStep } from './fit-request.ts';
import { thinks } from './fit-reasoning.ts';

/** An e-mail address or a telephone number, which Anthropic refuses as the id of a user. */
const PERSONAL = /@|^\+?[\d\s()-]{7,}$/;

/**
 * Sampling, stop sequences, ids and switches. Each of them is advice: a value is brought into the
 * range that the target takes, and what it refuses is left out. Runs behind `fitReasoning`, whose
 * result says whether the target thinks.
 */
export function fitParameters(request: NeutralRequest, profile: TargetProfile): FitStep {
  const changes = new Changes(request);
  fitSampling(changes, profile);
  if (!profile.topK) changes.leaveOut('topK');
  if (profile.seed === 'refused') changes.leaveOut('seed');
  else if (profile.seed === 'int32') changes.fit('seed', (seed) => seed | 0);
  changes.fit('maxOutputTokens', (limit) => Math.min(limit, profile.outputTokensMax));
  if (!profile.verbosity) changes.leaveOut('verbosity');
  if (!profile.parallelSwitch) changes.leaveOut('parallelToolCalls');
  if (!profile.cacheKey) changes.leaveOut('cacheKey');
  else changes.fit('cacheKey', (key) => shortId(key, CACHE_KEY_CHARACTERS_MAX));
  if (!profile.cacheBreakpoints && hasCacheMarks(request)) changes.leftOut.push('cacheMarks');
  if (profile.userIdCharactersMax === 0) changes.leaveOut('userId');
  else changes.fit('userId', (id) => fittedUserId(id, profile.userIdCharactersMax));
  return { ...fitStop(changes, profile), leftOut: changes.leftOut };
}

/** The longest key that OpenAI takes (error `string_above_max_length`). */
const CACHE_KEY_CHARACTERS_MAX = 64;

function fitSampling(changes: Changes, profile: TargetProfile): void {
  const { sampling, temperature, topPMin } = profile;
  const refused =
    sampling === 'refused' || (sampling === 'without_thinking' && thinks(changes.request, profile));
  if (refused) changes.leaveOut('temperature', 'topP', 'topK');
  if (refused || !profile.penalties) changes.leaveOut('presencePenalty', 'frequencyPenalty');
  changes.fit('temperature', (value) =>
    Math.min(Math.max(value, temperature.min), temperature.max),
  );
  changes.fit('topP', (value) => Math.max(value, topPMin));
  if (profile.temperatureOrTopP && changes.request.temperature !== undefined) {
    changes.leaveOut('topP');
  }
}

/**
 * Weir itself ends a reply at stop sequences that the target does not take. A target gets those
 * that it does take, so that it generates no more than needed. Empty ones mean nothing.
 */
function fitStop(
  { request }: Changes,
  { stopSequencesMax, blankStopSequences }: TargetProfile,
): Pick<FitStep, 'request' | 'restoration'> {
  if (request.stop === undefined) return { request };
  const stop = request.stop.filter((sequence) => sequence !== '');
  const sent = stop
    .filter((sequence) => blankStopSequences || sequence.trim() !== '')
    .slice(0, stopSequencesMax);
  if (sent.length === request.stop.length) return { request };
  const fitted = { ...request, stop: sent.length === 0 ? undefined : sent };
  const isWhole = sent.length === stop.length;
  return isWhole ? { request: fitted } : { request: fitted, restoration: { stopSequences: stop } };
}

function hasCacheMarks({ tools, messages }: NeutralRequest): boolean {
  return (
    tools.some(({ cache }) => cache !== undefined) ||
    messages.some(({ parts }) => parts.some((part) => 'cache' in part))
  );
}

function fittedUserId(id: string, charactersMax: number): string {
  return PERSONAL.test(id) ? digest(id, charactersMax) : shortId(id, charactersMax);
}

/** Returns a short id for one that is too long; distinct ids stay distinct. */
function shortId(id: string, charactersMax: number): string {
  return id.length <= charactersMax ? id : digest(id, charactersMax);
}

function digest(id: string, charactersMax: number): string {
  return createHash('sha256').update(id).digest('hex').slice(0, charactersMax);
}

/** Collects what differs from a request; the request stays the same object while nothing does. */
class Changes {
  request: NeutralRequest;
  readonly leftOut: NeutralField[] = [];

  constructor(request: NeutralRequest) {
    this.request = request;
  }

  leaveOut(...names: readonly (keyof NeutralRequest)[]): void {
    for (const name of names) {
      if (this.request[name] === undefined) continue;
      this.request = { ...this.request, [name]: undefined };
      this.leftOut.push(name);
    }
  }

  fit<Name extends keyof NeutralRequest>(
    name: Name,
    fitted: (value: NonNullable<NeutralRequest[Name]>) => NeutralRequest[Name],
  ): void {
    const value = this.request[name];
    if (value === undefined) return;
    const fitting = fitted(value);
    if (fitting !== value) this.request = { ...this.request, [name]: fitting };
  }
}
