import type { auditRepo } from '@orchestrate/db';
import { type AuditAction, type AuditActorKind, type AuditValue, fullNameOf } from '@orchestrate/shared';
import type { Caller } from './caller.ts';

type WholeFacts = Readonly<Record<string, AuditValue | undefined>>;

/** The author of a change, for the audit trail. */
export interface AuditActor {
  kind: AuditActorKind;
  /** The organisation of the audit trail; '' if it isn't known yet. */
  orgCode: string;
  /** The member, if the actor is one. */
  suid: string | null;
  name: string;
  /** Sign-in method, e.g. `QID`; '' for actors that are not signed in. */
  mode: string;
  /** The session, if there is one. */
  sid: string | null;
  /** Address of the caller's end of the connection; '' for the portal itself. */
  ip: string;
  /**
   * Actions recorded during this call, even without a change. Shared by all actors derived from this one.
   */
  recorded: AuditAction[];
  /** Called with each stored event. @param facts before and after it, uncut */
  onEvent?: (event: Omit<auditRepo.AuditRow, 'id'>, facts: { before?: WholeFacts; after?: WholeFacts }) => void;
}

const nobody = { orgCode: '', suid: null, name: '', mode: '', sid: null, ip: '' };

/** A signed-in member. */
export function memberActor({ orgCode, suid, mode, sid, member }: Caller, ip: string): AuditActor {
  return { kind: 'member', orgCode, suid, name: fullNameOf(member), mode, sid, ip, recorded: [] };
}

/** Returns an actor who isn't signed in; `visitorOf` adds details once they are known. */
export function visitorActor(ip: string): AuditActor {
  return { ...nobody, kind: 'visitor', ip, recorded: [] };
}

/** Returns the visitor with organisation and name. */
export function visitorOf(actor: AuditActor, orgCode: string, name: string): AuditActor {
  return { ...actor, kind: 'visitor', orgCode, name };
}

/** Returns a member's device, proven by its signature, on a call without a session. */
export function deviceActor(
  actor: AuditActor,
  { orgCode, suid, name }: { orgCode: string; suid: string; name: string },
): AuditActor {
  return { ...actor, kind: 'device', orgCode, suid, name, mode: 'device' };
}

/** Returns a directory that provisions members. @param name from its requests */
export function directoryActor(orgCode: string, ip: string, name = 'SCIM'): AuditActor {
  return { ...nobody, kind: 'directory', orgCode, name, mode: 'SCIM', ip, recorded: [] };
}

/** Returns the organisation's external OpenID provider. @param name its issuer */
export function providerActor(orgCode: string, ip: string, name: string): AuditActor {
  return { ...nobody, kind: 'provider', orgCode, name, mode: 'OIDC', ip, recorded: [] };
}

/** Returns an application that registers itself or changes its registration. @param name its own, or its token's */
export function clientActor(orgCode: string, ip: string, name: string): AuditActor {
  return { ...nobody, kind: 'client', orgCode, name, ip, recorded: [] };
}

/** Returns the user of the lab. */
export function labActor(ip: string): AuditActor {
  return { ...nobody, kind: 'lab', name: 'Lab', ip, recorded: [] };
}

/** Returns the portal itself, e.g. for expiry. */
export function systemActor(orgCode: string): AuditActor {
  return { ...nobody, kind: 'system', orgCode, name: 'Orchestrate', recorded: [] };
}
