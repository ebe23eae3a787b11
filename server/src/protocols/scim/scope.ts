import type { organisationRepo } from '@orchestrate/db';
import type { CeiledCredentials } from '#core/members/maximum-grantable-role.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { GroupCommit } from './group-commits.ts';
import type { JsonObject } from './json.ts';
import type { PerOrganisationQueue } from './per-organisation-queue.ts';

/** Context of a request from the directory of one organisation. */
export interface Scope {
  deps: Deps;
  organisation: organisationRepo.OrganisationRow;
  orgCode: string;
  /** The directory's credentials, which determine the roles it can assign. */
  credentials: CeiledCredentials;
  /** The directory, for the audit trail. */
  actor: AuditActor;
  /** Group commit for users created one by one in quick succession. */
  inGroup: GroupCommit;
  /** Queue for work that reads the whole organisation. */
  perOrganisationQueue: PerOrganisationQueue;
  /** Returns true if the directory has disconnected. */
  isGone: () => boolean;
  /** URL of the organisation's endpoint, without a trailing slash. */
  base: string;
}

/** A request over HTTP or an operation of a bulk request. */
export interface ScimRequest {
  method: string;
  /** Path below the base, e.g. `/Users/…`. */
  path: string;
  query: URLSearchParams;
  body: JsonObject | undefined;
  /** Entity tags that the directory expects. */
  ifMatch: string | undefined;
  ifNoneMatch: string | undefined;
}

export interface ScimAnswer {
  status: number;
  body?: JsonObject;
  /** The body as JSON, if it is already serialised. */
  text?: string;
  location?: string;
  version?: string;
  /** The user or group concerned, for the log. */
  about?: string;
}
