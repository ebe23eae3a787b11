import type { PendingChallenge } from '../contract/devices/authenticator.ts';
import { MINUTE } from '../limits.ts';

/** Returns a short question that describes a request. */
export function requestTitle({ kind, action, appName, orgName, requester }: PendingChallenge): string {
  if (kind === 'verbal')
    return requester.fullName ? `Confirm to ${requester.fullName} that it’s you?` : 'Confirm that it’s you?';
  if (action === 'confirm-device') return 'Is this device yours?';
  if (kind === 'approval') return 'Approve this change?';
  if (kind === 'test') return 'Test this device?';
  return `Sign in to ${appName ?? orgName}?`;
}

/** Formats a request's age from two times in milliseconds. Requests expire after two minutes. */
export function formatAge(requestedAt: number, now: number): string {
  const minutes = Math.floor((now - requestedAt) / MINUTE);
  if (minutes < 1) return 'just now';
  return `${minutes} min ago`;
}
