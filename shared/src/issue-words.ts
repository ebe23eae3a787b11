/** What is said of a field for which nothing is given. */
export const FIELD_REQUIRED = 'This field is required';

/** What is said of null for a field that is not required. */
export const LEAVE_IT_OUT = 'Nothing is given here: give a value, or leave the field out';

/** What is said where a text is wanted and something else is given. */
export const NOT_A_TEXT = 'This is not a text';
