import { t } from '@lingui/core/macro';
import type { JournalEntry, JournalKind } from '@orchestrate/shared';
import type { Tone } from '#ui/feedback/status-badge.tsx';

/** Display names of entry kinds. */
export const KINDS: Record<JournalKind, { all: string; one: string }> = {
  http: { all: t`Requests`, one: t`Request` },
  socket: { all: t`Sockets`, one: t`Socket` },
  challenge: { all: t`Sign-ins`, one: t`Sign-in` },
  message: { all: t`Messages`, one: t`Message` },
  policy: { all: t`Phones`, one: t`Phone` },
  exchange: { all: t`RADIUS and LDAP`, one: t`Exchange` },
  webhook: { all: t`Webhooks`, one: t`Webhook` },
  fault: { all: t`Faults`, one: t`Fault` },
};

export const isJournalKind = (value: string): value is JournalKind => value in KINDS;

const WELL: ReadonlySet<string> = new Set(['SUCCESS', 'LOGIN_INIT', 'LOGIN_SUCCESS', 'TEST_DEVICE_SUCCESS']);
const GOOD_OUTCOMES: ReadonlySet<string> = new Set(['Access-Accept', 'Access-Challenge', 'success']);
const isRefused = (resultName: string | undefined): boolean => resultName !== undefined && !WELL.has(resultName);

/** Returns the badge colour for an entry's outcome. */
export function toneOf(entry: JournalEntry): Tone {
  if (entry.kind === 'fault') return 'warning';
  if (entry.kind === 'exchange') return GOOD_OUTCOMES.has(entry.outcome) ? 'success' : 'warning';
  if (entry.kind === 'webhook') return entry.status >= 200 && entry.status <= 299 ? 'success' : 'danger';
  if (entry.kind !== 'http') return 'neutral';
  if (entry.status === 0 || entry.status >= 500) return 'danger';
  return entry.status >= 400 || isRefused(entry.resultName) ? 'warning' : 'success';
}

/** Returns an HTTP request's status, or any other entry's kind. */
export const badgeOf = (entry: JournalEntry): string =>
  entry.kind === 'http' ? String(entry.status || t`No response`) : KINDS[entry.kind].one;

/** Returns an entry's title without the text that its badge displays. */
export const titleOf = (entry: JournalEntry): string =>
  entry.kind === 'http'
    ? [entry.method, entry.path, entry.resultName ?? entry.reason].filter(Boolean).join(' ')
    : entry.summary;
