import { type RefusalBody, type ResultName, resultOf } from '@orchestrate/shared';

export interface RefusalOptions {
  /** HTTP status, if it differs from the code's default. */
  status?: number;
  /** Message for users, if it differs from the code's default. */
  message?: string;
  issues?: RefusalBody['issues'];
  /** Additional response fields. */
  fields?: Readonly<Record<string, unknown>>;
  /** Value of the `Retry-After` header, in seconds. */
  retryAfterSeconds?: number;
}

/** Thrown if a rule refuses a request. Handlers let it propagate. */
export class Refusal extends Error {
  readonly result: ResultName;
  readonly status: number | undefined;
  readonly issues: RefusalBody['issues'];
  readonly fields: RefusalOptions['fields'];
  readonly retryAfterSeconds: number | undefined;

  constructor(result: ResultName, { status, message, issues, fields, retryAfterSeconds }: RefusalOptions = {}) {
    super(message ?? resultOf(result).sentence);
    this.name = 'Refusal';
    this.result = result;
    this.status = status;
    this.issues = issues;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Refuses one field of a request. @param path field, e.g. `match.email` @throws Refusal INVALID_REQUEST */
export function refuseField(path: string, message: string): never {
  throw new Refusal('INVALID_REQUEST', { message, issues: [{ path, message }] });
}

/** Returns the response body of a refusal (contract §3). */
export function refusalBody(refusal: Refusal, requestId: string): RefusalBody {
  return {
    resultCode: resultOf(refusal.result).code,
    resultName: refusal.result,
    message: refusal.message,
    requestId,
    ...(refusal.issues && { issues: refusal.issues }),
    ...refusal.fields,
  };
}
