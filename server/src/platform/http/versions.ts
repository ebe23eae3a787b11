import { hash } from 'node:crypto';
import { auditRepo, type Tx } from '@orchestrate/db';
import type { ChangedBy, VersionedObject } from '@orchestrate/shared';
import { Refusal } from '../refusal.ts';
import { isoOf } from '../times.ts';

/** The actions that lead to a new version, among everything that happens to a thing. */
const EDITS = /\.(created|updated|renewed|changed)$/;

/** The same of the configuration, which has parts. */
const CONFIGURES =
  /^(branding|session-settings|security|role|mail-text|mail-language|application|portal-app)\.(created|updated|deleted)$/;

/** How many events are searched: a thing rarely has more since its last edit. */
const LOOKED_AT = 20;

/**
 * Who changed a thing last, and when, as far as the audit trail knows. @param id absent where an organisation has only
 * one
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

/** What a call must know about the thing it edits. */
export interface VersionedNow {
  /** Everything that can be edited of it now, and nothing else: the version is computed from this. */
  editable: object;
  orgCode: string;
  /** As the audit trail names it; absent if an organisation has only one. */
  id?: string;
  /** The thing in the form of the entry's `current`; `editable` if absent. Called outside the transaction. */
  present?: () => object | Promise<object>;
}

/** The version of the thing a call is about. */
export interface Version {
  /**
   * Call it at the beginning of the write's transaction, so that nothing can change between the check and the write.
   * @param now undefined where the call makes a new thing
   * @throws StaleVersion where the caller named a version, and the thing has another one
   */
  require(tx: Tx, now: VersionedNow | undefined): void;
  /** Sends the version with the answer, as its `ETag`. @param editable as in `VersionedNow`, after the write */
  answer(editable: object): void;
}

/**
 * For writes that do not depend on the version of the thing: an import goes by that of the whole configuration, and
 * clients that register themselves send none.
 */
export const ANY_VERSION: Version = { require: () => undefined, answer: () => undefined };

/**
 * The version of a thing, as used in `ETag` and `If-Match`: a strong entity tag (RFC 9110 §8.8.1) computed from what
 * can be edited. So no write can forget to increment it, and changes to anything else do not affect it.
 */
export const versionOf = (editable: object): string =>
  `"${hash('sha256', JSON.stringify(editable), 'base64url').slice(0, 22)}"`;

/** The caller named a version that is out of date. */
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

  /** The refusal the caller is sent. @param current as the entry's contract has it */
  refusal(current: object): Refusal {
    const { changedBy, changedAt } = this;
    return new Refusal('INVALID_REQUEST', {
      status: 412,
      message: `${changedBy?.name || 'Somebody'} changed this while you were editing. Nothing was saved.`,
      fields: { current, changedBy, changedAt },
    });
  }
}

/** One entity tag (RFC 9110 §8.8.3): `"a"` or `W/"b"`. */
const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * The versions that a caller accepts, by `If-Match`: undefined if none is named, '*' for any. Weak tags are kept in the
 * list and match nothing: the comparison is the strong one (RFC 9110 §8.8.3.2).
 * @throws Refusal BAD_REQUEST for what is neither '*' nor a list of tags
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

/** Whether a call has used the version as its entry promises. */
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
