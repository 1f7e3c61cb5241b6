/**
 * The form of the rules by which a strict upstream refuses requests. A rule says what is wrong; its
 * vendor says it in the vendor's own words.
 */
import type { View } from './view.ts';

export type Json = Readonly<Record<string, unknown>>;
export type Path = readonly (string | number)[];

export type Fault = { readonly path: Path } & (
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unsupported'; readonly instead?: string | undefined }
  | { readonly kind: 'value'; readonly value: unknown; readonly allowed: readonly unknown[] }
  | { readonly kind: 'below' | 'above'; readonly value: number; readonly limit: number }
  | { readonly kind: 'long'; readonly length: number; readonly max: number }
  | { readonly kind: 'many'; readonly count: number; readonly max: number }
  | { readonly kind: 'pattern'; readonly pattern: string; readonly value: string }
  | ({ readonly kind: 'schema'; readonly owner: string } & SchemaFault)
  /** A sentence that no other kind has, as the vendor says it. */
  | { readonly kind: 'sentence'; readonly message: string; readonly code?: string }
);

/** A fault at one place of a JSON schema. */
export interface SchemaFault {
  readonly place: Path;
  readonly problem:
    | 'root_type'
    | 'root_alternatives'
    | 'no_properties'
    | 'no_items'
    | 'keyword'
    | 'type_list'
    | 'enum_value'
    | 'format'
    | 'open_object'
    | 'not_required'
    | 'key';
  /** The keyword, property or format that is wrong; '' where the problem says it all. */
  readonly word: string;
  /** The type of the schema at the place. */
  readonly type: string;
}

export type Check = (body: Json, view: View) => Fault | undefined;

export interface Rule {
  /** Names the rule in reports. */
  readonly name: string;
  /** The source of the rule: an SDK's types, LiteLLM, modelparams, or a public report. */
  readonly source: string;
  readonly check: Check;
}

export interface Refused {
  readonly status: number;
  readonly body: unknown;
}

export type Spoken =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'gemini'
  | 'bedrock-converse';

/** A vendor's rules: those of every model, and those of each family, by a model's name. */
export interface Vendor {
  readonly id: string;
  readonly protocol: Spoken;
  readonly refuse: (fault: Fault, model: string) => Refused;
  readonly rules: readonly Rule[];
  readonly families: Readonly<Record<string, readonly Rule[]>>;
}

export function rule(name: string, source: string, check: Check): Rule {
  return { name, source, check };
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of an array with their places; none of anything else. */
export function items(value: unknown): readonly (readonly [number, Json])[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown, index) => (isObject(item) ? [[index, item] as const] : []));
}

/** The value at a path such as `reasoning.effort`. */
export function valueAt(body: Json, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), body);
}

/** The first fault of several places. */
export function first<T>(
  places: Iterable<T>,
  check: (place: T) => Fault | undefined,
): Fault | undefined {
  for (const place of places) {
    const fault = check(place);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
