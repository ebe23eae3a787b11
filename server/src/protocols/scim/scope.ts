import type { organisationRepo } from '@orchestrate/db';
import type { CeiledCredentials } from '#core/members/maximum-grantable-role.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { GroupCommit } from './group-commits.ts';
import type { JsonObject } from './json.ts';
import type { PerOrganisationQueue } from './per-organisation-queue.ts';

/** On whose behalf a request is answered: a directory of one organisation. */
export interface Scope {
  deps: Deps;
  organisation: organisationRepo.OrganisationRow;
  orgCode: string;
  /** The directory's credentials; they determine what it may grant. */
  credentials: CeiledCredentials;
  /** The directory, for the audit trail. */
  actor: AuditActor;
  /** For people entered one by one, but many at a time. */
  inGroup: GroupCommit;
  /** For work that reads the whole organisation. */
  perOrganisationQueue: PerOrganisationQueue;
  /** Whether the directory has hung up. */
  isGone: () => boolean;
  /** Address of the organisation's endpoint, without a trailing slash. */
  base: string;
}

/** One request, by HTTP or within a bulk. */
export interface ScimRequest {
  method: string;
  /** After the base, e.g. `/Users/…`. */
  path: string;
  query: URLSearchParams;
  body: JsonObject | undefined;
  /** The versions that the directory expects. */
  ifMatch: string | undefined;
  ifNoneMatch: string | undefined;
}

export interface ScimAnswer {
  status: number;
  body?: JsonObject;
  /** The body as JSON, where it has been written already. */
  text?: string;
  location?: string;
  version?: string;
  /** Whom or what it was about, for the log. */
  about?: string;
}
