import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { readClock } from '@orchestrate/shared';
import { ExternalLink } from 'lucide-react';
import { useRead } from '#lib/api/use-read.ts';
import { paths } from '#paths.ts';

/** Removes the separators from a mobile number, because the outbox stores numbers without them. */
const plain = (to: string) => (to.includes('@') ? to : to.replace(/[\s().\-/]/g, ''));

/** Links to the lab's outbox. While the lab is on, messages don't leave the portal, so users must read them there. */
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
