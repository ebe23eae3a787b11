/** Message for a missing required field. */
export const FIELD_REQUIRED = 'This field is required';

/** Message for null in an optional field. */
export const OMIT_FIELD = 'This cannot be empty: provide a value or omit the field';

/** Message for any other type than a string. */
export const NOT_A_STRING = 'This must be a string';
