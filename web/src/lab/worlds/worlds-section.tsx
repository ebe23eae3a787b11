import { t } from '@lingui/core/macro';
import { PageHeader } from '../../ui/page-header.tsx';
import { SnapshotsCard } from './snapshots-card.tsx';
import { WorldCard } from './world-card.tsx';

/** What the portal is, and what it was. */
export function WorldsSection() {
  return (
    <>
      <PageHeader title={t`Worlds`} description={t`Everything in this portal: export it, reset it, or restore it.`} />
      <WorldCard />
      <SnapshotsCard />
    </>
  );
}
