import type { Finding } from './finding.ts';

/** The state of a rule for one object that it watches. */
export interface AlertState {
  readonly subject: string;
  readonly name: string;
  /** The time since which the rule is true of it; null when it no longer is. */
  readonly sinceMs: number | null;
  /** Its beginning was reported, and its end was not yet. */
  readonly told: boolean;
  readonly toldAtMs: number | null;
}

interface AlertPace {
  readonly forMinutes: number;
  readonly cooldownMinutes: number;
}

export interface AlertSubject {
  readonly id: string;
  readonly name: string;
  readonly value: string;
}

export interface NextStates {
  /** All that is to be remembered; what is not among them is forgotten. */
  readonly states: readonly AlertState[];
  readonly fired: readonly AlertSubject[];
  readonly resolved: readonly AlertSubject[];
}

const MINUTE_MS = 60_000;

/**
 * Returns what follows from new findings. Each thing is reported once when it begins, and once when
 * it is over. Within the cooldown a new beginning is not reported: something that comes and goes
 * would fill a mailbox. What still lasts when the cooldown is over is reported then.
 */
export function nextStates(
  states: readonly AlertState[],
  findings: readonly Finding[],
  { forMinutes, cooldownMinutes, nowMs }: AlertPace & { readonly nowMs: number },
): NextStates {
  const known = new Map(states.map((state) => [state.subject, state]));
  const found = new Map(findings.map((finding) => [finding.subject, finding]));
  const next: { states: AlertState[]; fired: AlertSubject[]; resolved: AlertSubject[] } = {
    states: [],
    fired: [],
    resolved: [],
  };
  const isCool = ({ toldAtMs }: AlertState): boolean =>
    toldAtMs === null || nowMs - toldAtMs >= cooldownMinutes * MINUTE_MS;
  for (const subject of new Set([...known.keys(), ...found.keys()])) {
    const state = known.get(subject);
    const finding = found.get(subject);
    const name = finding?.name ?? state?.name ?? '';
    const event = { id: subject, name, value: finding?.value ?? '' };
    if (finding?.verdict === 'unknown') {
      if (state !== undefined) next.states.push(state);
    } else if (finding?.verdict === 'true') {
      const { sinceMs = null, ...rest } = state ?? { told: false, toldAtMs: null };
      const now = { subject, ...rest, name, sinceMs: sinceMs ?? nowMs };
      const isDue = nowMs - now.sinceMs >= forMinutes * MINUTE_MS && isCool(now);
      if (!now.told && isDue) {
        next.fired.push(event);
        next.states.push({ ...now, told: true, toldAtMs: nowMs });
      } else next.states.push(now);
    } else if (state !== undefined) {
      if (state.told) next.resolved.push(event);
      if (!isCool(state)) next.states.push({ ...state, sinceMs: null, told: false });
    }
  }
  return next;
}
