import { Button } from '@chakra-ui/react';
import { Monitor } from 'lucide-react';
import { Link, Outlet } from 'react-router-dom';
import { useIsDesktop } from '../lib/use-media.ts';
import { paths } from '../paths.ts';
import { MessagePage } from '../ui/message-page.tsx';

/** Administrator screens need room: a small screen shows the spec's notice instead. */
export function DesktopOnly() {
  if (useIsDesktop()) return <Outlet />;
  return (
    <MessagePage
      icon={Monitor}
      title="Admin features are available only on Desktop"
      action={
        <Button asChild>
          <Link to={paths.dashboard}>Back to dashboard</Link>
        </Button>
      }
    />
  );
}
