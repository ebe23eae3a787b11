import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { CalendarClock, Link2Off, MailCheck, ShieldBan } from 'lucide-react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { hasOwnAuthenticator } from '#lib/address/authenticator-links.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { setAddressBlocked, useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { MessagePage } from '#ui/feedback/message-page.tsx';
import NotFoundPage, { SignInLink } from './not-found-page.tsx';
import { type StaticMessage, singleSignOnMessage } from './single-sign-on-message.ts';

function earlyText(validFrom: string | null): string {
  if (!validFrom || Number.isNaN(Date.parse(validFrom))) return t`Please open it again later.`;
  return t`This link is valid only after ${formatDateTime(validFrom)}. Please open it again then.`;
}

function messageOf(name: string | undefined, validFrom: string | null): StaticMessage | undefined {
  switch (name) {
    case 'activation-sent':
      return {
        icon: MailCheck,
        tone: 'success',
        title: t`Check your email`,
        text: t`We've sent you an activation code by email. Enter it in your authenticator to register your device. If you have several codes, only the newest works.`,
        leadsToAuthenticator: true,
        leadsToSignIn: true,
      };
    case 'link-invalid':
      return {
        icon: Link2Off,
        tone: 'danger',
        title: t`Invalid or expired activation link`,
        text: t`Ask your administrator to send you a new invitation.`,
        leadsToSignIn: true,
      };
    case 'link-early':
      return {
        icon: CalendarClock,
        tone: 'warning',
        title: t`This link isn't valid yet`,
        text: earlyText(validFrom),
        leadsToSignIn: true,
      };
    case 'ip-blocked':
      return {
        icon: ShieldBan,
        tone: 'danger',
        title: t`Access not allowed from this IP Address`,
        text: t`Connect from a network that your organisation allows, or contact your administrator.`,
        leadsBack: true,
        leadsToSignIn: true,
      };
    default:
      return singleSignOnMessage(name);
  }
}

function NextStep({ message, organisation }: { message: StaticMessage; organisation: string | null }) {
  const session = useSession();
  if (message.leadsToAuthenticator && hasOwnAuthenticator()) {
    return (
      <Button asChild>
        <a href={paths.authenticator}>{t`Open the authenticator`}</a>
      </Button>
    );
  }
  if (message.leadsBack && session) {
    return (
      <Button asChild>
        <Link to={paths.dashboard} onClick={() => setAddressBlocked(false)}>
          {t`Retry`}
        </Link>
      </Button>
    );
  }
  return message.leadsToSignIn ? <SignInLink organisation={organisation} /> : null;
}

/** Shows messages for links in emails and for refused browsers (spec 1 §2, page messages). */
export default function StaticMessagePage() {
  const { '*': name } = useParams();
  const [search] = useSearchParams();
  const message = messageOf(name, search.get('validFrom'));
  if (!message) return <NotFoundPage />;
  return (
    <MessagePage
      icon={message.icon}
      tone={message.tone}
      title={message.title}
      action={<NextStep message={message} organisation={search.get('org')} />}
    >
      {message.text}
    </MessagePage>
  );
}
