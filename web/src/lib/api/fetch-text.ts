import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import { callAddressOf } from './call.ts';

/**
 * Fetches an answer other than JSON from a public endpoint, e.g. XML.
 * @throws Error when it refuses or cannot be reached
 */
export async function fetchText<E extends EndpointDefinition>(entry: E, input: InputOf<E>): Promise<string> {
  const response = await fetch(callAddressOf(entry, input), { method: entry.method });
  if (!response.ok) throw new Error(`${entry.method} ${entry.path} was refused with HTTP ${response.status}.`);
  return response.text();
}
