import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import { UNREACHABLE_TEXT } from '../notices/result-text.ts';
import { labToken } from '../session/lab-token.ts';
import { ApiRefusal } from './api-refusal.ts';
import { callAddressOf, readBody, refusalOf } from './call.ts';

/**
 * Fetches an answer other than JSON from the lab.
 * @throws ApiRefusal when it refuses or cannot be reached
 */
export async function fetchLabFile<E extends EndpointDefinition>(entry: E, input: InputOf<E>): Promise<Blob> {
  const token = labToken();
  const response = await fetch(callAddressOf(entry, input), {
    method: entry.method,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  }).catch(() => {
    throw new ApiRefusal(0, { message: UNREACHABLE_TEXT });
  });
  if (response.ok) return response.blob();
  throw refusalOf(response, await readBody(response));
}
