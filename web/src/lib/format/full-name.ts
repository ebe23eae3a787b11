import type { Member } from '@orchestrate/shared';

export const fullNameOf = ({ firstName, lastName }: Pick<Member, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`.trim();
