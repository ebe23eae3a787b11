import { Box, Button } from '@chakra-ui/react';
import { Monitor } from 'lucide-react';
import { useState } from 'react';
import { Link, Outlet } from 'react-router-dom';
import { useIsDesktop } from '../lib/browser/use-media.ts';
import { paths } from '../paths.ts';
import { MessagePage } from '../ui/message-page.tsx';

/**
 * Administrator screens need space: a small screen shows the spec's notice instead. If a window was made narrower, the
 * screen stays mounted behind the notice with its input, and comes back as soon as there is space.
 */
export function DesktopOnly() {
  const isDesktop = useIsDesktop();
  const [wasDesktop, setWasDesktop] = useState(isDesktop);
  if (isDesktop && !wasDesktop) setWasDesktop(true);
  return (
    <>
      {!isDesktop && (
        <MessagePage
          icon={Monitor}
          title="Admin features are available only on Desktop"
          action={
            <Button asChild>
              <Link to={paths.dashboard}>Back to dashboard</Link>
            </Button>
          }
        />
      )}
      {wasDesktop && (
        <Box display={isDesktop ? 'contents' : 'none'}>
          <Outlet />
        </Box>
      )}
    </>
  );
}
