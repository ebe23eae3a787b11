import type { memberRepo } from '@orchestrate/db';
import type { EndpointDefinition, RequestOf } from '@orchestrate/shared';
import type { Answer } from './answers/answer.ts';
import type { AuditActor } from './callers/actors.ts';
import type { Caller } from './callers/caller.ts';
import type { UploadedFile } from './requests/uploads.ts';
import type { Version } from './versions.ts';

export type Handler<D extends EndpointDefinition> = (call: Call<D>) => Answer<D> | Promise<Answer<D>>;

type SignedIn = { who: 'signed-in' | 'permission' | 'member' };

/** What a handler receives. */
export type Call<D extends EndpointDefinition> = RequestOf<D> & {
  /** Present if the entry requires a signed-in caller. */
  caller: D['access'] extends SignedIn ? Caller : undefined;
  /** Who makes the changes of this call, for the audit trail. */
  actor: AuditActor;
  /** The member the request is about, once the caller's right to act on them has been checked. */
  target: D['access'] extends { who: 'member' } ? memberRepo.MemberRow : undefined;
  /** The file of an upload. */
  file: D extends { file: { isOptional: true } }
    ? UploadedFile | undefined
    : D extends { multipart: object }
      ? UploadedFile
      : undefined;
  /** Version of the thing that the call reads or edits, if its entry declares one. */
  version: D extends { versioned: string } ? Version : undefined;
  /** Address of the caller's end of the connection. */
  ip: string;
  userAgent: string;
  requestId: string;
  /** The request's `Cookie` header. */
  cookie: string | undefined;
  /** Sends a `Set-Cookie` header with the answer, also with a refusal. */
  setCookie(header: string): void;
  /** Whether the caller still waits for the answer: what only the answer tells of can be taken back. */
  isWaiting(): Promise<boolean>;
  /** Whether a browser navigates here, and so wants a page instead of JSON. */
  wantsPage: boolean;
  /** Whether nobody opens this now: a browser fetches it in advance. */
  isPrefetch: boolean;
};
