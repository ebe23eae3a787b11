import type { RefusalBody } from '../endpoint.ts';
import type { ResultName } from '../result-codes.ts';

interface Refused {
  status: number;
  resultCode: number;
  resultName: ResultName;
  message: string;
  issues?: RefusalBody['issues'];
}

/**
 * The portal received the call and refused it. `resultCode` is one of the 96, `status` the HTTP status it came with.
 */
export class PortalRefusal extends Error {
  override readonly name = 'PortalRefusal';
  readonly status: number;
  readonly resultCode: number;
  readonly resultName: ResultName;
  /** What is wrong with which field. */
  readonly issues: NonNullable<RefusalBody['issues']>;

  constructor(refusal: Refused) {
    super(refusal.message);
    this.status = refusal.status;
    this.resultCode = refusal.resultCode;
    this.resultName = refusal.resultName;
    this.issues = refusal.issues ?? [];
  }
}

/** There was no answer, or not one of the portal's: the network, the address or a proxy is to blame. */
export class PortalUnreachable extends Error {
  override readonly name = 'PortalUnreachable';

  constructor(baseUrl: string, cause?: unknown) {
    super(`The portal at ${baseUrl} cannot be reached.`, { cause });
  }
}
