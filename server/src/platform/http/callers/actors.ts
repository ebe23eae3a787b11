import type { auditRepo } from '@orchestrate/db';
import { type AuditAction, type AuditActorKind, type AuditValue, fullNameOf } from '@orchestrate/shared';
import type { Caller } from './caller.ts';

type WholeFacts = Readonly<Record<string, AuditValue | undefined>>;

/** Who changes something, as the audit trail will name them. */
export interface AuditActor {
  kind: AuditActorKind;
  /** The organisation whose trail it goes into; '' if that is not known yet. */
  orgCode: string;
  /** The member, if the actor is one. */
  suid: string | null;
  name: string;
  /** How the actor is signed in, e.g. `QID`; '' for actors that are not signed in. */
  mode: string;
  /** The session, if there is one. */
  sid: string | null;
  /** Address of the caller's end of the connection; '' for the portal itself. */
  ip: string;
  /**
   * What has been recorded of this actor during this call, whether or not anything changed; shared by all actors
   * derived from it.
   */
  recorded: AuditAction[];
  /** Called with each event that is written. @param facts before and after it, uncut */
  onEvent?: (event: Omit<auditRepo.AuditRow, 'id'>, facts: { before?: WholeFacts; after?: WholeFacts }) => void;
}

const nobody = { orgCode: '', suid: null, name: '', mode: '', sid: null, ip: '' };

/** A signed-in member. */
export function memberActor({ orgCode, suid, mode, sid, member }: Caller, ip: string): AuditActor {
  return { kind: 'member', orgCode, suid, name: fullNameOf(member), mode, sid, ip, recorded: [] };
}

/** Somebody who is not signed in; `visitorOf` adds details once they are known. */
export function visitorActor(ip: string): AuditActor {
  return { ...nobody, kind: 'visitor', ip, recorded: [] };
}

/** The same visitor, now that the organisation and a name for the person are known. */
export function visitorOf(actor: AuditActor, orgCode: string, name: string): AuditActor {
  return { ...actor, kind: 'visitor', orgCode, name };
}

/** A member's device, proven by its signature, on a call by somebody who is not signed in. */
export function deviceActor(
  actor: AuditActor,
  { orgCode, suid, name }: { orgCode: string; suid: string; name: string },
): AuditActor {
  return { ...actor, kind: 'device', orgCode, suid, name, mode: 'device' };
}

/** A directory that provisions the organisation's members. @param name what its requests call themselves */
export function directoryActor(orgCode: string, ip: string, name = 'SCIM'): AuditActor {
  return { ...nobody, kind: 'directory', orgCode, name, mode: 'SCIM', ip, recorded: [] };
}

/** The organisation's external OpenID provider. @param name its issuer */
export function providerActor(orgCode: string, ip: string, name: string): AuditActor {
  return { ...nobody, kind: 'provider', orgCode, name, mode: 'OIDC', ip, recorded: [] };
}

/** An application that registers itself, or changes what it has registered. @param name its own, or its token's */
export function clientActor(orgCode: string, ip: string, name: string): AuditActor {
  return { ...nobody, kind: 'client', orgCode, name, ip, recorded: [] };
}

/** Somebody at the controls of the lab. */
export function labActor(ip: string): AuditActor {
  return { ...nobody, kind: 'lab', name: 'Lab', ip, recorded: [] };
}

/** The portal itself, e.g. when something expires. */
export function systemActor(orgCode: string): AuditActor {
  return { ...nobody, kind: 'system', orgCode, name: 'Orchestrate', recorded: [] };
}
