import { paths } from '#paths.ts';

/** Not among `paths`, which the sign-in page loads as well. */
export const invitationsPath = `${paths.manageUsers}/invitations`;
