import { type RefusalBody, type ResultName, resultOf } from '@orchestrate/shared';

export interface RefusalOptions {
  /** HTTP status, if it is not the code's usual one. */
  status?: number;
  /** Sentence for people, if it is not the code's usual one. */
  message?: string;
  issues?: RefusalBody['issues'];
  /** Further fields of the answer. */
  fields?: Readonly<Record<string, unknown>>;
  /** When to try again: sent as `Retry-After`. */
  retryAfterSeconds?: number;
}

/** A rule refuses a request. Thrown where the rule is; the callers above do not catch it. */
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

/** The refusal on the wire (contract §3). */
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
