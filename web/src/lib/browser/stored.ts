/** `sessionStorage` is separate for each tab. */
type StorageArea = 'localStorage' | 'sessionStorage';

/** Reads a string from browser storage. Returns null if it is missing or storage is disabled. */
export function readStored(key: string, area: StorageArea = 'localStorage'): string | null {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a string in browser storage, or removes it if the value is null. Ignores full or blocked storage. */
export function writeStored(key: string, value: string | null, area: StorageArea = 'localStorage'): void {
  try {
    if (value === null) window[area].removeItem(key);
    else window[area].setItem(key, value);
  } catch {
    // Private windows can block storage. The value is then lost on reload.
  }
}
