import type { auditRepo } from '@orchestrate/db';
import { type AuditAction, type AuditActorKind, type AuditValue, fullNameOf } from '@orchestrate/shared';
import type { Caller } from './caller.ts';

type WholeFacts = Readonly<Record<string, AuditValue | undefined>>;

/** Who made a change, for the audit trail. */
export interface AuditActor {
  kind: AuditActorKind;
  /** Organisation whose audit trail records the change; '' if it isn't known yet. */
  orgCode: string;
  /** Member ID; null if the actor isn't a member. */
  suid: string | null;
  name: string;
  /** Sign-in method, e.g. `QID`; '' for actors that are not signed in. */
  mode: string;
  /** Session ID; null without a session. */
  sid: string | null;
  /** IP address at the other end of the connection; '' for the portal itself. */
  ip: string;
  /**
   * Actions recorded during this request, including actions that changed nothing. Shared by all actors derived from
   * this actor.
   */
  recorded: AuditAction[];
  /** Called with each stored event. @param facts complete, untruncated facts before and after the change */
  onEvent?: (event: Omit<auditRepo.AuditRow, 'id'>, facts: { before?: WholeFacts; after?: WholeFacts }) => void;
}

const UNIDENTIFIED = { orgCode: '', suid: null, name: '', mode: '', sid: null, ip: '' };

/** Returns a signed-in member as the actor. */
export function memberActor({ orgCode, suid, mode, sid, member }: Caller, ip: string): AuditActor {
  return { kind: 'member', orgCode, suid, name: fullNameOf(member), mode, sid, ip, recorded: [] };
}

/** Returns an actor who isn't signed in. `identifyVisitor` adds the organisation and name once they are known. */
export function visitorActor(ip: string): AuditActor {
  return { ...UNIDENTIFIED, kind: 'visitor', ip, recorded: [] };
}

/** Returns a copy of the visitor with an organisation and name. */
export function identifyVisitor(actor: AuditActor, orgCode: string, name: string): AuditActor {
  return { ...actor, kind: 'visitor', orgCode, name };
}

/**
 * Returns a member's device as the actor of a request without a session. The device's signature must have been
 * verified.
 */
export function deviceActor(
  actor: AuditActor,
  { orgCode, suid, name }: { orgCode: string; suid: string; name: string },
): AuditActor {
  return { ...actor, kind: 'device', orgCode, suid, name, mode: 'device' };
}

/**
 * Returns an actor for a directory that provisions members.
 * @param name name from the directory's requests
 */
export function directoryActor(orgCode: string, ip: string, name = 'SCIM'): AuditActor {
  return { ...UNIDENTIFIED, kind: 'directory', orgCode, name, mode: 'SCIM', ip, recorded: [] };
}

/**
 * Returns an actor for the organisation's external OpenID provider.
 * @param name the provider's issuer
 */
export function providerActor(orgCode: string, ip: string, name: string): AuditActor {
  return { ...UNIDENTIFIED, kind: 'provider', orgCode, name, mode: 'OIDC', ip, recorded: [] };
}

/**
 * Returns an actor for an application that registers itself or changes its registration.
 * @param name name of the application or of its token
 */
export function clientActor(orgCode: string, ip: string, name: string): AuditActor {
  return { ...UNIDENTIFIED, kind: 'client', orgCode, name, ip, recorded: [] };
}

/** Returns the lab user as the actor. */
export function labActor(ip: string): AuditActor {
  return { ...UNIDENTIFIED, kind: 'lab', name: 'Lab', ip, recorded: [] };
}

/** Returns an actor for the portal itself, e.g. when data expires. */
export function systemActor(orgCode: string): AuditActor {
  return { ...UNIDENTIFIED, kind: 'system', orgCode, name: 'Orchestrate', recorded: [] };
}
