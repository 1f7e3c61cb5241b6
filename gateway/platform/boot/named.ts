import { ConfigError } from '../config/config.ts';

/** A store that cannot be reached at the start is most often a wrong address: says which variable holds it. */
export async function named<T>(
  variable: string,
  store: string,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const reason = error instanceof Error && error.message !== '' ? error.message : 'no answer';
    throw new ConfigError(
      `${store} cannot be used (${reason}). Check that it runs and that ${variable} is its address.`,
    );
  }
}
