export type Keeper = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Forgets with the page. */
export function memoryStorage(): Keeper {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

/**
 * The browser's storage, or one that forgets where storage is blocked: `localStorage` for
 * preferences, `sessionStorage` for what a tab has begun. API keys, tokens and sessions are never
 * put there.
 */
export function browserStorage(
  document: Document,
  kind: 'localStorage' | 'sessionStorage' = 'localStorage',
): Keeper {
  try {
    const storage = document.defaultView?.[kind];
    if (storage !== undefined) {
      storage.getItem('weir');
      return storage;
    }
  } catch {
    // Blocked by the browser's settings.
  }
  return memoryStorage();
}
