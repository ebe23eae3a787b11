import type { TestPortal } from './test-portal.ts';

/** Takes the demo's own invitations away, for tests that count theirs. */
export function withoutInvitations({ deps: { db } }: TestPortal): void {
  db.$client.exec('DELETE FROM invitations');
}
