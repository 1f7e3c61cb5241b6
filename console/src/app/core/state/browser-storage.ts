type Keeper = Pick<Storage, 'getItem' | 'setItem'>;

/**
 * The browser's storage for preferences, or one that forgets where storage is blocked. Keys, tokens and
 * sessions are never put there.
 */
export function browserStorage(document: Document): Keeper {
  try {
    const storage = document.defaultView?.localStorage;
    if (storage !== undefined) {
      storage.getItem('weir');
      return storage;
    }
  } catch {
    // Blocked by the browser's settings.
  }
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  };
}
