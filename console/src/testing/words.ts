import { I18n, type Language } from '../app/core/i18n/i18n';

/** The console's words in one language, loaded as the application loads them. */
export async function wordsIn(language: Language = 'en'): Promise<I18n> {
  const i18n = new I18n();
  await i18n.use(language);
  await i18n.useOperatorTexts();
  return i18n;
}
