/** Returns the browser's time in Unix milliseconds. All other code must read the time from here. */
export const now = (): number => Date.now();

/** Returns the browser's time as a date. */
export const today = (): Date => new Date();
