import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ShieldX } from 'lucide-react';
import { Link } from 'react-router-dom';
import { paths } from '#paths.ts';
import { MessagePage } from '#ui/feedback/message-page.tsx';

export default function AccessDeniedPage() {
  return (
    <MessagePage
      icon={ShieldX}
      tone="danger"
      title={t`Access Denied`}
      action={
        <Button asChild variant="outline">
          <Link to={paths.dashboard}>{t`Back to dashboard`}</Link>
        </Button>
      }
    >
      {t`You don't have access to this page. Please contact the Administrator.`}
    </MessagePage>
  );
}
