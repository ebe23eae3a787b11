import type { RefusalBody, ResultName } from '@orchestrate/shared';

/**
 * Thrown if the server refused a call or couldn't be reached (`status` 0). `message` is a translated sentence for the
 * user.
 */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly status: number;
  readonly resultCode: number;
  readonly resultName: ResultName | undefined;
  readonly requestId: string | undefined;
  readonly issues: { path: string; message: string }[];
  /**
   * The entire response body. With status 412, for example, it contains the current state of an item that has changed
   * since it was loaded.
   */
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
