import type { Refusal } from '../../../platform/errors/refusal.ts';
import {
  isJsonObject,
  isOwnJsonObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { invalidValue, wrongType } from '../../fields/field-faults.ts';
import type { RealtimeTerms } from '../../realtime.ts';

/** The places of the model that transcribes: in today's shape, and in that of the beta. */
const TRANSCRIPTION_PATHS = [
  ['audio', 'input', 'transcription'],
  ['input_audio_transcription'],
] as const;

/** The models of a session, under the client's names and the upstream's. */
export class SessionModels {
  readonly #terms: RealtimeTerms;
  /** The public IDs of models that the client has named, by the upstream's names. */
  readonly #named = new Map<string, string>();
  /** The public ID of the one named last, until the upstream says which is in force. */
  #asked: string | null = null;
  /** The one in force; null: none. */
  #inForce: string | null = null;

  constructor(terms: RealtimeTerms) {
    this.#terms = terms;
  }

  get transcribes(): boolean {
    return this.#inForce !== null || this.#asked !== null;
  }

  /** The public ID of the model that transcripts are billed by. */
  get transcription(): string {
    return this.#inForce ?? this.#asked ?? this.#terms.publicModel;
  }

  /**
   * Puts the upstream's names into a client's `session.update`.
   * @param session changed in place
   */
  toUpstream(session: OwnJsonObject): Refusal | undefined {
    const { publicModel, upstreamModel } = this.#terms;
    const { model, type } = session;
    if (type !== undefined && type !== 'realtime') {
      return invalidValue('session.type', 'Sessions are of the type "realtime" here.');
    }
    if (model !== undefined) {
      if (model !== publicModel) {
        return invalidValue(
          'session.model',
          `The model of a session cannot be changed: this one is for "${publicModel}". Open another session.`,
        );
      }
      session['model'] = upstreamModel;
    }
    for (const path of TRANSCRIPTION_PATHS) {
      const refused = this.#renameTranscription(session, path);
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  /** Puts the client's names into a session as the upstream describes it. */
  toClient(session: OwnJsonObject): void {
    if (session['model'] !== undefined) session['model'] = this.#terms.publicModel;
    for (const path of TRANSCRIPTION_PATHS) {
      const transcription = ownObjectAt(session, path);
      if (transcription?.['model'] === undefined) continue;
      // A change that the upstream refuses must not change the price of what it goes on doing.
      this.#inForce = this.#named.get(stringOf(transcription['model'])) ?? this.transcription;
      transcription['model'] = this.#inForce;
    }
    // It would let the client go on at the upstream, past every bill.
    if (session['client_secret'] !== undefined) session['client_secret'] = null;
  }

  #renameTranscription(session: OwnJsonObject, path: readonly string[]): Refusal | undefined {
    const transcription = ownObjectAt(session, path);
    const model = transcription?.['model'];
    if (transcription === undefined || model === undefined) return undefined;
    const param = ['session', ...path, 'model'].join('.');
    if (typeof model !== 'string') return wrongType(param, 'a string', model);
    const upstreamName = this.#terms.upstreamNameOf(model);
    if (typeof upstreamName !== 'string') return { ...upstreamName, param };
    transcription['model'] = upstreamName;
    this.#named.set(upstreamName, model);
    this.#asked = model;
    return undefined;
  }
}

function ownObjectAt(from: OwnJsonObject, path: readonly string[]): OwnJsonObject | undefined {
  let at: unknown = from;
  for (const name of path) at = isJsonObject(at) ? at[name] : undefined;
  return isOwnJsonObject(at) ? at : undefined;
}
