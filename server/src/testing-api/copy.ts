/** Differs in each copy of the program. */
export const copy = Symbol('copy');
