/** What is said of a field for which nothing is given. */
export const FIELD_REQUIRED = 'This field is required';

/** What is said of null for a field that is not required. */
export const LEAVE_IT_OUT = 'This cannot be empty: provide a value or omit the field';

/** What is said where a text is wanted and something else is given. */
export const NOT_A_TEXT = 'This must be a string';
