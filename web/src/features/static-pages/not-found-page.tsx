import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Compass } from 'lucide-react';
import { Link } from 'react-router-dom';
import { rememberedOrganisation, useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { MessagePage } from '#ui/feedback/message-page.tsx';

/** Link to the sign-in screen of the named or last organisation, or to where its code can be entered. */
export function SignInLink({ organisation }: { organisation?: string | null }) {
  const code = organisation || rememberedOrganisation();
  return (
    <Button asChild>
      <Link to={code ? paths.signIn(code) : paths.home}>{t`Back to sign-in`}</Link>
    </Button>
  );
}

export default function NotFoundPage() {
  const session = useSession();
  return (
    <MessagePage
      icon={Compass}
      title={t`Page not found`}
      action={
        session ? (
          <Button asChild variant="outline">
            <Link to={paths.dashboard}>{t`Back to dashboard`}</Link>
          </Button>
        ) : (
          <SignInLink />
        )
      }
    >
      {t`The requested URL was not found on this server`}
    </MessagePage>
  );
}
