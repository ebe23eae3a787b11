/** Reads a string from the browser's storage; null where there is none or storage is switched off. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a string in the browser's storage, or removes it with null. A full or forbidden storage isn't an error. */
export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Private windows may forbid storage: the portal then simply forgets on reload.
  }
}
