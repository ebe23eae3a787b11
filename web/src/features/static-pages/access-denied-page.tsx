import { Button } from '@chakra-ui/react';
import { ShieldX } from 'lucide-react';
import { Link } from 'react-router-dom';
import { paths } from '../../paths.ts';
import { MessagePage } from '../../ui/message-page.tsx';

export default function AccessDeniedPage() {
  return (
    <MessagePage
      icon={ShieldX}
      tone="danger"
      title="Access Denied"
      action={
        <Button asChild variant="outline">
          <Link to={paths.dashboard}>Back to dashboard</Link>
        </Button>
      }
    >
      You don't have access to this page. Please contact the Administrator.
    </MessagePage>
  );
}
