/**
 * A text for people. `{name}` is a parameter. A text that depends on a number has its forms
 * by plural category, chosen by the parameter `count`.
 */
export type Message = string | PluralMessage;

export interface PluralMessage {
  readonly one?: string;
  readonly other: string;
}

export type ParamValue = string | number;

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type TextOf<Entry> = Entry extends string
  ? Entry
  : Entry extends { readonly other: infer Other extends string }
    ? Other
    : never;

type CountOf<Entry> = Entry extends string ? never : 'count';

/** The parameters a text demands, read from the English text itself. */
export type ParamsIn<Entry> = Record<NamesIn<TextOf<Entry>> | CountOf<Entry>, ParamValue>;

/** The arguments after the key: none when the text has no parameters. */
export type MessageArguments<Entry> = [keyof ParamsIn<Entry>] extends [never]
  ? []
  : [params: ParamsIn<Entry>];

/** The numbers and the plural forms of a language. */
export interface Show {
  readonly number: (value: number) => string;
  readonly plural: (count: number) => Intl.LDMLPluralRule;
}

/** Puts parameters into a text. */
export function fill(
  message: Message,
  params: Readonly<Record<string, ParamValue>>,
  show: Show,
): string {
  const text = typeof message === 'string' ? message : pluralForm(message, params, show.plural);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? show.number(value) : value;
  });
}

function pluralForm(
  message: PluralMessage,
  params: Readonly<Record<string, ParamValue>>,
  plural: Show['plural'],
): string {
  const one = plural(Number(params['count'])) === 'one' ? message.one : undefined;
  return one ?? message.other;
}

/** The same keys in another language; a text with plural forms has them there too. */
export type Translated<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string ? string : PluralMessage;
};
