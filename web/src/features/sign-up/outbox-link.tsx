import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { readClock } from '@orchestrate/shared';
import { ExternalLink } from 'lucide-react';
import { useRead } from '#lib/api/use-read.ts';
import { paths } from '#paths.ts';

/** Removes the separators in a mobile number, as it is stored without them. */
const plain = (to: string) => (to.includes('@') ? to : to.replace(/[\s().\-/]/g, ''));

/** Links to the lab's outbox: with a lab, messages don't leave the portal. */
export function OutboxLink({ to }: { to: string }) {
  const { data } = useRead(readClock, {});
  if (!data) return null;
  return (
    <Button asChild variant="ghost" size="sm" color="fg.subtle">
      <a href={`${paths.lab}?${new URLSearchParams({ to: plain(to) })}`} target="_blank" rel="noreferrer">
        <ExternalLink aria-hidden />
        {t`Read it in the simulated outbox`}
      </a>
    </Button>
  );
}
