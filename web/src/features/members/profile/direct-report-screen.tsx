import { paths } from '#paths.ts';
import { MemberDetail } from './member-detail.tsx';

/** A direct report with the data and actions available to their manager. */
export default function DirectReportScreen() {
  return <MemberDetail listPath={paths.directReports} pathTo={paths.directReport} />;
}
