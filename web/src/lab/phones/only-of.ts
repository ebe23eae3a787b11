import type { clearPolicies, InputOf, PhonePolicy } from '@orchestrate/shared';

/** What removes this policy and no other: its match, or the word for one that is empty. */
export const onlyOf = ({ match }: PhonePolicy): InputOf<typeof clearPolicies>['query'] =>
  Object.keys(match).length > 0 ? match : { everybody: 'true' };
