import type { MeterId } from '@weir/shared/prices/meters';
import type { Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { invalidValue, wrongType } from '../../fields/field-faults.ts';
import { fieldOf, GuardedFields, listOf } from '../fields.ts';
import type { RequestLimits } from '../../protocol.ts';
import { checkNames } from './check-names.ts';

/** The parts of `generationConfig` that Weir acts on. */
export interface ConfigFacts {
  readonly maxOutputTokens: number | null;
  readonly choices: number;
  /** Kinds of output with a price of their own. */
  readonly meters: readonly MeterId[];
  /** The client wants to see what the model thought. */
  readonly includeThoughts: boolean;
}

const NO_CONFIG: ConfigFacts = {
  maxOutputTokens: null,
  choices: 1,
  meters: [],
  includeThoughts: false,
};

const GUARDED = new GuardedFields([
  'maxOutputTokens',
  'candidateCount',
  'responseModalities',
  'responseFormat',
]);

const PATH = 'generationConfig.';

export function checkConfig(config: unknown, limits: RequestLimits): ConfigFacts | Refusal {
  if (config === undefined) return NO_CONFIG;
  if (!isJsonObject(config)) return wrongType('generationConfig', 'an object', config);
  const maxOutputTokens = fieldOf(config, 'maxOutputTokens');
  const choices = fieldOf(config, 'candidateCount');
  const fault =
    checkNames(config, GUARDED, PATH) ??
    checkWhole('maxOutputTokens', maxOutputTokens, Number.MAX_SAFE_INTEGER) ??
    checkWhole('candidateCount', choices, limits.choicesMax);
  if (fault !== undefined) return fault;
  const thinking = fieldOf(config, 'thinkingConfig');
  return {
    maxOutputTokens: typeof maxOutputTokens === 'number' ? maxOutputTokens : null,
    choices: typeof choices === 'number' ? choices : 1,
    meters: metersOf(config),
    includeThoughts: isJsonObject(thinking) && fieldOf(thinking, 'includeThoughts') === true,
  };
}

/** Google's parser takes the numbers of an enumeration too (`GenerationConfig.Modality`). */
const MODALITIES = ['UNSPECIFIED', 'TEXT', 'IMAGE', 'AUDIO'];

/** Returns the kinds of output, in capitals, with the field that asks for each. */
export function modalitiesOf(config: JsonObject): ReadonlyMap<string, string> {
  const asked = new Map<string, string>();
  for (const modality of listOf(fieldOf(config, 'responseModalities'))) {
    const name = typeof modality === 'number' ? (MODALITIES[modality] ?? 'UNSPECIFIED') : modality;
    // Google's own examples write "Image" as well.
    if (typeof name === 'string') asked.set(name.toUpperCase(), 'responseModalities');
  }
  for (const format of listOf(fieldOf(config, 'responseFormat'))) {
    if (!isJsonObject(format)) continue;
    for (const [name, value] of Object.entries(format)) {
      if (value !== null) asked.set(name.toUpperCase(), 'responseFormat');
    }
  }
  return asked;
}

function metersOf(config: JsonObject): readonly MeterId[] {
  const modalities = modalitiesOf(config);
  const meters: MeterId[] = [];
  if (modalities.has('IMAGE')) meters.push('imageOutput');
  if (modalities.has('AUDIO')) meters.push('audioOutput');
  return meters;
}

function checkWhole(field: string, value: unknown, max: number): Refusal | undefined {
  if (value === undefined) return undefined;
  const name = PATH + field;
  if (typeof value !== 'number') return wrongType(name, 'a whole number', value);
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return undefined;
  const range = max === Number.MAX_SAFE_INTEGER ? 'of at least 1' : `from 1 to ${max}`;
  return invalidValue(name, `"${name}" must be a whole number ${range}.`);
}
