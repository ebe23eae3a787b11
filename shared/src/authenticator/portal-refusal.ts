import type { RefusalBody } from '../endpoint.ts';
import type { ResultName } from '../result-codes.ts';

interface Refused {
  status: number;
  resultCode: number;
  resultName: ResultName;
  message: string;
  issues?: RefusalBody['issues'];
}

/** Thrown if the portal refuses a call. `resultCode` is one of the 96; `status` is the HTTP status of the response. */
export class PortalRefusal extends Error {
  override readonly name = 'PortalRefusal';
  readonly status: number;
  readonly resultCode: number;
  readonly resultName: ResultName;
  /** Invalid fields and the problem with each. */
  readonly issues: NonNullable<RefusalBody['issues']>;

  constructor(refusal: Refused) {
    super(refusal.message);
    this.status = refusal.status;
    this.resultCode = refusal.resultCode;
    this.resultName = refusal.resultName;
    this.issues = refusal.issues ?? [];
  }
}

/** Thrown if there was no response, or none from the portal, because of the network, the URL or a proxy. */
export class PortalUnreachable extends Error {
  override readonly name = 'PortalUnreachable';

  constructor(baseUrl: string, cause?: unknown) {
    super(`The portal at ${baseUrl} cannot be reached.`, { cause });
  }
}
