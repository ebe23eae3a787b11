/** A different symbol in each loaded copy of this module. */
export const copy = Symbol('copy');
