import { t } from '@lingui/core/macro';
import type { clearPolicies, DenyReason, InputOf, OpenRequest, PhoneLie, PhonePolicy } from '@orchestrate/shared';

/** Descriptions of tampered answers. */
export const LIES: Record<PhoneLie, string> = {
  'wrong-key': t`signed with another key`,
  replay: t`replayed`,
  altered: t`changed after signing`,
  old: t`signed ten minutes ago`,
  future: t`dated ten minutes ahead`,
  'other-audience': t`signed for another organisation`,
  'unknown-device': t`from an unknown device`,
  'lost-device': t`from a lost device`,
};

/** Descriptions of the reasons to deny. */
export const REASONS: Record<DenyReason, string> = { 'not-me': t`it wasn’t me`, cancel: t`cancelled` };

/** Displayed names of the kinds of requests. */
export const KINDS: Record<OpenRequest['kind'], string> = {
  login: t`Sign-in to the portal`,
  'app-login': t`Sign-in to an application`,
  verbal: t`Verification of a caller`,
  test: t`Test of a device`,
  approval: t`Approval of a change`,
  'add-device': t`A new device`,
};

/** Returns the query that removes only this policy: its match, or the keyword for an empty match. */
export const onlyOf = ({ match }: PhonePolicy): InputOf<typeof clearPolicies>['query'] =>
  Object.keys(match).length > 0 ? match : { everybody: 'true' };
