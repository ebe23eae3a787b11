import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Compass } from 'lucide-react';
import { Link } from 'react-router-dom';
import { paths } from '#paths.ts';
import { MessagePage } from '#ui/feedback/message-page.tsx';

export default function NotFoundPage() {
  return (
    <MessagePage
      icon={Compass}
      title={t`Page not found`}
      action={
        <Button asChild variant="outline">
          <Link to={paths.dashboard}>{t`Back to dashboard`}</Link>
        </Button>
      }
    >
      {t`The requested URL was not found on this server`}
    </MessagePage>
  );
}
