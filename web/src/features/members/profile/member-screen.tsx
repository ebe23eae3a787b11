import { paths } from '#paths.ts';
import { MemberDetail } from './member-detail.tsx';

/** A member of the organisation, for users who can search members. */
export default function MemberScreen() {
  return <MemberDetail listPath={paths.manageUsers} pathTo={paths.member} />;
}
