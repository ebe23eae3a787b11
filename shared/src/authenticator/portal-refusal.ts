import type { RefusalBody } from '../endpoint.ts';
import type { ResultName } from '../result-codes.ts';

interface Refused {
  status: number;
  resultCode: number;
  resultName: ResultName;
  message: string;
  /** The portal's own text, if `message` says more. Default: `message`. */
  sentence?: string;
  issues?: RefusalBody['issues'];
}

/**
 * Thrown when the portal refuses a call. `resultCode` is one of the 96 result codes, and `status` is the HTTP status
 * of the response.
 */
export class PortalRefusal extends Error {
  override readonly name = 'PortalRefusal';
  readonly status: number;
  readonly resultCode: number;
  readonly resultName: ResultName;
  /** The portal's own text for users. The error's `message` can also name the call and the invalid fields. */
  readonly sentence: string;
  /** Invalid fields with the problem found in each. */
  readonly issues: NonNullable<RefusalBody['issues']>;

  constructor(refusal: Refused) {
    super(refusal.message);
    this.status = refusal.status;
    this.resultCode = refusal.resultCode;
    this.resultName = refusal.resultName;
    this.sentence = refusal.sentence ?? refusal.message;
    this.issues = refusal.issues ?? [];
  }
}

/** Thrown if the portal sent no response because of the network, the URL or a proxy. */
export class PortalUnreachable extends Error {
  override readonly name = 'PortalUnreachable';

  constructor(baseUrl: string, cause?: unknown) {
    super(`Couldn't reach the portal at ${baseUrl}.`, { cause });
  }
}
