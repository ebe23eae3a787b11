import { type RefusalBody, type ResultName, resultOf } from '@orchestrate/shared';

export interface RefusalOptions {
  /** HTTP status, where it is not the code's usual one. */
  status?: number;
  /** Sentence for people, where it is not the code's usual one. */
  message?: string;
  issues?: RefusalBody['issues'];
  /** What the answer says beside the refusal. */
  fields?: Readonly<Record<string, unknown>>;
  /** When it is worth trying again: sent as `Retry-After`. */
  retryAfterSeconds?: number;
}

/** A rule says no. Thrown once, where the rule is; everything above lets it pass. */
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

/** The refusal on the wire (design contract §1, envelope). */
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
