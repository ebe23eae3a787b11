/** The browser's clock in milliseconds since 1970; the client reads the time only here. */
export const now = (): number => Date.now();

/** The browser's clock as a date in local time. */
export const today = (): Date => new Date();
