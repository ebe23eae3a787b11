import type { organisationRepo } from '@orchestrate/db';
import type { LimitedCredentials } from '#core/members/maximum-grantable-role.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { GroupCommit } from './group-commits.ts';
import type { JsonObject } from './json.ts';
import type { PerOrganisationQueue } from './per-organisation-queue.ts';

/** Context of a request from an organisation's directory. */
export interface Scope {
  deps: Deps;
  organisation: organisationRepo.OrganisationRow;
  orgCode: string;
  /** The directory's credentials, which limit the roles it can assign. */
  credentials: LimitedCredentials;
  /** The directory as an audit trail actor. */
  actor: AuditActor;
  /** Combines users created one by one in quick succession into a single commit. */
  inGroup: GroupCommit;
  /** Queue for work that reads all of an organisation's data. */
  perOrganisationQueue: PerOrganisationQueue;
  /** Returns true if the directory has disconnected. */
  isGone: () => boolean;
  /** URL of the organisation's SCIM endpoint, without a trailing slash. */
  base: string;
}

/** An HTTP request or one operation of a bulk request. */
export interface ScimRequest {
  method: string;
  /** Path relative to the base, e.g. `/Users/…`. */
  path: string;
  query: URLSearchParams;
  body: JsonObject | undefined;
  /** Entity tags the directory expects. */
  ifMatch: string | undefined;
  ifNoneMatch: string | undefined;
}

export interface ScimResponse {
  status: number;
  body?: JsonObject;
  /** Body as JSON, if already serialised. */
  text?: string;
  location?: string;
  version?: string;
  /** User or group to name in the log. */
  about?: string;
}
