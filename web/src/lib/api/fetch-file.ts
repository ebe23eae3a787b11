import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import { currentSession, endSession } from '../session/session.ts';
import { readBody, refusalOf, sendSignedIn } from './call.ts';

/**
 * Fetches an answer other than JSON from an endpoint for signed-in people, e.g. a spreadsheet.
 * @throws ApiRefusal when it refuses or cannot be reached; a 401 also signs out
 */
export async function fetchFile<E extends EndpointDefinition>(entry: E, input: InputOf<E>): Promise<Blob> {
  const response = await sendSignedIn(entry, input);
  if (response.ok) return response.blob();
  const refusal = refusalOf(response, await readBody(response));
  // The sign-in page says that the session has ended.
  if (response.status === 401) endSession(currentSession() !== null);
  throw refusal;
}
