import type { ExchangeOutcome } from '@orchestrate/shared';
import type { LdapAttribute } from './attributes.ts';
import type { LdapFilter } from './filter.ts';

/** Tags of supported messages (RFC 4511 §4). */
export const TAG = {
  bindRequest: 0x60,
  bindResponse: 0x61,
  unbindRequest: 0x42,
  searchRequest: 0x63,
  searchResultEntry: 0x64,
  searchResultDone: 0x65,
  modifyRequest: 0x66,
  modifyResponse: 0x67,
  addRequest: 0x68,
  addResponse: 0x69,
  delRequest: 0x4a,
  delResponse: 0x6b,
  modDnRequest: 0x6c,
  modDnResponse: 0x6d,
  compareRequest: 0x6e,
  compareResponse: 0x6f,
  abandonRequest: 0x50,
  extendedRequest: 0x77,
  extendedResponse: 0x78,
  controls: 0xa0,
} as const;

/** BER types (X.690 §8). */
export const TYPE = { boolean: 0x01, octetString: 0x04, sequence: 0x30, set: 0x31 } as const;

/** Control OID for simple paged results (RFC 2696). */
export const PAGED_RESULTS = '1.2.840.113556.1.4.319';

/** The result codes that the portal returns (RFC 4511 §4.1.9). */
export const RESULT = {
  success: 0,
  operationsError: 1,
  protocolError: 2,
  sizeLimitExceeded: 4,
  compareFalse: 5,
  compareTrue: 6,
  authMethodNotSupported: 7,
  adminLimitExceeded: 11,
  unavailableCriticalExtension: 12,
  noSuchAttribute: 16,
  noSuchObject: 32,
  invalidDnSyntax: 34,
  invalidCredentials: 49,
  insufficientAccessRights: 50,
  busy: 51,
  unavailable: 52,
  unwillingToPerform: 53,
} as const;

const OUTCOMES = new Map<number, ExchangeOutcome>(
  Object.entries(RESULT).map(([name, code]) => [code, name as keyof typeof RESULT]),
);
/** Returns the name under which the journal records a result. */
export const outcomeOf = ({ code }: LdapResult): ExchangeOutcome => OUTCOMES.get(code) ?? 'protocolError';

export interface LdapResult {
  code: number;
  message?: string | undefined;
}

export interface LdapEntry {
  dn: string;
  attributes: Readonly<Partial<Record<LdapAttribute, readonly string[]>>>;
}

/** Maximum number of entries per search or page, and of members per group entry. */
export const ENTRIES_MAX = 1_000;

/** Search scopes (RFC 4511 §4.5.1.2). */
export const SCOPE = { base: 0, one: 1, subtree: 2 } as const;

export interface SearchRequest {
  base: string;
  scope: number;
  sizeLimit: number;
  typesOnly: boolean;
  filter: LdapFilter;
  /** Names of the requested attributes, in lower case. */
  attributes: ReadonlySet<string>;
}

/** A request for one page of results (RFC 2696 §2). */
export interface Page {
  /** Page size. 0 ends the search. */
  size: number;
  /** Cookie returned with the previous page, or '' for the first page. */
  cookie: string;
}

export interface Controls {
  /** Result to return if the request's controls or filter aren't supported. */
  refused: LdapResult | undefined;
  page: Page | undefined;
}

export type LdapRequest = { id: number } & Controls &
  (
    | { op: 'bind'; version: number; dn: string; password: string | undefined }
    | ({ op: 'search' } & SearchRequest)
    | { op: 'compare'; dn: string; attribute: string; value: string }
    | { op: 'extended'; name: string }
    | { op: 'unbind' | 'abandon' }
    | { op: 'other'; answeredBy: number }
  );

/** Returns the tag of the response to a request. */
export const responseTagOf = (request: LdapRequest): number => {
  if (request.op === 'bind') return TAG.bindResponse;
  if (request.op === 'search') return TAG.searchResultDone;
  if (request.op === 'compare') return TAG.compareResponse;
  return request.op === 'other' ? request.answeredBy : TAG.extendedResponse;
};
