import { paths } from '#paths.ts';
import { MemberDetail } from './member-detail.tsx';

/** A direct report, as far as their manager may look and act. */
export default function DirectReportScreen() {
  return <MemberDetail listPath={paths.directReports} pathTo={paths.directReport} />;
}
