import { Box, Button } from '@chakra-ui/react';
import { Monitor } from 'lucide-react';
import { useState } from 'react';
import { Link, Outlet } from 'react-router-dom';
import { useIsDesktop } from '../lib/use-media.ts';
import { paths } from '../paths.ts';
import { MessagePage } from '../ui/message-page.tsx';

/**
 * Administrator screens need room: a small screen shows the spec's notice instead. Where a window only became narrow, the
 * screen stays behind the notice with what was typed, and is back as soon as there is room.
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
