import { computed, inject, signal, type Signal } from '@angular/core';
import type { LANGUAGES } from '@weir/shared/people/users';
import { lazily } from '../format/lazily';
import { fill, type Message, type MessageArguments } from './message';
import type { English } from './en/index';

export type Language = (typeof LANGUAGES)[number];
export type MessageKey = keyof English;
/** A key whose text has no parameters. */
export type PlainKey = {
  [Key in MessageKey]: MessageArguments<English[Key]> extends [] ? Key : never;
}[MessageKey];

/** Every text of one language. */
export type Messages = Readonly<Record<MessageKey, Message>>;

export type Translate = <Key extends MessageKey>(
  key: Key,
  ...params: MessageArguments<English[Key]>
) => string;

/** The users whose pages have the texts: operators have those of everyone, too. */
export type Audience = 'everyone' | 'operators';

type LoadTexts = (language: Language, audience: Audience) => Promise<Partial<Messages>>;

/** Loads a language's texts, a file of its own for each audience. */
const LOADERS: Readonly<Record<Language, Record<Audience, () => Promise<Partial<Messages>>>>> = {
  en: {
    everyone: async () => (await import('./en/index')).english,
    operators: async () => (await import('./en/operators')).operatorEnglish,
  },
  'zh-CN': {
    everyone: async () => (await import('./zh-cn/index')).chinese,
    operators: async () => (await import('./zh-cn/operators')).operatorChinese,
  },
};

/** Names of the languages in themselves, as people look for their own. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  'zh-CN': '简体中文',
};

/** The best language for a browser that states `wanted`, best first. */
export function preferredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    if (tag.toLowerCase().startsWith('zh')) return 'zh-CN';
    if (tag.toLowerCase().startsWith('en')) return 'en';
  }
  return 'en';
}

/**
 * The texts and the locale of the moment. `t` reads signals, so a template that calls it changes
 * with the language by themselves.
 */
export class I18n {
  readonly #messages = signal<Partial<Messages> | undefined>(undefined);
  readonly #language = signal<Language>('en');
  readonly #load: LoadTexts;
  #audiences: readonly Audience[] = ['everyone'];

  readonly language = this.#language.asReadonly();
  readonly ready = computed(() => this.#messages() !== undefined);
  readonly #show = computed(() => {
    const language = this.#language();
    // Made when a text needs one: together they cost more than all texts of a page.
    const numbers = lazily(() => new Intl.NumberFormat(language));
    const plural = lazily(() => new Intl.PluralRules(language));
    return {
      number: (value: number) => numbers().format(value),
      plural: (count: number) => plural().select(count),
    };
  });

  constructor(load: LoadTexts = (language, audience) => LOADERS[language][audience]()) {
    this.#load = load;
  }

  /** Texts and language change together: never a page half in one and half in the other. */
  async use(language: Language): Promise<void> {
    const parts = await Promise.all(this.#audiences.map((one) => this.#load(language, one)));
    this.#messages.set(parts.reduce((all, part) => ({ ...all, ...part })));
    this.#language.set(language);
  }

  /** Called before a page of operators is shown. */
  async useOperatorTexts(): Promise<void> {
    if (this.#audiences.includes('operators')) return;
    const language = this.#language();
    const texts = await this.#load(language, 'operators');
    this.#audiences = ['everyone', 'operators'];
    if (language === this.#language()) this.#messages.update((known) => ({ ...known, ...texts }));
    else await this.use(this.#language());
  }

  readonly t: Translate = (key, ...params) => {
    const message = this.#messages()?.[key];
    // Only before the first language has arrived; nothing is shown then.
    if (message === undefined) return '';
    return fill(message, params[0] ?? {}, this.#show());
  };
}

/** Something to choose, and the words for it. */
export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
}

/** A fixed set of values to choose from, in words. Needs an injection context. */
export function optionsOf<Value extends string>(
  values: readonly Value[],
  words: (value: Value) => PlainKey,
): Signal<readonly Option<Value>[]> {
  const { t } = inject(I18n);
  return computed(() => values.map((value) => ({ value, label: t(words(value)) })));
}
