import type { ManagedSettingsView } from '@weir/shared/people/device-logins';

type Settings = ManagedSettingsView['settings'];

/** Settings as a person edits them; '' for none. */
export function shownSettings(settings: Settings): string {
  return settings === null ? '' : JSON.stringify(settings, null, 2);
}

/** Reads what a person wrote: settings, null for an empty field, or what is wrong with it. */
export function readSettings(
  text: string,
): { readonly settings: Settings; readonly fault?: undefined } | { readonly fault: string } {
  if (text.trim() === '') return { settings: null };
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { settings: value as Settings } : { fault: '{ … }' };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
