import { paths } from '#paths.ts';

/** Separate from `paths`, which the sign-in page loads too. */
export const invitationsPath = `${paths.manageUsers}/invitations`;
