import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import { readBody, refusalFrom, sendAs } from './call.ts';

/**
 * Fetches a non-JSON response, e.g. a spreadsheet.
 * @throws ApiRefusal if the request is refused or the portal can't be reached
 */
export async function fetchFile<E extends EndpointDefinition>(entry: E, input: InputOf<E>): Promise<Blob> {
  const response = await sendAs(entry, input);
  if (response.ok) return response.blob();
  throw refusalFrom(entry, response, await readBody(response));
}

/** Downloads content as a file. */
export function saveFile(name: string, type: string, content: string | Blob): void {
  const address = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
