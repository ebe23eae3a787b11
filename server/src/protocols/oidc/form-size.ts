/** What the library reads of a form; it only says that it cannot. */
export const FORM_MAX_BYTES = 57_344;
