import type { memberRepo } from '@orchestrate/db';
import type { EndpointDefinition, RequestOf } from '@orchestrate/shared';
import type { Answer } from './answers/answer.ts';
import type { AuditActor } from './callers/actors.ts';
import type { Caller } from './callers/caller.ts';
import type { UploadedFile } from './requests/uploads.ts';
import type { Version } from './versions.ts';

export type Handler<D extends EndpointDefinition> = (call: Call<D>) => Answer<D> | Promise<Answer<D>>;

type SignedIn = { who: 'signed-in' | 'permission' | 'member' };

/** The input of a handler. */
export type Call<D extends EndpointDefinition> = RequestOf<D> & {
  /** Present if the entry requires a signed-in caller. */
  caller: D['access'] extends SignedIn ? Caller : undefined;
  /** The author of this call's changes, for the audit trail. */
  actor: AuditActor;
  /** The member the request is about, after checking the caller's right to act on them. */
  target: D['access'] extends { who: 'member' } ? memberRepo.MemberRow : undefined;
  /** The file of an upload. */
  file: D extends { file: { isOptional: true } }
    ? UploadedFile | undefined
    : D extends { multipart: object }
      ? UploadedFile
      : undefined;
  /** Version of the object that the call reads or edits, if its entry is versioned. */
  version: D extends { versioned: string } ? Version : undefined;
  /** Address of the caller's end of the connection. */
  ip: string;
  userAgent: string;
  requestId: string;
  /** The request's `Cookie` header. */
  cookie: string | undefined;
  /** Adds a `Set-Cookie` header to the response, even to a refusal. */
  setCookie(header: string): void;
  /** Returns false if the caller has disconnected, so that changes only the response reports can be undone. */
  isWaiting(): Promise<boolean>;
  /** True if a browser navigates here and expects a page instead of JSON. */
  wantsPage: boolean;
  /** True if a browser prefetches this without user action. */
  isPrefetch: boolean;
};
