import { hash } from 'node:crypto';
import { auditRepo, type Tx } from '@orchestrate/db';
import type { ChangedBy, VersionedObject } from '@orchestrate/shared';
import { Refusal } from '../refusal.ts';
import { isoOf } from '../times.ts';

/** Audit actions that create a new version of an object. */
const EDITS = /\.(created|updated|renewed|changed)$/;

/** Audit actions that create a new version of the configuration. */
const CONFIGURES =
  /^(branding|session-settings|security|role|mail-text|mail-language|application|portal-app)\.(created|updated|deleted)$/;

/** Number of recent events to search. An object's last edit is rarely further back. */
const LOOKED_AT = 20;

/**
 * Returns an object's last change and its author from the audit trail. @param id absent if an organisation has only
 * one such object
 */
function lastChangeOf(
  tx: Tx,
  orgCode: string,
  { type, id }: { type: VersionedObject; id: string | undefined },
): { changedBy: ChangedBy | null; changedAt: string | null } {
  const isWhole = type === 'configuration';
  const filter = isWhole ? {} : { objectType: type, objectId: id };
  const events = auditRepo.listEvents(tx, orgCode, filter, { count: LOOKED_AT });
  const last = events.find(({ action }) => (isWhole ? CONFIGURES : EDITS).test(action));
  if (!last) return { changedBy: null, changedAt: null };
  const { actorName, actorSuid, at } = last;
  return { changedBy: { name: actorName, suid: actorSuid ?? '' }, changedAt: isoOf(at) };
}

/** Current state of the object that a request edits. */
export interface VersionedState {
  /** All editable fields and no others, from which the version is computed. */
  editable: object;
  orgCode: string;
  /** ID in the audit trail; absent if the organisation has only one object of this type. */
  id?: string;
  /**
   * Returns the object in the contract entry's `current` format. Default: `editable`. Called outside the transaction.
   */
  present?: () => object | Promise<object>;
}

/** Version of the object that a request reads or edits. */
export interface Version {
  /**
   * Checks the version that the client sent. Call this first in the write's transaction, so that nothing can change
   * between the check and the write.
   * @param now undefined if the request creates an object
   * @throws StaleVersion if the client sent a version other than the current version
   */
  require(tx: Tx, now: VersionedState | undefined): void;
  /** Sends the version as `ETag`. @param editable editable fields as in `VersionedState`, after the write */
  answer(editable: object): void;
}

/**
 * Accepts any version, for writes that don't depend on the object's version: imports check the version of the whole
 * configuration, and clients that register themselves send no version.
 */
export const ANY_VERSION: Version = { require: () => undefined, answer: () => undefined };

/**
 * Returns an object's version for `ETag` and `If-Match`: a strong entity tag (RFC 9110 §8.8.1). It is computed from
 * the editable fields, so no write can forget to increment it and other changes don't affect it.
 */
export const versionOf = (editable: object): string =>
  `"${hash('sha256', JSON.stringify(editable), 'base64url').slice(0, 22)}"`;

/** Thrown if the client sent an outdated version. */
export class StaleVersion extends Error {
  readonly present: () => object | Promise<object>;
  readonly changedBy: ChangedBy | null;
  readonly changedAt: string | null;

  constructor(tx: Tx, type: VersionedObject, now: VersionedState) {
    super('stale');
    const { orgCode, id } = now;
    const { changedBy, changedAt } = lastChangeOf(tx, orgCode, { type, id });
    this.present = now.present ?? (() => now.editable);
    this.changedBy = changedBy;
    this.changedAt = changedAt;
  }

  /**
   * Returns the refusal to send to the client.
   * @param current current object in the contract entry's format
   */
  refusal(current: object): Refusal {
    const { changedBy, changedAt } = this;
    return new Refusal('INVALID_REQUEST', {
      status: 412,
      message: `${changedBy?.name || 'Someone'} changed this while you were editing. Nothing was saved.`,
      fields: { current, changedBy, changedAt },
    });
  }
}

/** Matches one entity tag (RFC 9110 §8.8.3): `"a"` or `W/"b"`. */
const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Parses `If-Match`. Returns undefined if the header is absent and '*' for any version. Weak tags stay in the list
 * but match nothing, because the comparison is strong (RFC 9110 §8.8.3.2).
 * @throws Refusal BAD_REQUEST if the header is neither '*' nor a list of tags
 */
export function readIfMatch(header: string | undefined): '*' | readonly string[] | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const tags = header.match(TAG) ?? [];
  // Each list element is a tag or empty (RFC 9110 §5.6.1).
  const isList = header
    .replaceAll(TAG, '""')
    .split(',')
    .every((element) => ['', '""'].includes(element.trim()));
  if (isList && tags.length > 0) return tags;
  throw new Refusal('BAD_REQUEST', { message: 'If-Match must be * or a list of entity tags in double quotes.' });
}

/** Tracks whether a request has used the version as its contract entry requires. */
export interface VersionUse {
  version: Version;
  isRequired(): boolean;
  isAnswered(): boolean;
}

/**
 * Creates the version check for one request and tracks its use.
 * @param send sets the `ETag` of the response, including refusals
 */
export function trackVersion(
  object: VersionedObject,
  ifMatch: '*' | readonly string[] | undefined,
  send: (tag: string) => void,
): VersionUse {
  let isRequired = false;
  let isAnswered = false;
  return {
    isRequired: () => isRequired,
    isAnswered: () => isAnswered,
    version: {
      require(tx, now) {
        isRequired = true;
        if (ifMatch === undefined || (now && ifMatch === '*')) return;
        if (!now)
          throw new Refusal('INVALID_REQUEST', {
            status: 412,
            message: 'If-Match cannot match because nothing has been saved yet.',
          });
        const present = versionOf(now.editable);
        if (ifMatch.includes(present)) return;
        send(present);
        throw new StaleVersion(tx, object, now);
      },
      answer(editable) {
        isAnswered = true;
        send(versionOf(editable));
      },
    },
  };
}
