import type { RefusalBody, ResultName } from '@orchestrate/shared';

/** A call that the server refused, or that didn't reach it (`status` 0). `message` is a translated sentence for the user. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly status: number;
  readonly resultCode: number;
  readonly resultName: ResultName | undefined;
  readonly requestId: string | undefined;
  readonly issues: { path: string; message: string }[];
  /** The whole response, e.g. with the current state of an edited item that has changed since (412). */
  readonly body: object;

  constructor(status: number, body: Partial<RefusalBody> & { message: string }) {
    super(body.message);
    this.status = status;
    this.resultCode = body.resultCode ?? 7;
    this.resultName = body.resultName;
    this.requestId = body.requestId;
    this.issues = body.issues ?? [];
    this.body = body;
  }
}
