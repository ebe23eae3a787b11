import { t } from '@lingui/core/macro';
import type { clearPolicies, DenyReason, InputOf, OpenRequest, PhoneLie, PhonePolicy } from '@orchestrate/shared';

/** Display names of the ways to tamper with an answer. Each completes "an answer …". */
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

/** Display names of denial reasons. */
export const REASONS: Record<DenyReason, string> = { 'not-me': t`it wasn’t me`, cancel: t`cancelled` };

/** Display names of request kinds. */
export const KINDS: Record<OpenRequest['kind'], string> = {
  login: t`Sign-in to the portal`,
  'app-login': t`Sign-in to an application`,
  verbal: t`Caller verification`,
  test: t`Device test`,
  approval: t`Change approval`,
  'add-device': t`New device`,
};

/** Returns the query that removes only this policy: its match conditions, or a keyword if it has none. */
export const removalQueryFor = ({ match }: PhonePolicy): InputOf<typeof clearPolicies>['query'] =>
  Object.keys(match).length > 0 ? match : { everybody: 'true' };
