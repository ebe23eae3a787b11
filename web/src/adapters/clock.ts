/** The browser's clock in milliseconds since 1970, the one place from which the client takes the time. */
export const now = (): number => Date.now();

/** The browser's clock as a date in local time. */
export const today = (): Date => new Date();
