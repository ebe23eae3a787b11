/** What is kept in `sessionStorage` belongs to this tab. */
type Place = 'localStorage' | 'sessionStorage';

/** Reads a string from the browser's storage; null where there is none or storage is switched off. */
export function readStored(key: string, place: Place = 'localStorage'): string | null {
  try {
    return window[place].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a string in the browser's storage, or removes it with null. A full or forbidden storage isn't an error. */
export function writeStored(key: string, value: string | null, place: Place = 'localStorage'): void {
  try {
    if (value === null) window[place].removeItem(key);
    else window[place].setItem(key, value);
  } catch {
    // Private windows may forbid storage: the portal then simply forgets on reload.
  }
}
