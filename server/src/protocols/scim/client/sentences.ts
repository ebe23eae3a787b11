import { OutsideRefused } from '#platform/adapters/outside-connection.ts';
import { isObject } from '../json.ts';
import type { NoResponse, ServiceResponse } from './ask-service.ts';

const DETAIL_MAX_CHARACTERS = 300;

/** Returns the service's own error message (RFC 7644 §3.12) as a suffix for a sentence. */
export function detailOf({ body }: Pick<ServiceResponse, 'body'>): string {
  const { detail, scimType } = isObject(body) ? body : {};
  const text = [scimType, detail].filter((part) => typeof part === 'string' && part !== '').join(': ');
  return text === '' ? '' : `: ${text.slice(0, DETAIL_MAX_CHARACTERS)}`;
}

export const tooLargeMessage = (status: number): string => `The service responded with more than 4 MiB (${status})`;

/** Explains a missing response without revealing what runs on this machine (decision 081). */
export function whyNoResponse({ reason, isTooLate }: NoResponse): string {
  if (isTooLate) return 'No response within 15 seconds';
  return reason instanceof OutsideRefused ? reason.message : "Couldn't reach this address";
}
