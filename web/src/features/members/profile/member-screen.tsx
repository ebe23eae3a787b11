import { paths } from '#paths.ts';
import { MemberDetail } from './member-detail.tsx';

/** A member of the organisation, for people who may search for members. */
export default function MemberScreen() {
  return <MemberDetail listPath={paths.manageUsers} pathTo={paths.member} />;
}
