import { Refusal } from '../../platform/refusal.ts';

/** A refusal of invalid input; the sentence is for people and is attached to the field. */
export const metadataInvalid = (message: string, path = 'metadata'): Refusal =>
  new Refusal('INVALID_REQUEST', { issues: [{ path, message }] });
