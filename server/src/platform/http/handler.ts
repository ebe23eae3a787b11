import type { memberRepo } from '@orchestrate/db';
import type { EndpointDefinition, RequestOf } from '@orchestrate/shared';
import type { Answer } from './answers/answer.ts';
import type { AuditActor } from './callers/actors.ts';
import type { Caller } from './callers/caller.ts';
import type { UploadedFile } from './requests/uploads.ts';
import type { Version } from './versions.ts';

export type Handler<D extends EndpointDefinition> = (call: Call<D>) => Answer<D> | Promise<Answer<D>>;

type SignedIn = { who: 'signed-in' | 'permission' | 'member' };

/** Input of a handler. */
export type Call<D extends EndpointDefinition> = RequestOf<D> & {
  /** The signed-in caller, or undefined if the contract entry doesn't require one. */
  caller: D['access'] extends SignedIn ? Caller : undefined;
  /** Who makes the changes, for the audit trail. */
  actor: AuditActor;
  /** The member that the request targets. The caller's permission to act on this member has been checked. */
  target: D['access'] extends { who: 'member' } ? memberRepo.MemberRow : undefined;
  /** The uploaded file. */
  file: D extends { file: { isOptional: true } }
    ? UploadedFile | undefined
    : D extends { multipart: object }
      ? UploadedFile
      : undefined;
  /** Version of the object that the request reads or edits, if the contract entry is versioned. */
  version: D extends { versioned: string } ? Version : undefined;
  /** IP address that sent the request. */
  ip: string;
  userAgent: string;
  requestId: string;
  /** `Cookie` header of the request. */
  cookie: string | undefined;
  /** Adds a `Set-Cookie` header to the response, including error responses. */
  setCookie(header: string): void;
  /**
   * Returns false if the client has disconnected. The handler can then undo changes that only the response would have
   * revealed.
   */
  isWaiting(): Promise<boolean>;
  /** True if a browser is navigating and expects a page instead of JSON. */
  wantsPage: boolean;
  /** True if a browser is prefetching without user action. */
  isPrefetch: boolean;
};
