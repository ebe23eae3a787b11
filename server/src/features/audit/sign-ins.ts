import { applicationRepo, loginHistoryRepo } from '@orchestrate/db';
import { id, type SignInRecord, time } from '@orchestrate/shared';
import { z } from 'zod';
import { signInRecordOf } from '#core/sign-in/login-record-of.ts';
import type { Deps } from '#deps.ts';
import { readPageKey } from '#platform/http/requests/page-key.ts';
import { isoOf } from '#platform/times.ts';

/** Maximum number of sign-ins examined per request, using the most selective filter, at about 1 µs each. */
const REACH = 20_000;

const signInKey = z.object({ timestamp: time, id });

export interface SignInQuery {
  status?: 'Success' | 'Failed' | undefined;
  suid?: string | undefined;
  appId?: string | undefined;
  mode?: string | undefined;
  ip?: string | undefined;
  reason?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  pageSize: number;
  lastItem?: string | undefined;
}

/**
 * Returns one page of sign-ins.
 * @throws Refusal INVALID_REQUEST if the portal didn't issue the page key
 */
export function pageOfSignIns(
  { db }: Deps,
  orgCode: string,
  { appId, from, to, pageSize, lastItem, ...filter }: SignInQuery,
): { Items: SignInRecord[]; LastEvaluatedKey: { timestamp: string; id: string } | null } {
  const key = lastItem === undefined ? undefined : readPageKey(signInKey, lastItem);
  const before = key && { id: key.id, timestamp: Date.parse(key.timestamp) };
  const { entries, last } = loginHistoryRepo.listSignIns(
    db,
    orgCode,
    { ...filter, appId: storedAppId(db, orgCode, appId), from: millisecondsOf(from), to: millisecondsOf(to) },
    { count: pageSize, before, reach: REACH },
  );
  return {
    Items: entries.map(signInRecordOf),
    LastEvaluatedKey: last && { timestamp: isoOf(last.timestamp), id: last.id },
  };
}

/** Returns an application's ID as sign-ins store it: '' for the portal itself. */
export function storedAppId(db: Deps['db'], orgCode: string, appId: string | undefined): string | undefined {
  const isPortal = appId && applicationRepo.findApplication(db, orgCode, appId)?.integrationType === 'portal';
  return isPortal ? '' : appId;
}

const millisecondsOf = (iso: string | undefined): number | undefined =>
  iso === undefined ? undefined : Date.parse(iso);
