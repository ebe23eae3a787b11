import { Refusal } from '../../platform/refusal.ts';

/** What was given is not what it should be; the sentence is for people, and stands on its field. */
export const metadataInvalid = (message: string, path = 'metadata'): Refusal =>
  new Refusal('INVALID_REQUEST', { issues: [{ path, message }] });
