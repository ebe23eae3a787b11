/**
 * The authentication context that a client may request in `acr_values`: the number shown by the browser was picked as
 * well.
 */
export const STEP_UP = 'urn:orchestrate:acr:step-up';

/** Whether an authorization request asks for step-up. @param acrValues separated by spaces */
export const asksForStepUp = (acrValues: unknown): boolean =>
  typeof acrValues === 'string' && acrValues.split(' ').includes(STEP_UP);
