import { Box, Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Monitor } from 'lucide-react';
import { useState } from 'react';
import { Link, Outlet } from 'react-router-dom';
import { useHasRoomForAdministration } from '#lib/browser/use-media.ts';
import { paths } from '#paths.ts';
import { MessagePage } from '#ui/feedback/message-page.tsx';

/**
 * In small windows, shows the spec's notice instead of an administration screen. The screen stays mounted behind the
 * notice, so its input survives if the window shrinks or a tablet is rotated.
 */
export function DesktopOnly() {
  const hasRoom = useHasRoomForAdministration();
  const [hadRoom, setHadRoom] = useState(hasRoom);
  if (hasRoom && !hadRoom) setHadRoom(true);
  return (
    <>
      {!hasRoom && (
        <MessagePage
          as="div"
          icon={Monitor}
          title={t`Admin features are available only on Desktop`}
          action={
            <Button asChild>
              <Link to={paths.dashboard}>{t`Back to dashboard`}</Link>
            </Button>
          }
        />
      )}
      {hadRoom && (
        <Box display={hasRoom ? 'contents' : 'none'}>
          <Outlet />
        </Box>
      )}
    </>
  );
}
