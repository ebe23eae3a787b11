/** `sessionStorage` belongs to this tab. */
type StorageArea = 'localStorage' | 'sessionStorage';

/** Reads a string from the browser's storage; returns null if it is missing or storage is disabled. */
export function readStored(key: string, area: StorageArea = 'localStorage'): string | null {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a string in the browser's storage, or removes it if null. Ignores full or blocked storage. */
export function writeStored(key: string, value: string | null, area: StorageArea = 'localStorage'): void {
  try {
    if (value === null) window[area].removeItem(key);
    else window[area].setItem(key, value);
  } catch {
    // Private windows can block storage; the value is then lost on reload.
  }
}
