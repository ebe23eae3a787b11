import type { ResultName } from '../result-codes.ts';

/**
 * The portal received the call and refused it. `resultCode` is one of the 96, `status` the HTTP status it came with.
 */
export class AuthenticatorRefusal extends Error {
  override readonly name = 'AuthenticatorRefusal';
  readonly status: number;
  readonly resultCode: number;
  readonly resultName: ResultName;

  constructor(refusal: { status: number; resultCode: number; resultName: ResultName; message: string }) {
    super(refusal.message);
    this.status = refusal.status;
    this.resultCode = refusal.resultCode;
    this.resultName = refusal.resultName;
  }
}

/** There was no answer, or not one of the portal's: the network, the address or a proxy is to blame. */
export class PortalUnreachable extends Error {
  override readonly name = 'PortalUnreachable';

  constructor(baseUrl: string, cause?: unknown) {
    super(`The portal at ${baseUrl} cannot be reached.`, { cause });
  }
}
