import { t } from '@lingui/core/macro';
import { Building2, CircleX, Clock, type LucideIcon, MailX, PlugZap, Smartphone, UserX } from 'lucide-react';

/** Content of a screen under `/static`. */
export interface StaticMessage {
  icon: LucideIcon;
  tone: 'success' | 'warning' | 'danger';
  title: string;
  text: string;
  /** True if the next step is in the authenticator. */
  leadsToAuthenticator?: boolean;
  /** True if the next step is on the organisation's sign-in screen. */
  leadsToSignIn?: boolean;
  /** True if signed-in users can try again from their current page. */
  leadsBack?: boolean;
}

const message = (
  icon: StaticMessage['icon'],
  title: string,
  text: string,
  tone: StaticMessage['tone'] = 'danger',
): StaticMessage => ({
  icon,
  tone,
  title,
  text,
  leadsToSignIn: true,
});

/** Explanations of single sign-on failures, by the last URL segment (decision 088). */
const MESSAGES: Readonly<Record<string, StaticMessage>> = {
  'sso-not-configured': message(
    PlugZap,
    t`Single sign-on isn't configured`,
    t`Your organisation hasn't set up an identity provider. Sign in with your device instead.`,
    'warning',
  ),
  'sso-unknown-organisation': message(
    Building2,
    t`Unknown organisation`,
    t`We don't recognise the organisation you're signing in to. Use the link from your administrator.`,
  ),
  'sso-unknown-state': message(
    Clock,
    t`This sign-in can't be continued`,
    t`The sign-in was started in another browser or has already been used. Please start again.`,
    'warning',
  ),
  'sso-expired': message(
    Clock,
    t`This sign-in took too long`,
    t`The sign-in expired while you were at your identity provider. Please start again.`,
    'warning',
  ),
  'sso-unknown-email': message(
    UserX,
    t`No account has your email address`,
    t`No member of this organisation has the email address you signed in with. Ask your administrator to add you.`,
  ),
  'sso-no-email': message(
    MailX,
    t`Your email address is missing`,
    t`Your identity provider doesn't share your email address with this portal. Ask your administrator to enable that.`,
  ),
  'sso-unverified-email': message(
    MailX,
    t`Your email address isn't verified`,
    t`Your identity provider hasn't verified your email address. Verify it there, then sign in again.`,
    'warning',
  ),
  'sso-unproven-email': message(
    MailX,
    t`Verify your email address first`,
    t`Your email address hasn't been verified here yet. Sign in with your device, choose “Verify address” under “Edit profile”, then try again.`,
    'warning',
  ),
  'sso-needs-device': message(
    Smartphone,
    t`Approve on your device first`,
    t`Your permissions require you to approve this sign-in on a registered device, but none of your devices can receive the request. Sign in with your device instead, or ask your administrator for help.`,
    'warning',
  ),
  'sso-busy': message(
    Smartphone,
    t`Requests are already waiting on your device`,
    t`Answer those requests first, or try again in two minutes. If you didn't make them, deny them on your device.`,
    'warning',
  ),
  'sso-inactive': message(UserX, t`Your account is inactive`, t`Ask your administrator to reactivate it.`),
  'sso-not-registered': message(
    UserX,
    t`You haven't registered yet`,
    t`Register your first device with the activation code we sent you, then sign in again.`,
    'warning',
  ),
  'sso-denied': message(
    CircleX,
    t`The sign-in was denied`,
    t`The sign-in was denied at your identity provider. Try again, or sign in with your device.`,
    'warning',
  ),
  'sso-provider-setup': message(
    PlugZap,
    t`Your identity provider rejected this portal`,
    t`Your identity provider doesn't accept this portal's settings. Ask your administrator to check them, or sign in with your device.`,
  ),
  'sso-provider-down': message(
    PlugZap,
    t`Your identity provider isn't responding`,
    t`Try again in a few minutes, or sign in with your device.`,
    'warning',
  ),
  'sso-provider-failed': message(
    CircleX,
    t`Couldn't verify the response`,
    t`The response from your identity provider is invalid, so you weren't signed in. Try again, or sign in with your device.`,
  ),
};

export const singleSignOnMessage = (name: string | undefined): StaticMessage | undefined => MESSAGES[name ?? ''];
