import { t } from '@lingui/core/macro';
import type { clearPolicies, DenyReason, InputOf, OpenRequest, PhoneLie, PhonePolicy } from '@orchestrate/shared';

/** How a phone lies, in words. */
export const LIES: Record<PhoneLie, string> = {
  'wrong-key': t`signed with another key`,
  replay: t`sent before`,
  altered: t`changed after signing`,
  old: t`signed ten minutes ago`,
  future: t`dated ten minutes ahead`,
  'other-audience': t`signed for another organisation`,
  'unknown-device': t`from an unknown device`,
  'lost-device': t`from a lost device`,
};

/** Why a phone denies, in words. */
export const REASONS: Record<DenyReason, string> = { 'not-me': t`it was not me`, cancel: t`cancelled` };

/** What a phone can be asked for, in words. */
export const KINDS: Record<OpenRequest['kind'], string> = {
  login: t`Sign-in to the portal`,
  'app-login': t`Sign-in to an application`,
  verbal: t`Verification of a caller`,
  test: t`Test of a device`,
  approval: t`Approval of a change`,
  'add-device': t`A new device`,
};

/** What removes this policy and no other: its match, or the word for one that is empty. */
export const onlyOf = ({ match }: PhonePolicy): InputOf<typeof clearPolicies>['query'] =>
  Object.keys(match).length > 0 ? match : { everybody: 'true' };
