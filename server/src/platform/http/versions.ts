import { hash } from 'node:crypto';
import { auditRepo, type Tx } from '@orchestrate/db';
import type { ChangedBy, VersionedObject } from '@orchestrate/shared';
import { Refusal } from '../refusal.ts';
import { isoOf } from '../times.ts';

/** Actions that create a new version. */
const EDITS = /\.(created|updated|renewed|changed)$/;

/** Actions that create a new version of the configuration. */
const CONFIGURES =
  /^(branding|session-settings|security|role|mail-text|mail-language|application|portal-app)\.(created|updated|deleted)$/;

/** Number of events searched; an object rarely has more since its last edit. */
const LOOKED_AT = 20;

/**
 * Returns the last change of an object, with its author, from the audit trail. @param id absent if an organisation has
 * only one such object
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

/** The current state of the object that a call edits. */
export interface VersionedNow {
  /** All editable fields and no others; the version is computed from them. */
  editable: object;
  orgCode: string;
  /** Id in the audit trail; absent if an organisation has only one such object. */
  id?: string;
  /** Returns the object as the entry's `current`. Default: `editable`. Called outside the transaction. */
  present?: () => object | Promise<object>;
}

/** The version of the object that a call reads or edits. */
export interface Version {
  /**
   * Checks the version. Call it first in the write's transaction, so that nothing can change before the write.
   * @param now undefined if the call creates an object
   * @throws StaleVersion if the caller named a version that isn't the current one
   */
  require(tx: Tx, now: VersionedNow | undefined): void;
  /** Sends the version as `ETag`. @param editable as in `VersionedNow`, after the write */
  answer(editable: object): void;
}

/**
 * Accepts any version, for writes that don't depend on the object's version: imports check that of the whole
 * configuration, and clients that register themselves send none.
 */
export const ANY_VERSION: Version = { require: () => undefined, answer: () => undefined };

/**
 * Returns the version of an object for `ETag` and `If-Match`: a strong entity tag (RFC 9110 §8.8.1) computed from the
 * editable fields, so that no write can forget to increment it and other changes don't affect it.
 */
export const versionOf = (editable: object): string =>
  `"${hash('sha256', JSON.stringify(editable), 'base64url').slice(0, 22)}"`;

/** Thrown if the caller named an outdated version. */
export class StaleVersion extends Error {
  readonly present: () => object | Promise<object>;
  readonly changedBy: ChangedBy | null;
  readonly changedAt: string | null;

  constructor(tx: Tx, type: VersionedObject, now: VersionedNow) {
    super('stale');
    const { orgCode, id } = now;
    const { changedBy, changedAt } = lastChangeOf(tx, orgCode, { type, id });
    this.present = now.present ?? (() => now.editable);
    this.changedBy = changedBy;
    this.changedAt = changedAt;
  }

  /** Returns the refusal for the caller. @param current the object as in the entry's contract */
  refusal(current: object): Refusal {
    const { changedBy, changedAt } = this;
    return new Refusal('INVALID_REQUEST', {
      status: 412,
      message: `${changedBy?.name || 'Someone'} changed this while you were editing. Nothing was saved.`,
      fields: { current, changedBy, changedAt },
    });
  }
}

/** One entity tag (RFC 9110 §8.8.3): `"a"` or `W/"b"`. */
const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Parses `If-Match`: undefined if it is absent, '*' for any version. Weak tags are kept in the list but match nothing,
 * because the comparison is strong (RFC 9110 §8.8.3.2).
 * @throws Refusal BAD_REQUEST if it is neither '*' nor a list of tags
 */
export function readIfMatch(header: string | undefined): '*' | readonly string[] | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const tags = header.match(TAG) ?? [];
  // Between commas there is one tag each, or nothing (RFC 9110 §5.6.1).
  const isList = header
    .replaceAll(TAG, '""')
    .split(',')
    .every((element) => ['', '""'].includes(element.trim()));
  if (isList && tags.length > 0) return tags;
  throw new Refusal('BAD_REQUEST', { message: 'If-Match is neither * nor a list of entity tags in double quotes.' });
}

/** Records that a call has used the version as its entry requires. */
export interface VersionUse {
  version: Version;
  isRequired(): boolean;
  isAnswered(): boolean;
}

/** @param send sets the `ETag` of the answer, also of a refusal */
export function trackVersion(
  thing: VersionedObject,
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
            message: 'If-Match cannot match: nothing has been saved yet.',
          });
        const present = versionOf(now.editable);
        if (ifMatch.includes(present)) return;
        send(present);
        throw new StaleVersion(tx, thing, now);
      },
      answer(editable) {
        isAnswered = true;
        send(versionOf(editable));
      },
    },
  };
}
